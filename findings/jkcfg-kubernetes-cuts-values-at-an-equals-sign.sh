#!/usr/bin/env bash
# Environment variables of a Deployment in the short form of @jkcfg/kubernetes 0.6.0, written as `NAME=value`. The modules of jk are bundled
# by esbuild 0.25.12, so that Node.js runs them.
# Guess: the name ends at the first equals sign, and the value is the rest.
# Seen:  the value ends at the second one. The address of a database loses the value of its first option, and Java's options lose theirs, in
#        a manifest that the API server accepts.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @jkcfg/kubernetes@0.6.0 @jkcfg/std@0.3.2 esbuild@0.25.12 >/dev/null 2>&1
cat >expand.js <<'JS'
import { long } from '@jkcfg/kubernetes/short/index.js';
const env = ['PORT=8080', 'DATABASE=postgres://db/web?sslmode=require', 'JAVA_OPTS=-Dmode=batch'];
const deployment = long({ deployment: { name: 'web', containers: [{ name: 'web', image: 'web:1', env }] } });
for (const { name, value } of deployment.spec.template.spec.containers[0].env) console.log(`${name}: ${value}`);
JS
npx esbuild expand.js --bundle --platform=node --format=esm --log-level=error --outfile=bundle.mjs
node bundle.mjs | tee seen
diff seen - <<'OUT'
PORT: 8080
DATABASE: postgres://db/web?sslmode
JAVA_OPTS: -Dmode
OUT
