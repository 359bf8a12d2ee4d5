#!/usr/bin/env bash
# A service with express-graceful-shutdown 1.1.3 as its description shows it. It receives SIGTERM while a
# request is running, with the variable NODE_ENV and without it. The description does not name the variable.
# Guess: the request ends with its answer in both cases.
# Seen:  without NODE_ENV the process ends at once with code 1, and the request has no answer.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund express-graceful-shutdown@1.1.3 express@4.21.2 >/dev/null 2>&1
cat >stop.js <<'JS'
const { spawn } = require('node:child_process');
const http = require('node:http');
const code = `
const app = require('express')();
const server = require('node:http').createServer(app);
app.use(require('express-graceful-shutdown')(server, { logger: { info() {}, warn() {}, error() {} } }));
app.get('/', (_request, response) => {
  setTimeout(() => response.send('done'), 300);
  process.kill(process.pid, 'SIGTERM');
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;
const run = (name, variables) =>
  new Promise((resolve) => {
    const { NODE_ENV, ...others } = process.env;
    const service = spawn(process.execPath, ['-e', code], { env: { ...others, ...variables }, timeout: 20_000 });
    let result = 'no request';
    service.stdout.once('data', (port) => {
      const request = http.get({ host: '127.0.0.1', port: Number(port), agent: false }, (response) => {
        result = `status ${response.statusCode}`;
        response.resume();
      });
      request.on('error', () => (result = 'no answer'));
    });
    service.on('close', (exitCode) => {
      console.log(`${name}: ${result}, exit code ${exitCode}`);
      resolve();
    });
  });
run('with NODE_ENV', { NODE_ENV: 'production' }).then(() => run('without NODE_ENV', {}));
JS
node stop.js | tee seen
diff seen - <<'OUT'
with NODE_ENV: status 200, exit code 0
without NODE_ENV: no answer, exit code 1
OUT
