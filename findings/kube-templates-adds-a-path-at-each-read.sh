#!/usr/bin/env bash
# The manifests of one application from @cubos/kube-templates 1.0.1130932, read three times, as a program does that writes them to a
# file and shows them too. `yaml` is a property, not a function.
# Guess: the same text each time.
# Seen:  each read adds the public address to the application once more, so the Ingress has one, two, and then three equal paths. What is
#        written depends on how often it was shown before, and a comparison with what runs always finds a change.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @cubos/kube-templates@1.0.1130932 js-yaml@4.1.1 >/dev/null 2>&1
cat >read.js <<'JS'
const { StatelessApp } = require('@cubos/kube-templates');
const { loadAll } = require('js-yaml');
const amounts = { cpu: { request: '1', limit: '1' }, memory: { request: '1Gi', limit: '1Gi' } };
const ports = [{ type: 'http', port: 80, publicUrl: 'http://web.example' }];
const app = new StatelessApp({ name: 'web' }, { image: 'web:1', ...amounts, ports });
for (const read of [1, 2, 3]) {
  const ingress = loadAll(app.yaml).find((object) => object?.kind === 'Ingress');
  console.log(`read ${read}: paths ${ingress.spec.rules[0].http.paths.map(({ path }) => path).join(', ')}`);
}
JS
node read.js | tee seen
diff seen - <<'OUT'
read 1: paths /
read 2: paths /, /
read 3: paths /, /, /
OUT
