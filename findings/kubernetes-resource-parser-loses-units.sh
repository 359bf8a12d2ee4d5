#!/usr/bin/env bash
# Quantities of Kubernetes in kubernetes-resource-parser 0.1.0.
# Guess: every quantity that the API server accepts gives its value, or an error.
# Seen:  fractions of memory are cut before the suffix counts (`0.5Gi` is 0), exponents are ignored (`1e9` is 1), and suffixes
#        of CPU other than `m` are dropped (`100u`, 0.0001 cores, is 100 cores). Nothing is refused.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund kubernetes-resource-parser@0.1.0 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { cpuParser, memoryParser } from 'kubernetes-resource-parser';
for (const text of ['100m', '100u', '1k']) console.log('cpu', text, cpuParser(text));
for (const text of ['1Gi', '0.5Gi', '1e9', '128974848000m']) console.log('memory', text, memoryParser(text));
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
cpu 100m 0.1
cpu 100u 100
cpu 1k 1
memory 1Gi 1073741824
memory 0.5Gi 0
memory 1e9 1
memory 128974848000m NaN
EOF
