#!/usr/bin/env bash
# A pod in a rolling update: a request that takes three seconds is running when SIGTERM comes, in a server with
# @gquittet/graceful-server 5.2.17, its mode for Kubernetes and `closePromises`, which disconnects the database.
# Guess: the request is answered, then the database is disconnected, then the process ends. The grace period of the pod is 30 seconds.
# Seen:  after `timeout`, one second by default, the database is disconnected while the request still needs it, and then its
#        connection is destroyed: the client gets no answer. The library waits for a time and never for requests, so every
#        request slower than that fails in every rolling update.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @gquittet/graceful-server@5.2.17 >/dev/null 2>&1
cat >server.mjs <<'JS'
import { createServer } from 'node:http';
import gracefulServer from '@gquittet/graceful-server';

let database = 'connected';
const server = createServer((request, response) => {
  process.send('request begins');
  setTimeout(() => response.end(`database ${database}`), Number(request.url.slice(1)));
});
const closePromises = [async () => process.send(`database ${(database = 'disconnected')}`)];
const graceful = gracefulServer(server, { kubernetes: true, closePromises });
server.listen(0, '127.0.0.1', () => {
  graceful.setReady();
  process.send(server.address().port);
});
JS
cat >update.mjs <<'JS'
import { fork } from 'node:child_process';

for (const duration of [100, 3000]) {
  const pod = fork('server.mjs');
  const ended = new Promise((done) => pod.once('exit', done));
  const port = await new Promise((done) => pod.once('message', done));
  const answer = fetch(`http://127.0.0.1:${port}/${duration}`).then(
    (response) => response.text(),
    () => 'connection lost',
  );
  await new Promise((done) => pod.once('message', done));
  const events = [answer.then((text) => `answer: ${text}`), new Promise((done) => pod.once('message', done))];
  const order = [];
  for (const event of events) void event.then((what) => order.push(what));
  pod.kill('SIGTERM');
  await Promise.all([...events, ended]);
  console.log(`a request of ${duration} ms: ${order.join(', ')}`);
}
JS
node update.mjs | tee seen
diff seen - <<'OUT'
a request of 100 ms: answer: database connected, database disconnected
a request of 3000 ms: database disconnected, answer: connection lost
OUT
