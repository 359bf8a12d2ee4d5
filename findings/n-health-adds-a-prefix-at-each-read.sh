#!/usr/bin/env bash
# The list of the checks of n-health 14.1.4, read twice with `asArray`.
# Guess: the same names both times.
# Seen:  the second list has the name of the application twice. The package changes the name of each check at
#        each read, so a page that reads the list for each request shows a longer name each time.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund n-health@14.1.4 >/dev/null 2>&1
mkdir healthchecks
cat >healthchecks/web.js <<'JS'
const texts = { businessImpact: 'none', panicGuide: 'none', technicalSummary: 'none', severity: 1 };
const aggregate = { type: 'aggregate', name: 'any queue', watch: ['queue'], mode: 'atLeastOne' };
module.exports = { name: 'web', description: 'web', checks: [{ ...texts, ...aggregate }] };
JS
cat >names.js <<'JS'
const health = require('n-health')();
for (let read = 1; read <= 2; read += 1) {
  console.log(`read ${read}: ${health.asArray().map((check) => check.name).join(', ')}`);
}
process.exit(0);
JS
node names.js | tee seen
diff seen - <<'OUT'
read 1: web: any queue
read 2: web: web: any queue
OUT
