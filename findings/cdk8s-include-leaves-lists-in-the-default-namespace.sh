#!/usr/bin/env bash
# The same two ConfigMaps as documents and as the `kind: List` that `kubectl get -o yaml` prints, in the Include of cdk8s 2.70.106,
# in a chart with a namespace and a label.
# Guess: both ConfigMaps get the namespace and the label of the chart in either form.
# Seen:  in a List they get neither. The List itself gets them, and a name, where kubectl ignores them. kubectl creates the objects
#        in the namespace of its current context, and a tool that prunes by the label does not find them.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund cdk8s@2.70.106 constructs@10.4.2 >/dev/null 2>&1
cat >include.mjs <<'EOF'
import { writeFileSync } from 'node:fs';
import { Chart, Include, Testing } from 'cdk8s';
const maps = ['flags', 'limits'].map((name) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } }));
writeFileSync('documents.yaml', maps.map((map) => JSON.stringify(map)).join('\n---\n'));
writeFileSync('list.yaml', JSON.stringify({ apiVersion: 'v1', kind: 'List', items: maps }));
for (const url of ['documents.yaml', 'list.yaml']) {
  const chart = new Chart(Testing.app(), 'shop', { namespace: 'shop', labels: { team: 'web' } });
  new Include(chart, 'maps', { url });
  for (const { items, ...object } of Testing.synth(chart)) {
    for (const { metadata } of items ?? [object]) console.log(url, JSON.stringify(metadata));
  }
}
EOF
node include.mjs | tee seen
diff seen - <<'EOF'
documents.yaml {"labels":{"team":"web"},"name":"flags","namespace":"shop"}
documents.yaml {"labels":{"team":"web"},"name":"limits","namespace":"shop"}
list.yaml {"name":"flags"}
list.yaml {"name":"limits"}
EOF
