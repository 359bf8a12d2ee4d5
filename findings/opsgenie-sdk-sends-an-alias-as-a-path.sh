#!/usr/bin/env bash
# Alerts whose alias names a rollout by namespace and name, or by number, closed through opsgenie-sdk 0.5.1.
# Guess: the SDK encodes the alias, so that the server gets POST /v2/alerts/shop%2Fweb/close/?identifierType=alias.
# Seen:  it does not. `shop/web` becomes two parts of the path, an address that the API does not have. Of `web#2` the part from `#`
#        on is not sent, so the request names neither the action nor the type of the identifier. An alert can be created with such
#        an alias, because the alias is in the body then, but not closed.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund opsgenie-sdk@0.5.1 >/dev/null 2>&1
cat >close.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import opsgenie from 'opsgenie-sdk';

const server = createServer((request, response) => {
  console.log(request.method, request.url);
  request.resume();
  response.writeHead(202, { 'content-type': 'application/json' }).end('{"result":"Request will be processed"}');
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
opsgenie.configure({ host: `http://127.0.0.1:${server.address().port}`, api_key: 'key' });
for (const identifier of ['web', 'shop/web', 'web#2']) {
  await new Promise((done) => {
    opsgenie.alertV2.close({ identifier, identifierType: 'alias' }, { note: 'recovered' }, {}, done);
  });
}
process.exit();
EOF
node --no-warnings close.mjs | tee seen
diff seen - <<'EOF'
POST /v2/alerts/web/close/?identifierType=alias
POST /v2/alerts/shop/web/close/?identifierType=alias
POST /v2/alerts/web
EOF
