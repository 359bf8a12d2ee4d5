#!/usr/bin/env bash
# A blocking task of lightship 9.0.4 that fails, in a server of Kubernetes: the first load of its data, and a reload after the
# server was ready.
# Guess: both end the same way: the server shuts down, and the kubelet starts it again.
# Seen:  only the first one does. A task that fails later stays in the list of running tasks: `/ready` answers 500 for ever while
#        `/live` answers 200, and no handler of the server receives the error. The pod gets no traffic, no probe restarts it, and
#        a rollout with such pods waits until its progress deadline.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund lightship@9.0.4 >/dev/null 2>&1
cat >serve.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLightship } from 'lightship';

const probe = createServer().listen(0, '127.0.0.1');
await once(probe, 'listening');
const { port } = probe.address();
probe.close();
await once(probe, 'close');
const lightship = await createLightship({ detectKubernetes: false, port, shutdownDelay: 0 });
const load = async () => {
  await sleep(500);
  throw new Error('the database refused the connection');
};
const [, , task] = process.argv;
if (task === 'reload') {
  lightship.signalReady();
  await lightship.whenFirstReady();
}
lightship.queueBlockingTask(load());
lightship.signalReady();
process.on('exit', () => console.log(`${task}: shuts down ${lightship.isServerShuttingDown()}`));
await sleep(4000);
const statusOf = async (path) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
console.log(`${task}: ready ${await statusOf('/ready')}, live ${await statusOf('/live')}`);
process.exit();
EOF
for task in 'first load' reload; do node serve.mjs "$task" || true; done | tee seen
diff seen - <<'EOF'
first load: shuts down true
reload: ready 500, live 200
reload: shuts down false
EOF
