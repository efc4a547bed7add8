use super::row::Entry;
pub(super) fn entries() -> Vec<Entry> {
    Vec::new()
}
