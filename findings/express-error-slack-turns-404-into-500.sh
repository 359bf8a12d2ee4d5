#!/usr/bin/env bash
# A route of express 4.22.1 fails with an error that has the statusCode 404, with and without the middleware
# of express-error-slack 2.0.0, which is to report errors. A local server answers in place of Slack.
# Guess: the client receives 404 in both cases, and the message to Slack states 404.
# Seen:  with the middleware, the client receives 500, and the message to Slack states 500. The middleware
#        writes 500 into each error that has no field status.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund express-error-slack@2.0.0 express@4.22.1 >/dev/null 2>&1
cat >run.js <<'JS'
const http = require('node:http');
const express = require('express');
const errorToSlack = require('express-error-slack');
const listen = (server) => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
let reported;
const slack = http.createServer(async (request, response) => {
  const { attachments } = JSON.parse(Buffer.concat(await request.toArray()));
  reported = attachments[0].fields.find(({ title }) => title === 'Status Code').value;
  response.end('ok');
});
const ask = async (reports) => {
  const app = express();
  app.set('env', 'test');
  app.get('/', () => {
    throw Object.assign(new Error('no such order'), { statusCode: 404 });
  });
  if (reports) app.use(errorToSlack({ webhookUri: `http://127.0.0.1:${slack.address().port}` }));
  const server = http.createServer(app);
  await listen(server);
  const { status } = await fetch(`http://127.0.0.1:${server.address().port}/`);
  console.log(`${reports ? 'with' : 'without'} the middleware: ${status}`);
};
listen(slack).then(() => ask(false)).then(() => ask(true)).then(() => setTimeout(() => {
  console.log(`to Slack: ${reported}`);
  process.exit(0);
}, 500));
JS
node --no-deprecation run.js | tee seen
diff seen - <<'OUT'
without the middleware: 404
with the middleware: 500
to Slack: 500
OUT
