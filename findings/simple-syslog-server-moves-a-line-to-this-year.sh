#!/usr/bin/env bash
# Two lines for simple-syslog-server 1.0.0: one with the date of RFC 3164, which has no year, and one with a
# full date (RFC 3339) of March 2019.
# Guess: this year for the first line, and 2019 for the second.
# Seen:  this year for both. The server replaces the year of each date, so a stored line is dated years too
#        late.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund simple-syslog-server@1.0.0 >/dev/null 2>&1
cat >years.js <<'JS'
const { createSocket } = require('node:dgram');
const { once } = require('node:events');
const { UDP } = require('simple-syslog-server');
(async () => {
  const service = UDP({ type: 'udp4' });
  await service.listen({ port: 0, address: '127.0.0.1' });
  const client = createSocket('udp4');
  for (const date of ['Mar  1 10:00:00', '2019-03-01T10:00:00Z']) {
    client.send(`<13>${date} node-1 kubelet: started`, service.server.address().port, '127.0.0.1');
    const [{ timestamp }] = await once(service.server, 'msg');
    const year = timestamp.getFullYear();
    console.log(`${date}: ${year === new Date().getFullYear() ? 'this year' : year}`);
  }
  client.close();
  await service.close();
})();
JS
timeout 60 node years.js | tee seen
diff seen - <<'OUT'
Mar  1 10:00:00: this year
2019-03-01T10:00:00Z: this year
OUT
