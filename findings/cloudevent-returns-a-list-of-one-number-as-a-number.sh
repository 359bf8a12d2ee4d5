#!/usr/bin/env bash
# Events whose data are lists of replicas or names, by cloudevent 0.10.0, read by their property payload.
# Guess: each list as it was given.
# Seen:  a list of one item is read as JSON after its text was made. A list with one number is a number, and
#        the text "true" alone in a list is a boolean.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund cloudevent@0.10.0 >/dev/null 2>&1
cat >run.js <<'JS'
const { CloudEvent } = require('cloudevent');
for (const data of [[3, 5], [3], ['web'], ['7'], ['true']]) {
  const event = new CloudEvent('1', 'rollout.stuck', '/doctor', data);
  console.log(`${JSON.stringify(data)}: ${JSON.stringify(event.payload)}`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
[3,5]: [3,5]
[3]: 3
["web"]: ["web"]
["7"]: 7
["true"]: true
OUT
