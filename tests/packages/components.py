"""Holds a list of components against the schema, itself and the tree. Usage: components.py BOM TOP"""

import json
import pathlib
import sys
import tomllib

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

text, top = pathlib.Path(sys.argv[1]).read_text(), pathlib.Path(sys.argv[2])
validator = JsonStrictValidator(SchemaVersion.V1_6)
wrong = validator.validate_str(text)
assert wrong is None, wrong
assert validator.validate_str(text.replace('"required"', '"needed"')) is not None, 'the validator takes everything'

bom = json.loads(text)
components = {one['name']: one for one in bom['components']}
references = {one['bom-ref'] for one in bom['components']} | {bom['metadata']['component']['bom-ref']}
assert {one['ref'] for one in bom['dependencies']} == references
assert {needed for one in bom['dependencies'] for needed in one['dependsOn']} <= references
assert all(one['licenses'] for one in bom['components'])

lock = {(one['name'], one['version']): one for one in tomllib.loads((top / 'Cargo.lock').read_text())['package']}
for one in bom['components']:
    locked = lock[one['name'], one['version']]
    assert one.get('hashes', [{}])[0].get('content') == locked.get('checksum'), one['name']

# What ships, what only builds, and what only tests or another feature need.
scopes = {name: components.get(name, {}).get('scope') for name in
          ['nil-core', 'libsqlite3-sys', 'serde', 'serde_derive', 'cc', 'proptest', 'insta', 'sqlx-mysql']}
assert scopes == {
    'nil-core': 'required', 'libsqlite3-sys': 'required', 'serde': 'required',
    'serde_derive': 'excluded', 'cc': 'excluded',
    'proptest': None, 'insta': None, 'sqlx-mysql': None,
}, scopes
