#!/usr/bin/env bash
# Lines are written by bunyan-tcp 0.9.5 while its server is away, twice: two lines in the first outage,
# three in the second one. The stream keeps up to 100 lines until it is connected again. A local TCP server
# prints what it receives.
# Guess: five lines in their order, and no dropped line is reported.
# Seen:  two of the three lines of the second outage are lost, and the word undefined is sent in their
#        place. No dropped line is reported.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund bunyan-tcp@0.9.5 >/dev/null 2>&1
cat >run.js <<'JS'
const { once } = require('node:events');
const net = require('node:net');
const { createBunyanStream } = require('bunyan-tcp');
const sockets = [];
const listen = (port) => {
  const server = net.createServer((socket) => {
    sockets.push(socket);
    socket.on('data', (bytes) => process.stdout.write(bytes));
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
};
(async () => {
  const first = await listen(0);
  const { port } = first.address();
  const stream = createBunyanStream({ server: '127.0.0.1', port, reconnectDelay: 200 });
  stream.on('socketError', () => undefined);
  stream.on('dropped_messages', (count) => console.log(`dropped: ${count}`));
  for (const line of [1, 2]) stream.write({ outage: 1, line });
  await once(stream, 'connect');
  await new Promise((resolve) => setTimeout(resolve, 300));
  first.close();
  sockets[0].destroy();
  await once(stream, 'disconnect');
  for (const line of [1, 2, 3]) stream.write({ outage: 2, line });
  await listen(port);
  await once(stream, 'connect');
  setTimeout(() => process.exit(0), 300);
})();
JS
node --no-deprecation run.js | tee seen
diff seen - <<'OUT'
{"outage":1,"line":1}
{"outage":1,"line":2}
{"outage":2,"line":3}
undefined
undefined
OUT
