//! The code that reads a struct from a row.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Field, Ident, Path, Result};

use crate::field::{Kind, Said, fields, root};

/// The code for one field: how it is read, and what its type must be.
fn read(root: &Path, (field, name, said): (&Field, &Ident, &Said)) -> (TokenStream, TokenStream) {
    let kind = &field.ty;
    let column = said.column(name).unwrap_or_default();
    let value = match said.kind {
        Kind::Column => quote!(row.get(#column)?),
        Kind::Default => quote!(row.get_or_default(#column)?),
        Kind::Json => quote!(row.json(#column)?),
        Kind::NullableJson => quote!(row.json_or_null(#column)?),
        Kind::Flatten => quote!(#root::storage::FromRow::from_row(row)?),
        Kind::Skip | Kind::Each => quote!(::core::default::Default::default()),
    };
    let bound = match said.kind {
        Kind::Column => quote!(#kind: #root::kernel::FromColumn,),
        Kind::Flatten => quote!(#kind: #root::storage::FromRow,),
        _ => quote!(),
    };
    (quote!(#name: #value,), bound)
}

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let root = root(input)?;
    let (mut values, mut bounds) = (TokenStream::new(), TokenStream::new());
    let (mut columns, mut flattened) = (Vec::new(), false);
    for (field, name, said) in fields(input)? {
        let (value, bound) = read(&root, (field, name, &said));
        values.extend(value);
        bounds.extend(bound);
        columns.extend(said.column(name));
        flattened |= said.kind == Kind::Flatten;
    }
    let name = &input.ident;
    let (generics, arguments, whose) = input.generics.split_for_impl();
    // Without parameters the types are known, and a mistake is told at its field.
    let conditions = if input.generics.type_params().next().is_none() {
        quote!(#whose)
    } else {
        let own = input.generics.where_clause.iter().flat_map(|clause| &clause.predicates);
        quote!(where #(#own,)* #bounds)
    };
    let selected = (!flattened).then(|| {
        quote! {
            #[automatically_derived]
            impl #generics #root::storage::Selected for #name #arguments #conditions {
                const COLUMNS: &'static [&'static str] = &[#(#columns),*];
            }
        }
    });
    Ok(quote! {
        #[automatically_derived]
        impl #generics #root::storage::FromRow for #name #arguments #conditions {
            fn from_row(row: &#root::storage::Record) -> #root::storage::Read<Self> {
                Ok(Self { #values })
            }
        }
        #selected
    })
}
