//! The pictures beside words. Each is one path on a ground of 16 by 16, drawn with a line.

use maud::{Markup, html};

/// The path of a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Icon(&'static str);

impl Icon {
    /// The picture; readers of screens leave it out, since a word stands beside it.
    pub(super) fn show(self) -> Markup {
        html! { svg.i viewBox="0 0 16 16" aria-hidden="true" { path d=(self.0); } }
    }
}

pub(super) const BOOK: Icon = Icon("M3 2.5h8.5a1 1 0 0 1 1 1v10H4a1 1 0 0 1-1-1zM3 11.5h9.5");
pub(super) const CALENDAR: Icon = Icon("M2.5 3.5h11v10h-11zM2.5 6.5h11M5.5 2v3M10.5 2v3");
pub(super) const CARD: Icon = Icon("M2 4h12v8H2zM2 7h12");
pub(super) const CASE: Icon = Icon("M2.5 5h11v8.5h-11zM5.5 5V3h5v2M2.5 9h11");
pub(super) const CHART: Icon = Icon("M2 14h12M4 14V9M8 14V3M12 14V6.5");
pub(super) const CLOCK: Icon = Icon("M8 4.5V8l2.5 1.5M8 14A6 6 0 1 0 2.5 10.5M2 13l.4-2.8 2.8.5");
pub(super) const COLLEGE: Icon =
    Icon("M1.5 6.5 8 3l6.5 3.5M3 6.5v6.5M6.3 7v6M9.7 7v6M13 6.5v6.5M1.5 13.5h13");
pub(super) const DOCUMENT: Icon = Icon("M3 2h7l3 3v9H3zM10 2v3h3M5.5 8h5M5.5 10.5h5");
pub(super) const FOLDER: Icon = Icon("M2 4h4l1.5 1.5H14V13H2z");
pub(super) const GEAR: Icon = Icon(
    "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4zM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M12.4 3.6 11 5M5 11l-1.4 1.4",
);
pub(super) const HORN: Icon = Icon("M2 6.5v3l2 .3L12 13V3L4 6.2zM5 10v3h2v-2.2");
pub(super) const INBOX: Icon = Icon("M2 9.5h3l1 2h4l1-2h3M3.5 3h9l1.5 6.5V13H2V9.5z");
pub(super) const LEAVE: Icon = Icon("M6 2.5H3v11h3M9.5 5 13 8l-3.5 3M13 8H6");
pub(super) const LIST: Icon = Icon("M5.5 4H14M5.5 8H14M5.5 12H14M2.3 4h.4M2.3 8h.4M2.3 12h.4");
pub(super) const MAIL: Icon = Icon("M2 3.5h12v9H2zM2 4.5l6 4.5 6-4.5");
pub(super) const MONEY: Icon = Icon(
    "M8 2v12M11 4.5C10.5 3.6 9.4 3 8 3 6.3 3 5 3.9 5 5.3 5 8.5 11 7 11 10.5 11 12 9.7 13 8 13c-1.6 0-2.8-.7-3.2-1.8",
);
pub(super) const PEOPLE: Icon = Icon(
    "M6 8a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM1.5 13.5c.3-2.7 2-4 4.5-4s4.2 1.3 4.5 4M11 3.2a2.3 2.3 0 0 1 0 4.5M12 9.8c1.5.5 2.3 1.8 2.5 3.7",
);
pub(super) const PERSON: Icon =
    Icon("M8 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5zM3 14c.3-3 2-4.5 5-4.5s4.7 1.5 5 4.5");
pub(super) const REPORT: Icon = Icon("M3 2h10v12H3zM5.5 11V8.5M8 11V5.5M10.5 11V7.5");
pub(super) const SHIELD: Icon =
    Icon("M8 1.8 13 3.5V8c0 3-2 5-5 6.2C5 13 3 11 3 8V3.5zM5.7 8l1.6 1.6L10.5 6.3");
pub(super) const SLIDERS: Icon =
    Icon("M2.5 4h6M11.5 4h2M2.5 8h2M7.5 8h6M2.5 12h6M11.5 12h2M10 2.5v3M6 6.5v3M10 10.5v3");
pub(super) const STAR: Icon =
    Icon("M8 1.8l1.9 4 4.3.5-3.2 3 .9 4.3L8 11.5l-3.9 2.1.9-4.3-3.2-3 4.3-.5z");
pub(super) const TALK: Icon = Icon("M2 3h12v8H7.5L4.5 13.5V11H2z");
pub(super) const TEXT: Icon = Icon("M3 3.5h10M8 3.5V13M6 13h4");
pub(super) const UP: Icon = Icon("M8 10V2.5M5 5l3-3 3 3M3 9.5V13h10V9.5");
pub(super) const SEARCH: Icon =
    Icon("M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM10.3 10.3 14 14");
pub(super) const MENU: Icon = Icon("M2 4h12M2 8h12M2 12h12");
pub(super) const COLUMNS: Icon = Icon("M2.5 3h11v10h-11zM6.2 3v10M9.8 3v10");
pub(super) const PLUS: Icon = Icon("M8 3v10M3 8h10");
pub(super) const MORE: Icon = Icon("M3.5 8h.01M8 8h.01M12.5 8h.01");
pub(super) const DOWN: Icon = Icon("M8 2.5v8M5 8l3 3 3-3M3 13.5h10");
pub(super) const NEXT: Icon = Icon("M6 3.5 10.5 8 6 12.5");
