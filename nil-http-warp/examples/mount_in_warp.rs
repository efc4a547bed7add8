//! A warp server of a host's own with the platform below `/nil`. Open <http://127.0.0.1:3000/nil/>
//! in a browser.
//!
//! ```sh
//! cargo run -p nil-http-warp --example mount_in_warp
//! ```

use std::error::Error;
use std::path::Path;

use nil_core::Config;
use nil_core::auth::MasterKey;
use nil_core::catalog::Interface;
use nil_core::http::{Site, SiteOptions};
use nil_core::kernel::SystemRandom;
use nil_core::storage::Location;
use warp::filters::BoxedFilter;
use warp::reply::Response;
use warp::{Filter as _, Reply as _};

const ADDRESS: &str = "127.0.0.1:3000";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("nil-mount-{}", std::process::id()));
    let site = site(&folder).await?;
    let listener = tokio::net::TcpListener::bind(ADDRESS).await?;
    warp::serve(app(site)).incoming(listener).run().await;
    Ok(())
}

/// The site, and the host's own filters for what is not the site's.
#[must_use]
pub fn app(site: Site) -> BoxedFilter<(Response,)> {
    let hello = warp::path("hello").and(warp::path::end());
    let hello = hello.map(|| "hello from the host".into_response());
    nil_http_warp::routes(site).or(hello).unify().boxed()
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
