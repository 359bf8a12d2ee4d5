#!/usr/bin/env bash
# ibm-cloud-env 0.3.6, "abstraction layer for CF and Kube env variables", finds each setting in the first source that has it. The variable of
# the cluster comes first, and a file with values for development follows.
# Guess: the values of the variable: `web`, `false` and 0.
# Seen:  a value that is false or 0 is taken for missing, and the next source is read. The cluster has paused the job and wants no
#        replicas, and the program runs with the values for development.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund ibm-cloud-env@0.3.6 >/dev/null 2>&1
echo '{"name":"local","enabled":true,"replicas":3}' >development.json
cat >read.js <<'JS'
const { writeFileSync } = require('node:fs');
const env = require('ibm-cloud-env');

const names = ['name', 'enabled', 'replicas'];
const mapping = (name) => ({ searchPatterns: [`env:SETTINGS:$.${name}`, `file:/development.json:$.${name}`] });
writeFileSync('mappings.json', JSON.stringify({ version: 1, ...Object.fromEntries(names.map((name) => [name, mapping(name)])) }));
env.setLogLevel('OFF');
env.init('/mappings.json');
for (const name of names) console.log(`${name}: ${env.getString(name)}`);
JS
SETTINGS='{"name":"web","enabled":false,"replicas":0}' node read.js | tee seen
diff seen - <<'OUT'
name: web
enabled: true
replicas: 3
OUT
