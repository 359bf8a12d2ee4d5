#!/usr/bin/env bash
# Three Graphite queries of a panel from grafana-dash-gen 4.1.1. The second refers to the first, and the third to the second. `targetFull`
# is the query with each reference replaced.
# Guess: the third becomes alias(scale(web.failed, 60), 'failures a minute').
# Seen:  a reference is replaced by the other query as it was written, so `#A` stays in the third, although the first has no further
#        reference.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund grafana-dash-gen@4.1.1 >/dev/null 2>&1
cat >generate.js <<'JS'
const { Panels, Target } = require('grafana-dash-gen');
const targets = ['web.failed', 'scale(#A, 60)', "alias(#B, 'failures a minute')"].map((query) => new Target(query));
for (const { refId, target, targetFull } of new Panels.Graph({ targets }).generate().targets) {
  console.log(`${refId}: ${targetFull ?? target}`);
}
JS
node generate.js | tee seen
diff seen - <<'OUT'
A: web.failed
B: scale(web.failed, 60)
C: alias(scale(#A, 60), 'failures a minute')
OUT
