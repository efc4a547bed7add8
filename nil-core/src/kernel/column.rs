//! Reads and binds a newtype as a column, the same on both engines.

/// Makes a tuple struct over `$inner` readable from a row and bindable in a statement.
#[macro_export]
macro_rules! column {
    ($name:ident($inner:ty), $null:ident) => {
        impl<DB: sqlx::Database> sqlx::Type<DB> for $name
        where
            $inner: sqlx::Type<DB>,
        {
            fn type_info() -> DB::TypeInfo {
                <$inner as sqlx::Type<DB>>::type_info()
            }
            fn compatible(info: &DB::TypeInfo) -> bool {
                <$inner as sqlx::Type<DB>>::compatible(info)
            }
        }

        impl<'r, DB: sqlx::Database> sqlx::Decode<'r, DB> for $name
        where
            $inner: sqlx::Decode<'r, DB>,
        {
            fn decode(
                value: <DB as sqlx::Database>::ValueRef<'r>,
            ) -> Result<Self, sqlx::error::BoxDynError> {
                Ok(Self(<$inner as sqlx::Decode<'r, DB>>::decode(value)?))
            }
        }

        impl From<$name> for sea_query::Value {
            fn from(value: $name) -> Self {
                value.0.into()
            }
        }

        impl sea_query::Nullable for $name {
            fn null() -> sea_query::Value {
                sea_query::Value::$null(None)
            }
        }
    };
}

pub use column;
