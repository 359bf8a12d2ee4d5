#!/usr/bin/env bash
# A Deployment from @cubos/kube-templates 1.0.1130932 whose two pods must not share a node (`affinity`) and which runs on nodes of one
# kind (`nodeAffinityMode`).
# Guess: both rules are in the pod, as one is an affinity to nodes and the other one to pods; or an error if they exclude each other.
# Seen:  the second option replaces the whole `affinity`, without an error. Both pods may run on one node, and on the cheap nodes that
#        are taken away at any time both replicas leave together.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @cubos/kube-templates@1.0.1130932 js-yaml@4.1.1 >/dev/null 2>&1
cat >write.js <<'JS'
const { StatelessApp } = require('@cubos/kube-templates');
const { loadAll } = require('js-yaml');
const ofPods = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };
const amounts = { cpu: { request: '1', limit: '1' }, memory: { request: '1Gi', limit: '1Gi' } };
const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [ofPods] } };
for (const nodeAffinityMode of [undefined, 'spot']) {
  const app = new StatelessApp({ name: 'web' }, { image: 'web:1', replicas: 2, ...amounts, affinity, nodeAffinityMode });
  const deployment = loadAll(app.yaml).find((object) => object?.kind === 'Deployment');
  console.log(`mode ${nodeAffinityMode}: ${Object.keys(deployment.spec.template.spec.affinity)}`);
}
JS
node write.js | tee seen
diff seen - <<'OUT'
mode undefined: podAntiAffinity
mode spot: nodeAffinity
OUT
