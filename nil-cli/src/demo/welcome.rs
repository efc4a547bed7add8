//! What `nil serve --demo` prints: who can log in, and what each of them can look at first.

use nil_core::Config;

use super::player::{PASSWORD, Person};
use super::world::World;
use crate::out::say;

impl World {
    /// Who can log in, and what there is to see.
    pub(super) fn print(&self, config: &Config) {
        let of =
            |people: &[Person]| people.first().map(|one| one.email.clone()).unwrap_or_default();
        let officer = self.owner(0).map(|one| one.email.clone()).unwrap_or_default();
        let (core, office) = (config.server_url(false), config.server_url(true));
        if cfg!(feature = "console") {
            say!("Open in a browser:");
            say!("    {office}/portal    as {officer}");
            say!("    {office}/console   as operator@nil.example");
            say!("");
        }
        say!("A year of sample data. Everybody has the password: {PASSWORD}");
        say!("");
        for (kind, email, what) in [
            (
                "operator",
                "operator@nil.example".to_owned(),
                "Sam Okafor runs the site. /console shows what waits for a decision.",
            ),
            (
                "compliance officer",
                officer,
                "Dana Whitfield watches over 400 athletes. /portal shows what is late or due soon.",
            ),
            (
                "brand",
                of(&self.brands),
                "Alex Moreau hires for Northfield Outdoor. POST /api/partnerJobs lists the jobs,\n    \
                 /api/paymentHistoryPartner what was paid.",
            ),
            (
                "athlete",
                of(&self.athletes),
                "Jordan Rivera plays basketball and has an agent. POST /api/myDealsV2 lists the\n    \
                 deals, GET /api/wallet the money, /api/athlete/agent-filings the agent's papers.",
            ),
            (
                "agent",
                of(&self.agents),
                "Renee Castellanos represents Jordan and others. GET /api/agent/athletes lists\n    \
                 them, /api/wallet the commission.",
            ),
            (
                "fan",
                of(&self.fans),
                "Riley Chandra follows five athletes. POST /api/fan/me lists them,\n    \
                 GET /api/roster/lakeshore-women is a public list.",
            ),
        ] {
            say!("{kind:<20}  {email}");
            say!("    {what}");
        }
        say!("");
        say!("Log in, for example, with");
        let example =
            format!("{{\"email\":\"{}\",\"password\":\"{PASSWORD}\"}}", of(&self.athletes));
        say!("    curl --json '{example}' {core}/api/login");
        say!(
            "The log-in of officers is {office}/api/compliance/login, of operators {office}/admin/check-login."
        );
        say!("");
    }
}
