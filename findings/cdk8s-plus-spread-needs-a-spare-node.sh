#!/usr/bin/env bash
# `scheduling.spread()` of a Deployment in cdk8s-plus-33 2.5.57 (cdk8s 2.70.106), everything else left at its default.
# Guess: spreading is a preference or a topology spread constraint, so that an update still finds a node for its surge pod.
# Seen:  a required anti-affinity of the pods against themselves, one per node. The defaults beside it are 2 replicas and
#        25 % for both numbers of the rolling update, of which the controller makes one surge pod and no unavailable one.
#        On two nodes the first version runs, and no update can ever start: the new pod waits for the node of an old one,
#        which waits for the new pod.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cdk8s@2.70.106 cdk8s-plus-33@2.5.57 constructs@10.4.2 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { Chart, Testing } from 'cdk8s';
import { Deployment } from 'cdk8s-plus-33';
const chart = new Chart(Testing.app(), 'shop');
new Deployment(chart, 'web', { containers: [{ image: 'web:1' }] }).scheduling.spread();
const [{ spec }] = Testing.synth(chart);
const [term] = spec.template.spec.affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution;
const own = JSON.stringify(term.labelSelector.matchLabels) === JSON.stringify(spec.template.metadata.labels);
console.log(spec.replicas, JSON.stringify(spec.strategy.rollingUpdate), term.topologyKey, own);
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
2 {"maxSurge":"25%","maxUnavailable":"25%"} kubernetes.io/hostname true
EOF
