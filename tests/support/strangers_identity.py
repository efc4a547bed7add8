"""A stranger's identity provider (oidc-provider-mock) at a free port, with one person."""

import json
import os
import sys

# Without it the library refuses plain http.
os.environ['AUTHLIB_INSECURE_TRANSPORT'] = '1'

import oidc_provider_mock  # noqa: E402
from werkzeug.serving import make_server  # noqa: E402

person = json.loads(sys.argv[1])
user = oidc_provider_mock.User(sub=person.pop('sub'), claims=person)
server = make_server('127.0.0.1', 0, oidc_provider_mock.app(require_nonce=True, user_claims=[user]), threaded=True)
print(f'Running on http://127.0.0.1:{server.port}', flush=True)
server.serve_forever()
