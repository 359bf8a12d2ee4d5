#!/usr/bin/env bash
# A command in a container by `Exec` of @kubernetes/client-node 2.0.1: one that ends with exit code 3, and one whose connection
# breaks halfway, as when a load balancer or an API server restarts.
# Guess: the second ends as well: the callback gets a failure, or the stream of the output ends or fails.
# Seen:  neither happens. The status never comes and the output never ends, so a bot that waits for one of them, as the type
#        invites it to, waits for ever with half of the output. Only the "close" of the returned WebSocket tells of it.
set -euo pipefail
case "$(node --version)" in v20.*) echo "client-node 2.0.1 needs Node 22, and node is $(node --version)."; exit 0 ;; esac
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @kubernetes/client-node@2.0.1 ws@8.18.3 >/dev/null 2>&1
cat >exec.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import { PassThrough } from 'node:stream';
import { Exec, KubeConfig } from '@kubernetes/client-node';
import { WebSocketServer } from 'ws';
const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
let breaks = false;
new WebSocketServer({ server, handleProtocols: (offered) => [...offered][0] }).on('connection', (socket) => {
  const send = (channel, text) => socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
  send(1, 'half of the output');
  setTimeout(() => {
    if (breaks) return socket.terminate();
    send(3, JSON.stringify({ status: 'Failure', details: { causes: [{ reason: 'ExitCode', message: '3' }] } }));
    socket.close();
  }, 200);
});
const config = new KubeConfig();
const url = `http://127.0.0.1:${server.address().port}`;
config.loadFromClusterAndUser({ name: 'test', server: url, skipTLSVerify: true }, { name: 'bot' });
for (breaks of [false, true]) {
  const seen = [];
  const output = new PassThrough();
  output.on('data', (text) => seen.push(`"${text}"`));
  for (const event of ['end', 'error', 'close']) output.on(event, () => seen.push(`${event} of the output`));
  const command = ['cat', '/var/log/web'];
  const status = (result) => seen.push(`status ${result.status}`);
  const socket = await new Exec(config).exec('shop', 'web-1', 'web', command, output, null, null, false, status);
  await new Promise((closed) => socket.addEventListener('close', closed));
  await new Promise((done) => setTimeout(done, 1000));
  console.log(`${breaks ? 'breaks' : 'exits'}: ${seen.join(', ')}`);
}
process.exit();
JS
node exec.mjs | tee seen
diff seen - <<'OUT'
exits: "half of the output", status Failure, end of the output, close of the output
breaks: "half of the output"
OUT
