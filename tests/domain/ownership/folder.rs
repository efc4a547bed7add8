//! The folder of the active deal.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use nil_core::auth::Principal;
use nil_tests::{PIXEL, Person, World, a_file};
use serde_json::json;

use super::Side;

impl Side {
    /// Two files of each party, one of them to remove, and an upload to complete.
    pub(super) async fn folder(&mut self, world: &World, [athlete, partner, agent]: [&Person; 3]) {
        let of = [
            (athlete, ["athlete's deal_file", "athlete's spare deal_file", "athlete's upload"]),
            (partner, ["partner's deal_file", "partner's spare deal_file", "partner's upload"]),
            (agent, ["agent's deal_file", "agent's spare deal_file", "agent's upload"]),
        ];
        let deal = json!({ "job_id": self.ids["job"][0], "athlete_id": self.ids["athlete"][0] });
        for (who, [file, spare, upload]) in of {
            for (own, all) in [(file, "deal_file"), (spare, "spare deal_file")] {
                let mut input = a_file("a.png", PIXEL);
                input["job_id"] = deal["job_id"].clone();
                input["athlete_id"] = deal["athlete_id"].clone();
                let added = world.call("core.deal_folder.add", &who.principal, input);
                let id = added.await.data()["id"].clone();
                self.learn(own, &id);
                self.learn(all, &id);
            }
            let mut input = deal.clone();
            input["name"] = json!("b.png");
            input["size"] = json!(PIXEL.len());
            input["mime"] = json!("image/png");
            let announce = "core.deal_folder.create_upload";
            let announced = world.call(announce, &who.principal, input).await.data();
            let url = announced["url"].as_str().expect("an address");
            let (_, token) = url.split_once("token=").expect("a token");
            let bytes = json!({ "token": token, "content": STANDARD.encode(PIXEL) });
            let receive = "core.deal_folder.receive_upload";
            world.call(receive, &Principal::Anonymous, bytes).await.data();
            self.learn(upload, &announced["upload_id"]);
            self.learn("upload", &announced["upload_id"]);
        }
    }
}
