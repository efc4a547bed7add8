//! The code that names the fields in which two structs differ.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Result};

use crate::field::{fields, root};

pub(crate) fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let root = root(input)?;
    let mut differs = TokenStream::new();
    for (_, field, _) in fields(input)? {
        let told = field.to_string();
        differs.extend(quote!((#told, self.#field != other.#field),));
    }
    let name = &input.ident;
    let (generics, arguments, conditions) = input.generics.split_for_impl();
    Ok(quote! {
        #[automatically_derived]
        impl #generics #root::storage::Compared for #name #arguments #conditions {
            fn differences(&self, other: &Self) -> ::std::vec::Vec<&'static str> {
                [#differs].into_iter().filter_map(|(field, differs)| differs.then_some(field)).collect()
            }
        }
    })
}
