"""Asks a Prometheus for what each panel shows, and for what the rules say of a server that is well.
Usage: panels.py TOP PROCESS-OF-PROMETHEUS ADDRESS-OF-THE-SERVER, in the folder with prometheus.log"""

import json
import os
import pathlib
import re
import sys
import time
import urllib.parse
import urllib.request

import board

top, process, server = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
# A machine that does much else is slow, not wrong.
DEADLINE = time.monotonic() + 180
# What a server that is well has nothing to show for.
EMPTY = {'Runs that did not end well', 'Failing operations'}
# The demonstration's year ends with a difference from the statement that is days old, and nobody has verified it; both
# have a while to go.
PENDING = {'NilStatementDiffers', 'NilUnverified'}


def awaited(what, look):
    while True:
        found = look()
        if found:
            return found
        assert time.monotonic() < DEADLINE, f'no {what} in time'
        os.kill(process, 0)
        time.sleep(0.2)


def address():
    log = pathlib.Path('prometheus.log').read_text()
    return re.search(r'msg="Listening on" address=(\S+)', log)


base = f'http://{awaited("address", address)[1]}/api/v1'


def get(path, **query):
    with urllib.request.urlopen(f'{base}/{path}?{urllib.parse.urlencode(query)}') as answer:
        return json.load(answer)['data']


def asked(expression):
    # There is something to see only where something happens.
    urllib.request.urlopen(f'{server}/admin/updateCsrfToken').close()
    return get('query', query=expression)['result']


def ready():
    try:
        return get('targets')['activeTargets'][0]['health'] == 'up'
    except (OSError, IndexError):
        return False


awaited('figures', ready)
expressions = list(board.panels(top))
for title, expression in expressions:
    if title in EMPTY:
        assert asked(expression) == [], f'{title}: the server is not well'
    elif board.names(expression) <= board.AFTER_AN_EVENT.keys():
        # Prometheus understands it; whether there is something to see depends on what has happened.
        asked(expression)
    else:
        for series in awaited(f'line in the panel "{title}"', lambda: asked(expression)):
            assert series['value'][1] not in ('NaN', '+Inf') or 'quantile' in expression or '/' in expression, title


def evaluated():
    groups = get('rules')['groups']
    rules = [rule for group in groups for rule in group['rules']]
    return rules if rules and all(rule['health'] == 'ok' for rule in rules) else None


rules = awaited('healthy rules', evaluated)
active = awaited('active alert', lambda: [rule for rule in evaluated() or [] if rule['state'] != 'inactive'])
found = {rule['name']: rule['state'] for rule in active}
assert found == dict.fromkeys(PENDING, 'pending'), found
print(f'{len(expressions)} lines of panels and {len(rules)} rules, asked of a Prometheus: {found}')
