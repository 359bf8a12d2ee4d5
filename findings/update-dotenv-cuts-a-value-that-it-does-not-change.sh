#!/usr/bin/env bash
# A `.env` file with a value in quotes, read by dotenv 16.6.1 before and after a change of another value by
# update-dotenv 1.1.1.
# Guess: the value in quotes stays as it is.
# Seen:  update-dotenv writes all values again, without quotes, so the reader takes the rest of the value for a
#        comment.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund update-dotenv@1.1.1 dotenv@16.6.1 >/dev/null 2>&1
printf 'CHANNEL="alerts #1"\nLEVEL=info\n' >.env
cat >update.js <<'JS'
const { readFileSync } = require('fs');
const update = require('update-dotenv');
const read = () => JSON.stringify(require('dotenv').parse(readFileSync('.env')));
(async () => {
  console.log(`before: ${read()}`);
  await update({ LEVEL: 'debug' });
  console.log(`after:  ${read()}`);
})();
JS
node update.js | tee seen
diff seen - <<'OUT'
before: {"CHANNEL":"alerts #1","LEVEL":"info"}
after:  {"CHANNEL":"alerts","LEVEL":"debug"}
OUT
