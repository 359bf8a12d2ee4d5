#!/usr/bin/env bash
# A function with a callback, through async-await-retry 2.1.0 with `isCb: true`. Its arguments are a name, a
# date and a map.
# Guess: the function receives the arguments as they are.
# Seen:  the date and the map arrive as empty objects. The package copies the arguments field by field, so each
#        object of a class loses its class, and a call with the time of an alert has no time.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund async-await-retry@2.1.0 >/dev/null 2>&1
cat >call.js <<'JS'
const retry = require('async-await-retry');
const show = (name, since, labels, callback) => {
  console.log(name, since, labels);
  callback(undefined, true);
};
(async () => {
  await retry(show, ['web', new Date('2026-03-01T10:00:00Z'), new Map([['app', 'web']])], { isCb: true });
})();
JS
node call.js | tee seen
diff seen - <<'OUT'
web {} {}
OUT
