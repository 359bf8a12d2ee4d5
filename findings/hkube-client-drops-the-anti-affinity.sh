#!/usr/bin/env bash
# A node selector, applied by @hkube/kubernetes-client 2.0.9 to a Deployment whose pods must run on nodes of their own.
# Guess: the selector is added, as nodeSelector or as node affinity, and the rule that keeps the pods apart stays.
# Seen:  the node affinity takes the place of the whole affinity. The pods may share a node from then on, and one node that is lost stops all of
#        them, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @hkube/kubernetes-client@2.0.9 >/dev/null 2>&1
cat >select.js <<'JS'
const { utils } = require('@hkube/kubernetes-client');
const term = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
const deployment = { spec: { template: { spec: { affinity, containers: [{ name: 'web', image: 'web:1' }] } } } };
const selected = utils.applyNodeSelector(deployment, { disk: 'ssd' });
console.log('before:', Object.keys(deployment.spec.template.spec.affinity).join(', '));
console.log('after: ', Object.keys(selected.spec.template.spec.affinity).join(', '));
JS
node select.js | tee seen
diff seen - <<'OUT'
before: podAntiAffinity
after:  nodeAffinity
OUT
