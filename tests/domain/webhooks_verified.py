"""Verifies requests with the library of the specification's authors. Reads cases as JSON, says how many were
accepted and how many forgeries were refused."""

import json
import sys

from standardwebhooks.webhooks import Webhook, WebhookVerificationError

cases = json.load(sys.stdin)
accepted = refused = 0


def verify(case, **changes):
    case = case | changes
    headers = {
        "webhook-id": case["id"],
        "webhook-timestamp": case["at"],
        "webhook-signature": case["signature"],
    }
    return Webhook(case["secret"]).verify(case["body"], headers)


def is_refused(case, **changes):
    try:
        verify(case, **changes)
    except WebhookVerificationError:
        return True
    return False


for case in cases["good"]:
    assert verify(case) == json.loads(case["body"])
    accepted += 1
    at = int(case["at"])
    forged = " ".join("v1," + "A" * 43 + "=" for _ in case["signature"].split(" "))
    for changes in (
        {"id": case["id"] + "0"},
        {"at": str(at + 1)},
        {"body": case["body"] + " "},
        {"at": str(at - 400)},
        {"signature": forged},
    ):
        refused += is_refused(case, **changes)
for case in cases["bad"]:
    refused += is_refused(case)
print(json.dumps({"accepted": accepted, "refused": refused}))
