#!/usr/bin/env bash
# Pods selected by kubernetes-label-selector 2.1.3, which evaluates the selectors of the API. Two functions
# stand in for AngularJS and jQuery. The selector excludes an empty value of the label `track`, which is a
# valid value.
# Guess: the pod with the empty value is excluded, as Kubernetes does it.
# Seen:  the pod with the empty value is selected. An exclusion of the value `canary` works, and `In` finds
#        the empty value, so both `In` and `NotIn` select the same pod.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund kubernetes-label-selector@2.1.3 lodash@4.17.21 >/dev/null 2>&1
cat >select.js <<'JS'
const { readFileSync } = require('node:fs');
const { createContext, runInContext } = require('node:vm');
const forEach = (items, visit, self) => {
  for (const [key, item] of Object.entries(items ?? {})) visit.call(self, item, key);
};
const isEmptyObject = (value) => Object.keys(value).length === 0;
const context = createContext({ _: require('lodash'), angular: { forEach }, $: { isEmptyObject } });
runInContext(readFileSync('node_modules/kubernetes-label-selector/labelSelector.js', 'utf8'), context);
for (const [value, operator] of [['canary', 'NotIn'], ['', 'In'], ['', 'NotIn']]) {
  const selector = new context.LabelSelector({ matchExpressions: [{ key: 'track', operator, values: [value] }] });
  const selected = selector.matches({ metadata: { labels: { track: value } } });
  console.log(`track="${value}", ${operator} ["${value}"]: ${selected ? 'selected' : 'not selected'}`);
}
JS
node select.js | tee seen
diff seen - <<'OUT'
track="canary", NotIn ["canary"]: not selected
track="", In [""]: selected
track="", NotIn [""]: selected
OUT
