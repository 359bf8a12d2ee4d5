#!/usr/bin/env bash
# Queries for alerts with an empty list of labels and with a sign, written by @grafana/promql-builder 0.0.6.
# Guess: `sum without() (ready)`, which keeps every label, `wanted * on() ready`, which joins two single values, and `-ready`.
# Seen:  `sum(ready)`, one number for all Deployments, so an alert for each becomes one that the healthy ones hide. After
#        `on` the list is missing and the second operand stands in its place; a negated vector is `[object Object]`. The
#        builder reports no error, and the last two fail only when Prometheus loads the rule file, with all other rules in it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @grafana/promql-builder@0.0.6 >/dev/null 2>&1
cat >query.js <<'EOF'
const { mul, neg, sum, vector } = require('@grafana/promql-builder');
for (const labels of [['pod'], []]) {
  console.log(`${sum(vector('ready')).without(labels)}`);
  console.log(`${mul(vector('wanted'), vector('ready')).on(labels)}`);
}
console.log(`${neg(vector('ready'))}`);
EOF
node query.js | tee seen
diff seen - <<'EOF'
sum without(pod) (ready)
(wanted) * on(pod) (ready)
sum(ready)
(wanted) * on(ready)
-[object Object]
EOF
