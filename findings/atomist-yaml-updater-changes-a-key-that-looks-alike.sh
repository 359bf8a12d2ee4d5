#!/usr/bin/env bash
# A ConfigMap with the keys "log-level" and "log.level". @atomist/yaml-updater 1.0.2 sets one of them, and js-yaml
# 4.3.2 reads the result.
# Guess: the key that was named has the new value.
# Seen:  the point in the name stands for any character, so the other key gets the name and the value, and the key
#        appears twice.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @atomist/yaml-updater@1.0.2 js-yaml@4.3.2 >/dev/null 2>&1
cat >update.js <<'JS'
const { updateYamlDocument } = require('@atomist/yaml-updater');
const text = 'log-level: info\nlog.level: info\n';
for (const key of ['log-level', 'log.level']) {
  const changed = updateYamlDocument({ [key]: 'debug' }, text);
  console.log(`${key}: ${JSON.stringify(changed)}`);
  try {
    console.log(JSON.stringify(require('js-yaml').load(changed)));
  } catch (error) {
    console.log(error.reason);
  }
}
JS
node update.js | tee seen
diff seen - <<'OUT'
log-level: "log-level: debug\nlog.level: info\n"
{"log-level":"debug","log.level":"info"}
log.level: "log.level: debug\nlog.level: info\n"
duplicated mapping key
OUT
