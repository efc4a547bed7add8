//! What the attributes of a field say.

use syn::{
    Attribute, Data, DeriveInput, Error, Field, Fields, Ident, LitStr, Path, Result, parenthesized,
    parse_quote,
};

/// What a field is in its row.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Column,
    /// Left out by some statements.
    Default,
    Json,
    NullableJson,
    Flatten,
    Skip,
    /// Records of another table.
    Each,
}

/// What the attributes of a field say.
pub(crate) struct Said {
    pub(crate) kind: Kind,
    rename: Option<LitStr>,
}

impl Said {
    pub(crate) fn of(attributes: &[Attribute]) -> Result<Self> {
        let mut said = Self { kind: Kind::Column, rename: None };
        for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("row")) {
            attribute.parse_nested_meta(|meta| {
                let kind = match meta.path.get_ident().map(Ident::to_string).as_deref() {
                    Some("rename") => {
                        said.rename = Some(meta.value()?.parse()?);
                        return Ok(());
                    }
                    Some("json") if meta.input.peek(syn::token::Paren) => {
                        let inner;
                        parenthesized!(inner in meta.input);
                        let word: Ident = inner.parse()?;
                        if word != "nullable" {
                            return Err(Error::new(word.span(), "only `nullable` is known here"));
                        }
                        Kind::NullableJson
                    }
                    Some("json") => Kind::Json,
                    Some("default") => Kind::Default,
                    Some("flatten") => Kind::Flatten,
                    Some("skip") => Kind::Skip,
                    Some("each") => Kind::Each,
                    _ => {
                        return Err(meta.error("not an attribute of a field of a row"));
                    }
                };
                if said.kind != Kind::Column {
                    return Err(meta.error("a field comes from one place"));
                }
                said.kind = kind;
                Ok(())
            })?;
        }
        if said.rename.is_some() && matches!(said.kind, Kind::Flatten | Kind::Skip | Kind::Each) {
            let why = "only a column has a name";
            return Err(Error::new_spanned(&said.rename, why));
        }
        Ok(said)
    }

    /// The column's name; none for what is no column.
    pub(crate) fn column(&self, name: &Ident) -> Option<String> {
        if matches!(self.kind, Kind::Flatten | Kind::Skip | Kind::Each) {
            return None;
        }
        let own = || name.to_string().trim_start_matches("r#").to_owned();
        Some(self.rename.as_ref().map_or_else(own, LitStr::value))
    }
}

/// The package whose `storage` and `kernel` the code names: `crate`, or the one of
/// `#[row(root = nil_core)]`.
pub(crate) fn root(input: &DeriveInput) -> Result<Path> {
    let mut root = parse_quote!(crate);
    for attribute in input.attrs.iter().filter(|attribute| attribute.path().is_ident("row")) {
        attribute.parse_nested_meta(|meta| {
            if !meta.path.is_ident("root") {
                return Err(meta.error("only `root` is known here"));
            }
            root = meta.value()?.parse()?;
            Ok(())
        })?;
    }
    Ok(root)
}

/// The fields of a struct, with what their attributes say.
pub(crate) fn fields(input: &DeriveInput) -> Result<Vec<(&Field, &Ident, Said)>> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "only a struct is a row"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(&input.ident, "only a struct with named fields is a row"));
    };
    let named = fields.named.iter().filter_map(|field| Some((field, field.ident.as_ref()?)));
    named.map(|(field, name)| Ok((field, name, Said::of(&field.attrs)?))).collect()
}
