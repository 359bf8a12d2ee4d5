#!/usr/bin/env bash
# A pod with two services bound by the Service Binding Specification of Kubernetes, each a folder with a file `type`, read by
# kube-service-bindings 2.1.0.
# Guess: `getBinding('REDIS', 'ioredis')` returns the binding of type `redis`, and `id: 'cache'` names the folder `cache`.
# Seen:  Redis is found only if its folder comes first in the alphabet: at the folder of another type the search ends, and the error
#        "No Binding Found" names no cause. A second service stops the start of a pod that worked with one. And `id` is a part of
#        the name: `cache` selects `big-cache`, so the pod connects to the other Redis.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund kube-service-bindings@2.1.0 >/dev/null 2>&1
bind() {
  mkdir -p "$1"
  printf %s "$2" >"$1/type"
  printf %s "$(basename "$1").example.com" >"$1/host"
}
bind one/cache redis
bind two/cache redis
bind two/orders kafka
bind three/cache redis
bind three/audit kafka
bind four/cache redis
bind four/big-cache redis
cat >read.mjs <<'EOF'
import { readdirSync } from 'node:fs';
import { getBinding } from 'kube-service-bindings';
for (const root of ['one', 'two', 'three', 'four']) {
  process.env.SERVICE_BINDING_ROOT = root;
  let found;
  try {
    found = getBinding('REDIS', 'ioredis', { id: 'cache' }).host;
  } catch (error) {
    found = error.message;
  }
  console.log(`${readdirSync(root).join(', ')}: ${found}`);
}
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
cache: cache.example.com
cache, orders: cache.example.com
audit, cache: No Binding Found
big-cache, cache: big-cache.example.com
EOF
