#!/usr/bin/env bash
# Lines of syslog of the kernel by RFC 5424, read by @myndzi/glossy 0.1.13. The priority 0 is facility 0
# (kernel) with severity 0 (emergency), and 1 is the kernel with severity 1 (alert).
# Guess: `kern` and `emerg` for the first line, `kern` and `alert` for the second.
# Seen:  the most severe line has neither a facility nor a severity. A filter for emergencies misses it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @myndzi/glossy@0.1.13 >/dev/null 2>&1
cat >parse.js <<'JS'
const { Parse } = require('@myndzi/glossy');
for (const priority of [0, 1]) {
  const { facility, severity } = Parse.parse(`<${priority}>1 2026-03-01T10:00:00Z node-1 kernel - - - Out of memory`);
  console.log(`${priority}: ${facility}, ${severity}`);
}
JS
node parse.js | tee seen
diff seen - <<'OUT'
0: undefined, undefined
1: kern, alert
OUT
