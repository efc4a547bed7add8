use super::Catalog;
/// x
pub fn endpoint_list(_: &Catalog) -> String {
    String::new()
}
