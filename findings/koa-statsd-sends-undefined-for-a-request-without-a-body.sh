#!/usr/bin/env bash
# A GET and a POST request to koa 2.16.4 with the middleware of koa-statsd 0.0.2, whose description lists
# request.size and the duration of each method. A local UDP server answers in place of StatsD.
# Guess: the size of the GET request is 0 or is not sent, and a duration of each method is sent.
# Seen:  the size of the GET request is the text undefined, which StatsD counts as a bad line, and no
#        duration names its method.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund koa-statsd@0.0.2 koa@2.16.4 koa-convert@2.0.0 >/dev/null 2>&1
cat >run.js <<'JS'
const dgram = require('node:dgram');
const http = require('node:http');
const Koa = require('koa');
const convert = require('koa-convert');
const statsd = require('koa-statsd');
const server = dgram.createSocket('udp4');
server.on('message', (bytes) => console.log(String(bytes).replace(/duration:\d+/, 'duration:N')));
server.bind(0, '127.0.0.1', () => {
  const app = new Koa();
  app.use(convert(statsd({ host: '127.0.0.1', port: server.address().port })));
  app.use((context) => { context.body = 'ok'; });
  const web = http.createServer(app.callback()).listen(0, '127.0.0.1', async () => {
    const url = `http://127.0.0.1:${web.address().port}`;
    await fetch(url);
    await fetch(url, { method: 'POST', body: 'abc' });
    setTimeout(() => process.exit(0), 500);
  });
});
JS
node --no-deprecation run.js | tee seen
diff seen - <<'OUT'
request.count:1|c
request.GET.count:1|c
request.size:undefined|ms
request.addresses:127.0.0.1|s
request.duration:N|ms
request.count:1|c
request.POST.count:1|c
request.size:3|ms
request.addresses:127.0.0.1|s
request.duration:N|ms
OUT
