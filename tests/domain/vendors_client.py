"""Calls the processor of the suites with the client of the real one's makers. Says a line of JSON for each part;
reads one when the other side has done its own."""

import json
import sys
import time

import stripe
from stripe import StripeClient, WebhookSignature

address, secret = sys.argv[1:]
client = StripeClient("sk_test_suites", base_addresses={"api": address}, max_network_retries=0).v1


def say(**what):
    print(json.dumps(what), flush=True)


def refused(call):
    try:
        call()
    except stripe.StripeError as error:
        return error
    raise AssertionError("it was not refused")


def card(customer, number):
    return client.payment_methods.attach(f"tok_{number}", {"customer": customer}).id


account = client.accounts.create({"type": "express", "metadata": {"nil_owner": "m:athlete:1"}})
assert account.payouts_enabled is False and account.requirements.currently_due
say(account=account.id)
sys.stdin.readline()

customer = client.customers.create({"metadata": {"nil_owner": "m:partner:1"}}).id
good, poor = card(customer, "4242424242424242"), card(customer, "4000000000009995")


def charge(method, key, amount=10_000):
    return client.payment_intents.create(
        {"amount": amount, "currency": "usd", "customer": customer, "payment_method": method, "confirm": True,
         "off_session": True, "metadata": {"nil_key": key}, "expand": ["latest_charge.balance_transaction"]},
        {"idempotency_key": key})


intent = charge(good, "m:charge:1:1")
again = charge(good, "m:charge:1:1")
other = refused(lambda: charge(good, "m:charge:1:1", 9_999))
assert isinstance(other, stripe.IdempotencyError), other
declined = refused(lambda: charge(poor, "m:charge:2:1"))
assert isinstance(declined, stripe.CardError), declined
refund = client.refunds.create({"payment_intent": intent.id, "amount": 500, "metadata": {"nil_key": "m:refund:1:1"}})
too_much = refused(lambda: client.refunds.create({"payment_intent": intent.id, "amount": 9_501}))

transfers = [client.transfers.create({"amount": 700, "currency": "usd", "destination": account.id}) for _ in range(2)]
at_the_account = {"stripe_account": account.id}
payout = client.payouts.create({"amount": 700, "currency": "usd"}, at_the_account)
early = refused(lambda: client.payouts.create({"amount": 701, "currency": "usd"}, at_the_account))
reversal = client.transfers.reversals.create(transfers[1].id)
assert client.payouts.retrieve(payout.id, None, at_the_account).status == "in_transit"
missing = refused(lambda: client.payouts.retrieve(payout.id))

# A charge, a refund, two transfers and a reversal; the lists have small pages.
lines = list(client.balance_transactions.list({"limit": 100, "expand": ["data.source"]}).auto_paging_iter())
kinds = [line.type for line in lines]
assert kinds == ["transfer_refund", "transfer", "transfer", "refund", "charge"], kinds
assert lines[-1].source.payment_intent == intent.id
say(intent=intent.id, status=intent.status, fee=intent.latest_charge.balance_transaction.fee, pages=len(lines),
    declined=[declined.code, declined.json_body["error"]["decline_code"]],
    other_parameters=other.error.type, again=again.id, refund=refund.status, too_much=too_much.code,
    payout=payout.status, early=early.code, reversed=reversal.amount, missing=missing.http_status)

verified = refusals = 0
for event in json.loads(sys.stdin.readline()):
    read = stripe.Webhook.construct_event(event["body"], event["header"], secret)
    assert read.type == event["kind"], read
    verified += 1
    refusals += isinstance(
        refused(lambda: WebhookSignature.verify_header(event["body"] + " ", event["header"], secret)),
        stripe.SignatureVerificationError)
body = json.dumps({"id": "evt_theirs", "type": "refund.updated", "data": {"object": {"id": "re_ü"}}},
                  ensure_ascii=False)
at = int(time.time())
mark = WebhookSignature._compute_signature(f"{at}.{body}", secret)
say(verified=verified, refused=refusals, header=f"t={at},v1={mark}", body=body)
