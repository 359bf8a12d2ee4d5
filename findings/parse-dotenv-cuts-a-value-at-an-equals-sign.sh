#!/usr/bin/env bash
# The address of a database with a parameter in a `.env` file, read by parse-dotenv 2.1.0 and by dotenv 16.6.1.
# Guess: the whole address from both.
# Seen:  parse-dotenv cuts the value at its first equals sign, so the parameter has no value.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund parse-dotenv@2.1.0 dotenv@16.6.1 >/dev/null 2>&1
echo 'DATABASE=postgres://db/web?sslmode=require' >.env
cat >read.js <<'JS'
const text = require('fs').readFileSync('.env');
console.log(`parse-dotenv: ${require('parse-dotenv')().DATABASE}`);
console.log(`dotenv:       ${require('dotenv').parse(text).DATABASE}`);
JS
node read.js | tee seen
diff seen - <<'OUT'
parse-dotenv: postgres://db/web?sslmode
dotenv:       postgres://db/web?sslmode=require
OUT
