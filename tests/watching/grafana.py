"""Grafana's own types read the dashboard and write the same again. Usage: grafana.py DASHBOARD"""

import json
import pathlib
import sys

from grafana_foundation_sdk.cog import plugins
from grafana_foundation_sdk.cog.encoder import JSONEncoder
from grafana_foundation_sdk.models.dashboard import Dashboard


def lost(ours, theirs, path=''):
    """What they do not know, or know otherwise. What they add are defaults."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        for key, value in ours.items():
            yield from lost(value, theirs[key], f'{path}/{key}') if key in theirs else [f'{path}/{key}']
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        for number, (one, other) in enumerate(zip(ours, theirs)):
            yield from lost(one, other, f'{path}/{number}')
    elif ours != theirs:
        yield path


plugins.register_default_plugins()
ours = json.loads(pathlib.Path(sys.argv[1]).read_text())
theirs = json.loads(JSONEncoder().encode(Dashboard.from_json(ours)))
assert not list(lost(ours, theirs)), list(lost(ours, theirs))
# They would be no help if they kept whatever they are given.
wrong = {**ours, 'panles': [], 'panels': [{**ours['panels'][1], 'titel': 'x'}]}
assert list(lost(wrong, json.loads(JSONEncoder().encode(Dashboard.from_json(wrong))))) == ['/panels/0/titel', '/panles']
