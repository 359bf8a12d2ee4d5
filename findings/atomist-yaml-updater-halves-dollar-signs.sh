#!/usr/bin/env bash
# A command with two dollar signs, put into a manifest by @atomist/yaml-updater 1.0.2 as a new key and in place of a
# value.
# Guess: the command both times.
# Seen:  in place of a value one dollar sign is left, so the shell gets another variable. "$1" is replaced by the end
#        of the line before.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @atomist/yaml-updater@1.0.2 >/dev/null 2>&1
cat >update.js <<'JS'
const { updateYamlDocument } = require('@atomist/yaml-updater');
for (const command of ['kill $$', 'echo $1']) {
  for (const text of ['kind: Job\n', 'kind: Job\ncommand: ls\n']) {
    console.log(JSON.stringify(updateYamlDocument({ command }, text)));
  }
}
JS
node update.js | tee seen
diff seen - <<'OUT'
"kind: Job\ncommand: kill $$\n"
"kind: Job\ncommand: kill $\n"
"kind: Job\ncommand: echo $1\n"
"kind: Job\ncommand: echo \n\n"
OUT
