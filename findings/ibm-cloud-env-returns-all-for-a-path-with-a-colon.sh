#!/usr/bin/env bash
# Two JSONPath expressions for the first host of a list in a variable, read by ibm-cloud-env 0.3.6: by its index, and as a slice. Both give the
# same host by jsonpath 1.1.1, which the library itself uses.
# Guess: `a.example` twice.
# Seen:  the colon of the slice is taken for one more part of the pattern, and the expression is left out. The setting is the whole text
#        of the variable, without an error, with all that it holds beside the hosts.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ibm-cloud-env@0.3.6 jsonpath@1.1.1 >/dev/null 2>&1
cat >read.js <<'JS'
const { writeFileSync } = require('node:fs');
const env = require('ibm-cloud-env');
const jsonpath = require('jsonpath');

const paths = ['$.hosts[0]', '$.hosts[0:1]'];
writeFileSync('mappings.json', JSON.stringify(Object.fromEntries(paths.map((path) => [path, { searchPatterns: [`env:QUEUE:${path}`] }]))));
env.setLogLevel('OFF');
env.init('/mappings.json');
for (const path of paths) console.log(`${path}: ${jsonpath.value(JSON.parse(process.env.QUEUE), path)}, setting: ${env.getString(path)}`);
JS
QUEUE='{"hosts":["a.example","b.example"],"retries":3}' node read.js | tee seen
diff seen - <<'OUT'
$.hosts[0]: a.example, setting: a.example
$.hosts[0:1]: a.example, setting: {"hosts":["a.example","b.example"],"retries":3}
OUT
