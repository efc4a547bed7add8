//! Institutions' webhooks.

use crate::catalog::table::portal::owner;
use crate::catalog::table::{Entry, extensions};
use crate::error::codes;
use crate::webhooks::{browsing, replaying, rotating, saving};

pub(super) fn rows() -> Vec<Entry> {
    extensions(vec![
        owner("compliance.webhook.list", "GET /webhooks", saving::list_of_portal)
            .purpose("list the institution's endpoints of webhooks")
            .title("Webhooks")
            .columns(&[
                "url",
                "enabled",
                "description",
                "disabled_why",
                "failing_since",
                "events",
                "updated_at",
            ]),
        owner("compliance.webhook.save", "POST /webhooks", saving::save_for_portal)
            .purpose("make or change an endpoint of webhooks")
            .title("Save an endpoint of webhooks")
            .acts_on("webhook_endpoint", "id")
            .verb("Save")
            .says("Endpoint saved")
            .new_needs(&["url", "events"])
            .errors(&[codes::TOO_MANY_WEBHOOKS])
            .strict()
            .stops_new()
            .owned(),
        owner("compliance.webhook.remove", "DELETE /webhooks/{id}", saving::remove_of_portal)
            .purpose("remove an endpoint of webhooks")
            .title("Remove an endpoint of webhooks")
            .acts_on("webhook_endpoint", "id")
            .verb("Remove")
            .confirm(
                "The endpoint hears no more events, and what waits for it is not sent.",
                "What was sent stays with its receiver.",
            )
            .says("Endpoint removed")
            .owned(),
        owner(
            "compliance.webhook.rotate_secret",
            "POST /webhooks/{id}/rotate-secret",
            rotating::rotate_of_portal,
        )
        .purpose("replace the secret of an endpoint of webhooks")
        .title("Replace the secret of an endpoint of webhooks")
        .acts_on("webhook_endpoint", "id")
        .verb("Replace")
        .confirm(
            "The endpoint gets a new secret, which is shown once.",
            "The old secret signs as well for 24 hours.",
        )
        .says("Secret replaced")
        .owned(),
        owner("compliance.webhook.test", "POST /webhooks/{id}/test", replaying::test_of_portal)
            .purpose("send a test event to an endpoint of webhooks")
            .title("Test an endpoint of webhooks")
            .acts_on("webhook_endpoint", "id")
            .verb("Send")
            .says("Test sent")
            .errors(&[codes::WEBHOOK_OFF, codes::WEBHOOK_FULL])
            .owned(),
        owner(
            "compliance.webhook.deliveries",
            "GET /webhooks/{webhookId}/deliveries",
            browsing::deliveries_of_portal,
        )
        .purpose("list what was sent to an endpoint of webhooks")
        .title("Deliveries to an endpoint of webhooks")
        .columns(&[
            "event",
            "status",
            "created_at",
            "attempts",
            "answer_status",
            "next_at",
            "error",
            "answer",
            "message_id",
        ])
        .owned(),
        owner(
            "compliance.webhook.replay",
            "POST /webhook-deliveries/{id}/replay",
            replaying::replay_of_portal,
        )
        .purpose("send a delivery to an endpoint of webhooks again")
        .title("Send a delivery to a webhook again")
        .acts_on("webhook_delivery", "id")
        .verb("Send")
        .says("Delivery sent again")
        .errors(&[codes::WEBHOOK_OFF, codes::WEBHOOK_FULL])
        .owned(),
    ])
}
