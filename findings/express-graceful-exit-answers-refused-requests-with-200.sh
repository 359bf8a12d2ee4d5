#!/usr/bin/env bash
# Two orders over one connection, as an ingress keeps it open, while the pod exits with express-graceful-exit 0.5.2 (express 4.22.1)
# and its defaults. The first order is being stored when the exit begins; the second one comes after it.
# Guess: the second order is answered with 503, or its connection is closed: the package documents that it refuses requests during the
#        exit, by default by dropping them.
# Seen:  200 with an empty body, and no handler has run. The client takes the order for done, a mesh sees nothing to retry, and the
#        rate of errors stays zero: the rolling update that loses requests looks like one that does not.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund express-graceful-exit@0.5.2 express@4.22.1 >/dev/null 2>&1
cat >orders.mjs <<'JS'
import { Agent, request } from 'node:http';
import express from 'express';
import gracefulExit from 'express-graceful-exit';

const app = express();
app.use(gracefulExit.middleware(app));
let stored = 0;
let exit;
app.post('/orders', (_, response) => {
  exit?.();
  setTimeout(() => response.status(201).send(`order ${++stored}`), 100);
});
const server = app.listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));
gracefulExit.init(server);
const { port } = server.address();
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const order = () =>
  new Promise((done) => {
    const call = request({ host: '127.0.0.1', port, path: '/orders', method: 'POST', agent }, async (response) => {
      let body = '';
      for await (const part of response.setEncoding('utf8')) body += part;
      done(`${response.statusCode} ${JSON.stringify(body)}`);
    });
    call.on('error', ({ code }) => done(code)).end();
  });
console.log('before the exit:', await order());
exit = () => {
  exit = undefined;
  gracefulExit.gracefulExitHandler(app, server, { exitProcess: false });
};
for (const answer of await Promise.all([order(), order()])) console.log('during the exit:', answer);
console.log('stored:', stored);
process.exit();
JS
node orders.mjs | tee seen
diff seen - <<'OUT'
before the exit: 201 "order 1"
during the exit: 201 "order 2"
during the exit: 200 ""
stored: 2
OUT
