#!/usr/bin/env bash
# Two values, written by dotenv-stringify 3.0.1 as a `.env` file and read by parse-dotenv 2.1.0.
# Guess: the same values.
# Seen:  the writer puts a value with a hash into quotes, as the reader of dotenv needs them. parse-dotenv returns the
#        quotes as a part of the value.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund parse-dotenv@2.1.0 dotenv-stringify@3.0.1 >/dev/null 2>&1
cat >round.mjs <<'JS'
import { writeFileSync } from 'node:fs';
import parse from 'parse-dotenv';
import stringify from 'dotenv-stringify';
writeFileSync('.env', stringify({ PLAIN: 'web', CHANNEL: '#alerts' }));
console.log(JSON.stringify(parse()));
JS
node round.mjs | tee seen
diff seen - <<'OUT'
{"PLAIN":"web","CHANNEL":"\"#alerts\""}
OUT
