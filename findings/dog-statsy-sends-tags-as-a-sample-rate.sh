#!/usr/bin/env bash
# Tags of a counter in dog-statsy 1.3.1, whose methods are documented as `.gauge(name, val, [tags])`, `.count(name, val, [tags])` and
# `.incr(name, [val], [tags])`.
# Guess: each line ends with the tag, `|#env:prod`.
# Seen:  `count` has a rate of samples in the place where tags are documented, so the tag is sent as the rate, and the line has no tags. The
#        other two are as documented.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund dog-statsy@1.3.1 >/dev/null 2>&1
cat >send.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const Client = require('dog-statsy');

async function run() {
  const receiver = createSocket('udp4').bind(0, '127.0.0.1');
  await once(receiver, 'listening');
  const client = new Client({ host: '127.0.0.1', port: receiver.address().port });
  for (const method of ['gauge', 'count', 'incr']) {
    client[method]('rollouts', 1, ['env:prod']);
    client.flush();
    const [message] = await once(receiver, 'message');
    console.log(`${method}: ${String(message).trim()}`);
  }
  process.exit();
}
run();
JS
timeout 60 node --no-warnings send.js | tee seen
diff seen - <<'OUT'
gauge: rollouts:1|g|#env:prod
count: rollouts:1|c|@env:prod
incr: rollouts:1|c|#env:prod
OUT
