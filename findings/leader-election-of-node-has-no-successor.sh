#!/usr/bin/env bash
# Two replicas of a bot that elect a leader by a Lease of Kubernetes with @codedependant/kubernetes-leader-election 1.0.1. The
# leader stops as in a rolling update, and gives the Lease back.
# Guess: the other replica takes over at once, because it watches the Lease, or else after the lease duration.
# Seen:  it never does. It tries for the first seconds after its own start and when somebody deletes the Lease, but not when the
#        holder leaves or the Lease expires: after a rollout every replica runs and none works. The Lease also has no
#        `leaseDurationSeconds`, because the library writes another name.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @codedependant/kubernetes-leader-election@1.0.1 >/dev/null 2>&1
cat >elect.mjs <<'EOF'
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Elector } from '@codedependant/kubernetes-leader-election';

let lease;
let version = 0;
const watchers = [];
const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url.includes('watch=true')) {
    watchers.push(response);
    response.flushHeaders();
  } else if (request.method === 'GET') {
    response.statusCode = lease ? 200 : 404;
    response.end(JSON.stringify(lease ?? { kind: 'Status', code: 404 }));
  } else {
    let text = '';
    for await (const part of request) text += part;
    version += 1;
    lease = JSON.parse(text);
    lease.metadata.resourceVersion = `${version}`;
    response.end(JSON.stringify(lease));
    for (const watcher of watchers) watcher.write(`${JSON.stringify({ type: 'MODIFIED', object: lease })}\n`);
  }
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const cluster = { server: `http://127.0.0.1:${server.address().port}`, 'insecure-skip-tls-verify': true };
const config = {
  'current-context': 'c',
  clusters: [{ name: 'c', cluster }],
  users: [{ name: 'c', user: {} }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
};
writeFileSync('config', JSON.stringify(config));
Object.assign(process.env, { KUBECONFIG: 'config', KUBERNETES_SERVICE_HOST: '127.0.0.1' });

const replicaOf = (identity) =>
  new Elector({ identity, auto_close: false, lease_duration_sec: 2, renew_interval_ms: 1000 });
const [first, second] = [replicaOf('first'), replicaOf('second')];
await first.start();
while (!first.current_leader) await sleep(100);
await second.start();
await sleep(5000);
console.log('while the first leads:', first.current_leader, second.current_leader, lease.spec.leaseDurationSeconds);
await first.stop();
await sleep(12000);
console.log('12 seconds after it stopped:', second.current_leader, lease.spec.holderIdentity);
process.exit();
EOF
node elect.mjs | tee seen
diff seen - <<'EOF'
while the first leads: true false undefined
12 seconds after it stopped: false null
EOF
