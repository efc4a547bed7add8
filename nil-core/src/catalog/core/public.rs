//! Operations without log-in: directories, the site's own content, rosters. The last two groups are
//! extensions; the specification only names the group of rosters.

use crate::accounts::profiles::directory;
use crate::accounts::profiles::directory::{search_athletes, share_url};
use crate::announcements;
use crate::auth::Permission;
use crate::backoffice::site;
use crate::catalog::table::{Entry, anyone, extensions, public};
use crate::editorial::{legal, privacy, reading};
use crate::error::codes;
use crate::institutions;
use crate::kernel::Feature;
use crate::rosters::browsing;

pub(super) fn directory() -> Vec<Entry> {
    public(vec![
        anyone("core.public.search_athletes", "POST /searchAthletePublic", search_athletes)
            .may_be_behind()
            .purpose("search athletes without login")
            .for_impersonators(Permission::Accounts)
            .part_of(Feature::PublicDirectory)
            .stops(),
        anyone("core.public.athlete_directory", "POST /athlete-directory", directory::athletes)
            .may_be_behind()
            .purpose("public athlete directory")
            .for_impersonators(Permission::Accounts)
            .part_of(Feature::PublicDirectory)
            .stops(),
        anyone("core.public.brand_directory", "POST /brand-directory", directory::brands)
            .may_be_behind()
            .purpose("public brand directory")
            .for_impersonators(Permission::Accounts)
            .part_of(Feature::PublicDirectory)
            .stops(),
        anyone("core.public.site_config", "GET /site_config", site::view)
            .purpose("site configuration")
            .revalidated()
            .for_impersonators(Permission::Accounts),
        anyone("core.public.colleges", "POST /listColleges", institutions::browsing::list)
            .purpose("list colleges and universities")
            .for_impersonators(Permission::Accounts),
        anyone("core.public.edit_privacy_policy", "POST /editPrivacyPolicy", privacy::edit)
            .purpose("edit privacy policy (open)")
            .says("Edit accepted")
            .errors(&[codes::UNAUTHENTICATED]),
        anyone("core.public.athlete_share_url", "POST /get-athlete-share-url", share_url)
            .purpose("athlete profile share URL")
            .for_impersonators(Permission::Accounts)
            .part_of(Feature::PublicProfiles)
            .stops(),
        anyone("core.public.athlete_profile", "GET /a/{share_slug}", directory::shared)
            .purpose("show the public profile of a listed athlete")
            .for_impersonators(Permission::Accounts)
            .part_of(Feature::PublicProfiles)
            .stops()
            .extension(),
    ])
}

pub(super) fn editorial() -> Vec<Entry> {
    extensions(public(vec![
        anyone("core.public.privacy_policy", "GET /privacy-policy", privacy::read)
            .purpose("read the privacy policy")
            .for_impersonators(Permission::Accounts),
        anyone("core.public.legal_terms", "GET /legal-terms/{kind}", legal::read)
            .purpose("read a legal document")
            .for_impersonators(Permission::Accounts),
        anyone("core.public.faq", "GET /faq", reading::faq)
            .purpose("list questions with answers")
            .for_impersonators(Permission::Accounts),
        anyone("core.public.blog", "GET /blog", reading::blog)
            .purpose("list blog posts")
            .for_impersonators(Permission::Accounts),
        anyone("core.public.blog_post", "GET /blog/{slug}", reading::post)
            .purpose("read a blog post")
            .for_impersonators(Permission::Accounts),
        anyone("core.public.testimonials", "GET /testimonials", reading::testimonials)
            .purpose("list testimonials")
            .for_impersonators(Permission::Accounts),
        anyone("core.public.custom_page", "GET /pages/{slug}", reading::page)
            .purpose("read a page")
            .for_impersonators(Permission::Accounts),
        anyone("core.public.announcements", "GET /announcements", announcements::reading::list)
            .purpose("list the announcements for the caller")
            .for_impersonators(Permission::Accounts),
    ]))
}

pub(super) fn rosters() -> Vec<Entry> {
    extensions(public(vec![
        anyone("core.roster.list", "POST /rosters/list", browsing::list)
            .purpose("list published rosters")
            .for_impersonators(Permission::Accounts)
            .stops(),
        anyone("core.roster.detail", "POST /rosters/detail", browsing::detail)
            .purpose("show a published roster with its athletes")
            .for_impersonators(Permission::Accounts)
            .stops(),
        anyone("core.roster.page", "GET /roster/{slug}", browsing::named)
            .purpose("show a published roster by its URL name")
            .for_impersonators(Permission::Accounts)
            .stops(),
    ]))
}
