//! Brands' webhooks.

use crate::catalog::table::{Entry, extensions, partner};
use crate::error::codes;
use crate::webhooks::{browsing, replaying, rotating, saving};

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        partner("core.webhook.list", "GET /webhooks", saving::list_of_partner)
            .purpose("list the brand's endpoints of webhooks"),
        partner("core.webhook.save", "POST /webhooks", saving::save_for_partner)
            .purpose("make or change an endpoint of webhooks")
            .says("Endpoint saved")
            .new_needs(&["url", "events"])
            .errors(&[codes::TOO_MANY_WEBHOOKS])
            .strict()
            .stops_new()
            .owned(),
        partner("core.webhook.remove", "DELETE /webhooks/{id}", saving::remove_of_partner)
            .purpose("remove an endpoint of webhooks")
            .says("Endpoint removed")
            .owned(),
        partner(
            "core.webhook.rotate_secret",
            "POST /webhooks/{id}/rotate-secret",
            rotating::rotate_of_partner,
        )
        .purpose("replace the secret of an endpoint of webhooks")
        .says("Secret replaced")
        .owned(),
        partner("core.webhook.test", "POST /webhooks/{id}/test", replaying::test_of_partner)
            .purpose("send a test event to an endpoint of webhooks")
            .says("Test sent")
            .errors(&[codes::WEBHOOK_OFF, codes::WEBHOOK_FULL])
            .owned(),
        partner(
            "core.webhook.deliveries",
            "GET /webhooks/{webhookId}/deliveries",
            browsing::deliveries_of_partner,
        )
        .purpose("list what was sent to an endpoint of webhooks")
        .owned(),
        partner(
            "core.webhook.replay",
            "POST /webhook-deliveries/{id}/replay",
            replaying::replay_of_partner,
        )
        .purpose("send a delivery to an endpoint of webhooks again")
        .says("Delivery sent again")
        .errors(&[codes::WEBHOOK_OFF, codes::WEBHOOK_FULL])
        .owned(),
    ])
}
