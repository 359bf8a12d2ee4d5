#!/usr/bin/env bash
# A line of jsout 4.1.0 whose data have a date, and one object in two fields.
# Guess: the date as text and the object in both fields, as JSON.stringify writes them.
# Seen:  the date is an empty object. The second field of the same object is "[Unserializable]", though
#        nothing is circular.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund jsout@4.1.0 >/dev/null 2>&1
cat >log.js <<'JS'
const { logger } = require('jsout');
const owner = { kind: 'ReplicaSet' };
logger.info('rollout', { at: new Date(0), previous: owner, current: owner });
JS
node log.js | tee seen
diff seen - <<'OUT'
{"level":6,"message":"rollout","data":{"at":{},"previous":{"kind":"ReplicaSet"},"current":"[Unserializable]"}}
OUT
