//! Takes the script and the style sheet of the documentation page (Swagger UI) out of the archive
//! they come in, packed the way browsers take them.

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    docs_page::unpack()?;
    Ok(())
}

mod docs_page {
    use std::error::Error;
    use std::fs::File;
    use std::io::{Cursor, copy};
    use std::path::PathBuf;

    use flate2::Compression;
    use flate2::write::GzEncoder;
    use utoipa_swagger_ui_vendored::SWAGGER_UI_VENDORED;
    use zip::ZipArchive;

    const WANTED: [&str; 2] = ["swagger-ui-bundle.js", "swagger-ui.css"];

    pub(super) fn unpack() -> Result<(), Box<dyn Error>> {
        let folder = PathBuf::from(std::env::var("OUT_DIR")?);
        let mut archive = ZipArchive::new(Cursor::new(SWAGGER_UI_VENDORED))?;
        for wanted in WANTED {
            let path = archive
                .file_names()
                .filter_map(Result::ok)
                .find(|path| path.ends_with(&format!("/dist/{wanted}")))
                .ok_or("the archive has no such file")?
                .into_owned();
            let packed = File::create(folder.join(format!("{wanted}.gz")))?;
            let mut packed = GzEncoder::new(packed, Compression::best());
            copy(&mut archive.by_name(&path)?, &mut packed)?;
            packed.finish()?;
        }
        Ok(())
    }
}
