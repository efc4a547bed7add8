"""Every figure of the dashboard and of the rules is shown by a server, and the dashboard shows every figure of the guide.
Usage: figures.py TOP METRICS"""

import pathlib
import re
import sys

import board

top = pathlib.Path(sys.argv[1])
live = pathlib.Path(sys.argv[2]).read_text()
kinds = dict(re.findall(r'^# TYPE (\S+) (\S+)$', live, re.M))
# Those with a value: a description alone is not shown to anybody.
shown = {re.sub(r'[{ ].*', '', line) for line in live.splitlines() if line and not line.startswith('#')}

expressions = [expression for _, expression in board.panels(top)]
rules = re.sub(r'^\s*(#|summary:|description:|- alert:|- name:).*', '', board.rules(top), flags=re.M)
on_board, in_rules = board.names('\n'.join(expressions)), board.names(rules)
assert len(on_board) > 15 and len(in_rules) > 10, (on_board, in_rules)
unknown = (on_board | in_rules) - shown - board.AFTER_AN_EVENT.keys()
assert not unknown, f'no server shows {sorted(unknown)}'

guide = (top / 'docs/operating.md').read_text()
documented = set(re.findall(r'^\| `(nil_[a-z_]+)', guide, re.M))
counted = {name for name in kinds if name.startswith('nil_')}
differing = documented ^ (counted | board.AFTER_AN_EVENT.keys())
assert not differing, f'the guide and a server differ: {sorted(differing)}'
bare = {re.sub(r'_(bucket|sum|count)$', '', name) if name not in kinds else name for name in on_board}
assert documented <= bare, f'the dashboard does not show {sorted(documented - bare)}'
print(f'{len(bare)} figures on the dashboard, {len(in_rules)} in the rules; a server shows all of them')
