#!/usr/bin/env bash
# Log lines with a name that has no value, as logfmt permits, decoded by @jclem/logfmt2 2.4.3.
# Guess: the name is kept with true or an empty value, and the fields behind it are read as usual.
# Seen:  the name takes the name of the next field as its value, and the value behind that is lost or
#        becomes a name. At the end of a line the name is lost.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @jclem/logfmt2@2.4.3 >/dev/null 2>&1
cat >run.js <<'JS'
const { decode } = require('@jclem/logfmt2');
for (const rest of ['retry=3', 'final retry=3', 'final retry=3 pod=web-1', 'final']) {
  const line = `level=info ${rest}`;
  console.log(`${line}\n  ${JSON.stringify(decode(line))}`);
}
JS
node run.js | tee seen
diff seen - <<'OUT'
level=info retry=3
  {"level":"info","retry":"3"}
level=info final retry=3
  {"level":"info","final":"retry"}
level=info final retry=3 pod=web-1
  {"3":"pod","level":"info","final":"retry"}
level=info final
  {"level":"info"}
OUT
