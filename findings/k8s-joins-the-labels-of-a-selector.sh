#!/usr/bin/env bash
# The command that the npm package k8s 0.4.15 runs to list pods by two labels. The script passes a program that
# prints its arguments as a list of pods in the place of kubectl.
# Guess: --selector=app=web,tier=front.
# Seen:  --selector=app=webtier=front. The package writes no comma between the labels.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund k8s@0.4.15 >/dev/null 2>&1
printf '#!/bin/sh\necho "{\\"items\\":[\\"$4\\"]}"\n' >kubectl
chmod +x kubectl
cat >list.js <<'JS'
const { kubectl } = require('k8s');
const { pod } = kubectl({ binary: './kubectl', kubeconfig: 'config' });
(async () => {
  for (const labels of [{ app: 'web' }, { app: 'web', tier: 'front' }]) console.log((await pod.list(labels)).items[0]);
})();
JS
node list.js 2>/dev/null | tee seen
diff seen - <<'OUT'
--selector=app=web
--selector=app=webtier=front
OUT
