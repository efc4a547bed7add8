//! Operators upload the site's logo and its icon.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::settings::{self, BasicSettings};
use crate::auth::Operator;
use crate::content::redrawing::{Frame, redrawn};
use crate::content::storing::{self, Given};
use crate::content::{self, FileContent, FileOwner, FileUse, MediaType, picture_url};
use crate::error::Result;
use crate::kernel::Text;
use crate::kernel::vocabulary::vocabulary;
use crate::operation::{Cx, Done, Subject};
use crate::storage::update;

vocabulary! {
    /// The pictures of the site.
    SiteImage {
        /// The logo.
        Logo = "logo",
        /// The icon that browsers show beside the site's name; about square.
        Favicon = "favicon",
    }
}

/// The row of the site, of which there is one.
const SITE: i64 = 1;

/// A picture of the site: a multipart form with one file part, or JSON with its content in base64.
///
/// It is published without its metadata, upright, and reduced to 1024 pixels on its longer side (an
/// icon to 256): a JPEG as one, others as PNG. It gets a new public address, and the picture it
/// replaces is deleted.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct UploadSiteImage {
    /// Which picture it replaces.
    pub kind: SiteImage,
    /// Its name (in a form: the file part's own, unless given).
    #[schemars(extend("examples" = ["logo.png"]))]
    pub name: Text<1, 1000>,
    /// Its declared type (in a form: the file part's type). It must match the content.
    #[schemars(extend("examples" = [null]))]
    pub media_type: Option<MediaType>,
    /// Its content in base64, at most 10 MiB: a JPEG, PNG or WebP picture of at most 4096 by 4096
    /// pixels.
    #[schemars(extend("examples" = [A_PIXEL]))]
    pub content: FileContent,
}

/// A picture of one pixel, for the documentation.
const A_PIXEL: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNgAAAAAgAB5Sfe/AAAAABJRU5ErkJggg==";

/// Replaces the site's logo or icon. 422 at `content` for other types than JPEG, PNG and WebP, and
/// for a picture that is too large or cannot be read.
pub async fn upload_image(cx: Cx<Operator>, input: UploadSiteImage) -> Result<Done<BasicSettings>> {
    let kind = input.kind;
    let found = storing::examined(&input.name, input.media_type, &input.content)?;
    let picture = (found, input.content.shared());
    let place = cx.platform().workshop().place(&cx.facts().actor).await?;
    let drawn = redrawn(place, "content", picture, kind.frame()).await?;
    let given = Given {
        owner: FileOwner::Site,
        name: &input.name,
        media_type: Some(drawn.media_type),
        content: &drawn.content,
    };
    let written = storing::write(cx.platform(), cx.facts().operation, given).await?;
    let mut work = cx.begin().await?;
    let before = settings::held(&mut work).await?;
    let place = (kind.file_use(), SITE);
    let old = content::of_record(&mut work, place).await?;
    let new = content::add_written(&mut work, written, place).await?;
    content::let_go(&mut work, &[new], place).await?;
    let mut discarded = Vec::with_capacity(old.len());
    for id in old {
        discarded.push(storing::discard(&mut work, id).await?);
    }
    let row = update("site")
        .set("updated_at", cx.now())
        .set(kind.column(), picture_url(cx.platform(), new))
        .when("id", SITE);
    work.change(row).await?;
    let after = settings::held(&mut work).await?;
    let subject = Subject { kind: "site", id: SITE };
    work.note_change(subject, kind.changed(), json!(before), json!(after));
    let done = work.done(after).await?;
    for old in discarded {
        old.remove(cx.platform()).await;
    }
    Ok(done)
}

impl SiteImage {
    const fn frame(self) -> Frame {
        match self {
            Self::Logo => Frame::LOGO,
            Self::Favicon => Frame::FAVICON,
        }
    }

    const fn file_use(self) -> FileUse {
        match self {
            Self::Logo => FileUse::SiteLogo,
            Self::Favicon => FileUse::SiteFavicon,
        }
    }

    const fn column(self) -> &'static str {
        match self {
            Self::Logo => "logo_url",
            Self::Favicon => "favicon_url",
        }
    }

    const fn changed(self) -> &'static str {
        match self {
            Self::Logo => "logo_changed",
            Self::Favicon => "favicon_changed",
        }
    }
}
