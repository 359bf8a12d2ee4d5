#!/usr/bin/env bash
# A Service in the short form of @jkcfg/kubernetes 0.6.0 that sends traffic to local pods only and returns a client to its pod for a minute.
# The modules of jk are bundled by esbuild 0.25.12, so that Node.js runs them.
# Guess: externalTrafficPolicy and sessionAffinity in the spec, or an error for a field that is not supported.
# Seen:  neither is in the Service. They are placed beside the spec, and the constructor of the Service takes only the spec. A client
#        reaches another pod with its next request, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @jkcfg/kubernetes@0.6.0 @jkcfg/std@0.3.2 esbuild@0.25.12 >/dev/null 2>&1
cat >expand.js <<'JS'
import { long } from '@jkcfg/kubernetes/short/index.js';
const limits = { route_policy: 'node-local', stickiness: 60 };
console.log(JSON.stringify(long({ service: { name: 'web', type: 'load-balancer', selector: { app: 'web' }, ...limits } })));
JS
npx esbuild expand.js --bundle --platform=node --format=esm --log-level=error --outfile=bundle.mjs
node bundle.mjs | tee seen
diff seen - <<'OUT'
{"apiVersion":"v1","kind":"Service","metadata":{"name":"web"},"spec":{"type":"LoadBalancer","selector":{"app":"web"}}}
OUT
