#!/usr/bin/env bash
# Changes of manifests by deep-diff-pizza 1.0.2, which returns the differences of two JSON objects: the
# number of replicas, a removed volume type, a removed selector, and a list without rules that becomes null.
# Guess: one difference each.
# Seen:  an empty map, an empty list and null are in no difference, neither before nor after it. A selector
#        of all pods and no selector are the same.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund deep-diff-pizza@1.0.2 >/dev/null 2>&1
cat >run.js <<'JS'
const diff = require('deep-diff-pizza');
for (const [before, after] of [
  [{ replicas: 1 }, { replicas: 2 }],
  [{ volume: { name: 'cache', emptyDir: {} } }, { volume: { name: 'cache' } }],
  [{ policy: { podSelector: {} } }, { policy: {} }],
  [{ ingress: [] }, { ingress: null }],
]) {
  const changes = diff(before, after).filter(({ operation }) => operation !== 'UNCHANGED');
  console.log(`${JSON.stringify(before)} to ${JSON.stringify(after)}: ${changes.length} changes`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
{"replicas":1} to {"replicas":2}: 1 changes
{"volume":{"name":"cache","emptyDir":{}}} to {"volume":{"name":"cache"}}: 0 changes
{"policy":{"podSelector":{}}} to {"policy":{}}: 0 changes
{"ingress":[]} to {"ingress":null}: 0 changes
OUT
