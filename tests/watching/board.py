"""Reads the dashboard and the rules, for the two checks beside it."""

import json
import re

# Documented figures that a server shows only after what `run` does not bring about, each with what that is.
AFTER_AN_EVENT: dict[str, str] = {
    'nil_delivery_reports_total': 'a mail service or a provider reports what became of a message',
    'nil_outbox_attempts_total': 'a mail server or a provider is set, and a message is handed to it',
    'nil_partition_room_rows': 'the database is one of PostgreSQL',
    'nil_replica_age_seconds': 'a replica of the database is set',
    'nil_replica_reads_total': 'a replica of the database is set, and something is searched',
    'nil_sign_on_total': 'an identity provider is set, and somebody signs on',
    'nil_telemetry_batches_total': 'a collector is set, and a batch is sent to it',
    'nil_webhook_deliveries_total': 'an endpoint of webhooks gets its first event',
}

# What a label says is no name of a figure.
QUOTED = re.compile(r'"[^"]*"')
NAME = re.compile(r'\b(?:nil|process)_[a-z_]+\b')


def panels(top):
    """Each panel's title with one of its expressions, as Grafana would send it."""
    board = json.loads((top / 'packaging/prometheus/nil.dashboard.json').read_text())
    for panel in board['panels']:
        for target in panel.get('targets', []):
            yield panel['title'], target['expr'].replace('$job', 'nil').replace('$__rate_interval', '15s')


def rules(top):
    return (top / 'packaging/prometheus/nil.rules.yml').read_text()


def names(text):
    return set(NAME.findall(QUOTED.sub('', text)))
