#!/usr/bin/env bash
# The command that the npm package k8s 0.4.15 runs to scale a Deployment. The script passes a program that
# prints its arguments in the place of kubectl.
# Guess: scale --replicas=3 deployments web.
# Seen:  scale --replicas=3 replicationcontrollers web. The package offers `scale` for Deployments and always
#        names the other kind, so the Deployment keeps its replicas.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund k8s@0.4.15 >/dev/null 2>&1
printf '#!/bin/sh\necho "$@"\n' >kubectl
chmod +x kubectl
cat >scale.js <<'JS'
const { kubectl } = require('k8s');
const { deployment } = kubectl({ binary: './kubectl', kubeconfig: 'config' });
(async () => {
  console.log((await deployment.scale('web', 3)).trim());
})();
JS
node scale.js 2>/dev/null | tee seen
diff seen - <<'OUT'
--kubeconfig=config scale --replicas=3 replicationcontrollers web
OUT
