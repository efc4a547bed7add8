//! The code that writes a struct to columns, and copies it from the record that has its fields.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Ident, Path, Result};

use crate::field::{Kind, Said, fields, root};

/// The value of a field's column, if it is one.
fn value(name: &Ident, said: &Said) -> Option<TokenStream> {
    Some(match said.kind {
        Kind::Column | Kind::Default => quote!(self.#name.clone()),
        Kind::Json => quote!(::serde_json::json!(self.#name)),
        Kind::NullableJson => {
            quote!(self.#name.as_ref().map(|value| ::serde_json::json!(value)))
        }
        Kind::Flatten | Kind::Skip | Kind::Each => return None,
    })
}

/// The record that the struct is copied from: `#[stored(of = Job)]`.
fn source(input: &DeriveInput) -> Result<Option<Path>> {
    let mut source = None;
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("stored")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("of") {
                return Err(meta.error("only `of` is known here"));
            }
            source = Some(meta.value()?.parse()?);
            Ok(())
        })?;
    }
    Ok(source)
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let root = root(input)?;
    let (mut sets, mut copies) = (TokenStream::new(), TokenStream::new());
    for (field, name, said) in fields(input)? {
        if said.kind == Kind::Flatten {
            return Err(Error::new_spanned(field, "columns of another struct are not written"));
        }
        if let (Some(column), Some(value)) = (said.column(name), value(name, &said)) {
            sets.extend(quote!(.set(#column, #value)));
        }
        copies.extend(if said.kind == Kind::Each {
            quote!(#name: source.#name.iter().map(::core::convert::From::from).collect(),)
        } else {
            quote!(#name: source.#name.clone(),)
        });
    }
    let name = &input.ident;
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    let copy = source(input)?.map(|source| {
        quote! {
            #[automatically_derived]
            impl #generics ::core::convert::From<&#source> for #name #arguments #conditions {
                fn from(source: &#source) -> Self {
                    Self { #copies }
                }
            }
        }
    });
    Ok(quote! {
        #[automatically_derived]
        impl #generics #root::storage::Stored for #name #arguments #conditions {
            fn columns(&self) -> #root::storage::Columns {
                #root::storage::Columns::default() #sets
            }
        }
        #copy
    })
}
