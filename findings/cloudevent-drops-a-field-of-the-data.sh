#!/usr/bin/env bash
# An event whose data are a kubeconfig, written as JSON by cloudevent 0.10.0. A cluster of a kubeconfig may
# have the field extensions.
# Guess: the data of the event are unchanged.
# Seen:  each field extensions is left out, at each depth of the data, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund cloudevent@0.10.0 >/dev/null 2>&1
cat >run.js <<'JS'
const { CloudEvent } = require('cloudevent');
const cluster = { server: 'https://shop', extensions: [{ name: 'minikube' }] };
const event = new CloudEvent('1', 'kubeconfig.changed', '/doctor', { clusters: [{ name: 'shop', cluster }] });
console.log(`payload: ${JSON.stringify(event.payload)}`);
console.log(`written: ${JSON.stringify(JSON.parse(event.serialize()).data)}`);
JS
node run.js | tee seen
diff seen - <<'OUT'
payload: {"clusters":[{"name":"shop","cluster":{"server":"https://shop","extensions":[{"name":"minikube"}]}}]}
written: {"clusters":[{"name":"shop","cluster":{"server":"https://shop"}}]}
OUT
