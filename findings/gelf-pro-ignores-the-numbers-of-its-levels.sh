#!/usr/bin/env bash
# A message of gelf-pro 1.4.0 with `levels` in `setConfig`. The description names `levels` as a setting and
# gives the example `{alert: 0, notice: 1, ...}`.
# Guess: `alert` is sent with level 0, and a new level `page` has a method.
# Seen:  `alert` keeps level 1, and `page` has no method. The package makes its methods when it is loaded,
#        before any settings.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund gelf-pro@1.4.0 >/dev/null 2>&1
cat >levels.js <<'JS'
const gelf = require('gelf-pro');
gelf.setConfig({ levels: { alert: 0, page: 2 } });
gelf.adapter = { send: (text) => console.log(`alert: level ${JSON.parse(text).level}`) };
console.log(`settings: ${JSON.stringify({ alert: gelf.config.levels.alert, page: gelf.config.levels.page })}`);
console.log(`method page: ${typeof gelf.page}`);
gelf.alert('no room');
JS
node levels.js | tee seen
diff seen - <<'OUT'
settings: {"alert":0,"page":2}
method page: undefined
alert: level 1
OUT
