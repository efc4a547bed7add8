//! The meaning of the document's parts: the tree that a screen reader follows.

use std::num::NonZeroU16;

use krilla::tagging::{Identifier, Node, TableHeaderScope, Tag, TagGroup, TagKind, TagTree};

/// The language of the documents.
pub(super) const LANGUAGE: &str = "en-US";

/// The role of a part.
#[derive(Debug, Clone)]
pub enum Role {
    /// The document's title.
    Title(String),
    /// A heading.
    Heading(String),
    /// Running text.
    Paragraph,
    /// A table.
    Table,
    /// A row of a table.
    Row,
    /// The heading of a column.
    ColumnHead,
    /// The heading of a row.
    RowHead,
    /// Any other cell.
    Cell,
}

/// A part of the document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part(usize);

/// The parts of a document in reading order, each with its parent.
#[derive(Debug, Default)]
pub struct Structure {
    parts: Vec<(Role, Option<Part>)>,
}

impl Structure {
    /// Adds a part at the end of its parent, or of the document.
    pub fn add(&mut self, role: Role, within: Option<Part>) -> Part {
        self.parts.push((role, within));
        Part(self.parts.len() - 1)
    }

    /// The tag tree, given which content on the pages belongs to which part.
    pub fn tags(self, content: Vec<(Part, Identifier)>) -> TagTree {
        let mut leaves: Vec<Vec<Node>> = self.parts.iter().map(|_| Vec::new()).collect();
        for (Part(index), identifier) in content {
            leaves.get_mut(index).into_iter().for_each(|part| part.push(identifier.into()));
        }
        let mut tree = TagTree::new().with_lang(Some(LANGUAGE.to_owned()));
        // In reverse order, so that a part is complete before it is added to its parent. Rows and
        // cells therefore arrive reversed, and are put in order when their parent is built.
        let mut top = Vec::new();
        for (role, within) in self.parts.into_iter().rev() {
            let mut children = leaves.pop().unwrap_or_default();
            // An empty cell still takes up its column; other empty parts are left out.
            if children.is_empty() && !matches!(role, Role::Cell) {
                continue;
            }
            if matches!(role, Role::Table | Role::Row) {
                children.reverse();
            }
            let group = Node::Group(TagGroup::with_children(tag(role), children));
            match within.and_then(|Part(parent)| leaves.get_mut(parent)) {
                Some(siblings) => siblings.push(group),
                None => top.push(group),
            }
        }
        top.into_iter().rev().for_each(|node| tree.push(node));
        tree
    }
}

fn tag(role: Role) -> TagKind {
    match role {
        Role::Title(text) => Tag::Hn(NonZeroU16::MIN, Some(text)).into(),
        Role::Heading(text) => Tag::Hn(NonZeroU16::MIN.saturating_add(1), Some(text)).into(),
        Role::Paragraph => Tag::P.into(),
        Role::Table => Tag::Table.into(),
        Role::Row => Tag::TR.into(),
        Role::ColumnHead => Tag::TH(TableHeaderScope::Column).into(),
        Role::RowHead => Tag::TH(TableHeaderScope::Row).into(),
        Role::Cell => Tag::TD.into(),
    }
}
