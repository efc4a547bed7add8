//! Generates the clients with progenitor from the documents in OpenAPI 3.0.

use std::env;
use std::fs::{self, File};
use std::path::Path;

use progenitor_impl::{GenerationSettings, Generator, InterfaceStyle};

fn main() {
    let built = env::var("OUT_DIR").expect("cargo sets it");
    for interface in ["core", "compliance", "admin"] {
        let document = format!("{interface}-3.0.json");
        println!("cargo::rerun-if-changed={document}");
        let document = File::open(&document).expect("the document beside the manifest");
        let document = serde_json::from_reader(document).expect("a document in OpenAPI 3.0");
        let mut settings = GenerationSettings::default();
        settings.with_interface(InterfaceStyle::Builder);
        let code = Generator::new(&settings).generate_tokens(&document).expect("code");
        let code = prettyplease::unparse(&syn::parse2(code).expect("Rust"));
        fs::write(Path::new(&built).join(format!("{interface}.rs")), code).expect("a place for it");
    }
}
