#!/usr/bin/env bash
# CPU in use, as the metrics API of Kubernetes reports it, and a request, read with k8s-resource-parser 0.2.2. Its README states that it
# reads strings that come from the API.
# Guess: the value in cores, and an error for what Kubernetes refuses.
# Seen:  the other way round. The suffixes `n` and `u`, which the metrics API writes for most pods, are an error, so a pod that uses less than
#        a millicore fails the whole sum. `1e3Mi`, which the API server refuses because it has two suffixes, is 1000 Mi.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund k8s-resource-parser@0.2.2 >/dev/null 2>&1
cat >read.js <<'JS'
const { cpuParser, memoryParser } = require('k8s-resource-parser');
for (const [read, text] of [[cpuParser, '250m'], [cpuParser, '2500000n'], [cpuParser, '250u'], [memoryParser, '1e3Mi']]) {
  try {
    console.log(text, read(text));
  } catch (error) {
    console.log(text, error.message);
  }
}
JS
node read.js | tee seen
diff seen - <<'OUT'
250m 0.25
2500000n Invalid quanity provided.
250u Invalid quanity provided.
1e3Mi 1048576000
OUT
