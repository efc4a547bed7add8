//! A poem server of a host's own with the platform below `/nil`. Open <http://127.0.0.1:3000/nil/>
//! in a browser.
//!
//! ```sh
//! cargo run -p nil-http-poem --example mount_in_poem
//! ```

use std::error::Error;
use std::path::Path;

use nil_core::Config;
use nil_core::auth::MasterKey;
use nil_core::catalog::Interface;
use nil_core::http::{Site, SiteOptions};
use nil_core::kernel::SystemRandom;
use nil_core::storage::Location;
use poem::listener::TcpListener;
use poem::{Route, Server, endpoint};

const ADDRESS: &str = "127.0.0.1:3000";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("nil-mount-{}", std::process::id()));
    let site = site(&folder).await?;
    Server::new(TcpListener::bind(ADDRESS)).run(app(site)).await?;
    Ok(())
}

/// The host's own routes, and the site beside them.
#[must_use]
pub fn app(site: Site) -> Route {
    let hello = endpoint::make_sync(|_| "hello from the host");
    Route::new().at("/hello", hello).nest("/nil", nil_http_poem::Serve(site))
}

/// The site below `/nil`, on a database of its own. Links in mails begin with `public_url`.
async fn site(folder: &Path) -> Result<Site, Box<dyn Error>> {
    std::fs::create_dir_all(folder)?;
    let key = MasterKey::generate(&SystemRandom);
    let mut config = Config::new(Location::Sqlite(folder.join("nil.db")), key);
    config.data = folder.to_owned();
    config.public_url = format!("http://{ADDRESS}/nil");
    let platform = nil_core::open(config).await?;
    Ok(Site::new(platform, &Interface::ALL, SiteOptions::default())?.at("/nil")?)
}
