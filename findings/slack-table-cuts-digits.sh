#!/usr/bin/env bash
# A table of pods for Slack, written by slack-table 0.1.2: the name in a column of twelve characters, the bytes in use in a column
# that is aligned to the right and has the default width.
# Guess: what is too long makes its column wider, or is cut at its end with a sign that it was cut.
# Seen:  a number loses its last digits without a sign: 12,884,901,888 bytes are shown as 1288490188, a tenth, so the pod that uses
#        most memory stands below one that uses a third of it. Text is cut at its start, so `cart-7d9c5b6f4-x2x7q` loses the
#        name of its Deployment. A value that is missing is shown as `undefined`.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund slack-table@0.1.2 >/dev/null 2>&1
cat >table.js <<'JS'
const { default: slackTable } = require('slack-table');
const table = slackTable({
  title: 'Memory',
  columns: [{ title: 'Pod', dataIndex: 'pod', width: 12 }, { title: 'Bytes', dataIndex: 'bytes', align: 'right' }],
  dataSource: [{ pod: 'cart-7d9c5b6f4-x2x7q', bytes: 12_884_901_888 }, { pod: 'web-0', bytes: 4_294_967_296 }, { pod: 'web-1' }],
});
console.log(table.replaceAll('`', ''));
JS
node table.js | tee seen
diff seen - <<'OUT'
*Memory*
Pod               Bytes
c5b6f4-x2x7q 1288490188
web-0        4294967296
web-1         undefined
OUT
