#!/usr/bin/env bash
# A table of checks in Markdown of GitHub, translated to a table of Slack by md-to-slack-blocks 1.0.0. One command has a pipe, which
# is escaped as the specification demands for a table.
# Guess: two columns; the command has its pipe without the backslash.
# Seen:  the escaped pipe ends the cell too. Its row gets a third cell and the table a third column without a heading, the command is cut after
#        the backslash, and neither half is shown as code.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund md-to-slack-blocks@1.0.0 >/dev/null 2>&1
cat >translate.js <<'JS'
const { markdownToSlackBlocks } = require('md-to-slack-blocks');
const table = ['| Check | Command |', '|---|---|', '| Nodes | `kubectl get nodes` |', '| Pods | `kubectl get pods \\| grep web` |'];
const [{ rows }] = markdownToSlackBlocks(table.join('\n'));
const show = ({ text, style }) => (style?.code ? `code(${text})` : text);
for (const row of rows) console.log(row.map(({ elements }) => elements[0].elements.map(show).join('')).join(' / '));
JS
node translate.js | tee seen
diff seen - <<'OUT'
Check / Command
Nodes / code(kubectl get nodes)
Pods / `kubectl get pods \ / grep web`
OUT
