#!/usr/bin/env bash
# The pods of three namespaces are listed by RateLimitDelayPromise.all of rate-limit-delay-promise 0.0.2,
# which is to be called in place of Promise.all.
# Guess: three lists, one for each namespace.
# Seen:  one list with the items of all, so no result belongs to its namespace, and a namespace without pods
#        has no result.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund rate-limit-delay-promise@0.0.2 >/dev/null 2>&1
cat >run.js <<'JS'
const { RateLimitDelayPromise } = require('rate-limit-delay-promise');
const pods = { shop: ['web-1', 'web-2'], billing: [], search: ['index-1'] };
const list = async (namespace) => pods[namespace];
(async () => {
  console.log(JSON.stringify(await Promise.all(Object.keys(pods).map(list))));
  console.log(JSON.stringify(await RateLimitDelayPromise.all(Object.keys(pods), list, 1)));
})();
JS
node run.js | tee seen
diff seen - <<'OUT'
[["web-1","web-2"],[],["index-1"]]
["web-1","web-2","index-1"]
OUT
