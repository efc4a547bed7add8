//! The line at the foot of every page.

use super::DocumentError;
use super::flow::{Draft, Mark, Placed};
use super::line::lines;
use super::style::{FOOTER, Ink, POINT};

/// Writes the document's identity and the page number under every page. Runs after the last page,
/// because it prints the number of pages.
pub fn footers(draft: &mut Draft, identity: &str) -> Result<(), DocumentError> {
    let frame = draft.frame;
    let pages = draft.pages.len();
    for (page, current) in draft.pages.iter_mut().zip(1..) {
        let (left, width, top) = (frame.left, frame.width, frame.footer());
        let rule = top - 5 * POINT;
        page.push(Placed::decoration(Mark::Area {
            left,
            top: rule,
            width,
            height: POINT / 2,
            ink: Ink::Pale,
        }));
        let identity =
            lines(&draft.fonts, identity, FOOTER, width - 60 * POINT)?.into_iter().take(1);
        page.extend(identity.map(|line| Placed::line(line, left, top, None)));
        for line in lines(&draft.fonts, &format!("Page {current} of {pages}"), FOOTER, width)? {
            let left = left + width - line.width;
            page.push(Placed::line(line, left, top, None));
        }
    }
    Ok(())
}
