#!/usr/bin/env bash
# Two controllers that each add a finalizer to a new object: one with `handleResourceFinalizer` of @dot-i/k8s-operator 1.3.9, and
# one for backups, a moment before. A stand-in for the API server applies the merge patch as Kubernetes does.
# Guess: both finalizers stay. A list can be changed by a patch that tests it, by resourceVersion, or by server-side apply.
# Seen:  the first is gone. The package patches the whole list that it saw in its event, without the resourceVersion, when it
#        adds its own finalizer and again when it removes it. The object is then deleted without the backup that its
#        finalizer was there for, and no log names who removed it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @dot-i/k8s-operator@1.3.9 >/dev/null 2>&1
cat >operate.mjs <<'EOF'
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import operators from '@dot-i/k8s-operator';

const database = {
  apiVersion: 'example.com/v1',
  kind: 'Database',
  metadata: { name: 'orders', namespace: 'shop', resourceVersion: '1', finalizers: [] },
};
const server = createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url.includes('watch=true')) {
    response.write(`${JSON.stringify({ type: 'ADDED', object: database })}\n`);
    database.metadata.finalizers = ['example.com/backup'];
    database.metadata.resourceVersion = '2';
    return;
  }
  let text = '';
  for await (const part of request) text += part;
  const { resourceVersion, finalizers } = JSON.parse(text).metadata;
  console.log(request.method, request.headers['content-type'], 'resourceVersion', resourceVersion);
  database.metadata.finalizers = finalizers;
  response.end(JSON.stringify(database));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const config = {
  'current-context': 'c',
  clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${server.address().port}` } }],
  users: [{ name: 'c', user: {} }],
  contexts: [{ name: 'c', context: { cluster: 'c', user: 'c' } }],
};
writeFileSync('config', JSON.stringify(config));
process.env.KUBECONFIG = 'config';

class DatabaseOperator extends operators.default {
  async init() {
    await this.watchResource('example.com', 'v1', 'databases', async (event) => {
      await this.handleResourceFinalizer(event, 'example.com/database', async () => undefined);
      console.log('finalizers:', database.metadata.finalizers.join());
      process.exit();
    });
  }
}
await new DatabaseOperator().start();
EOF
node operate.mjs | tee seen
diff seen - <<'EOF'
PATCH application/merge-patch+json resourceVersion undefined
finalizers: example.com/database
EOF
