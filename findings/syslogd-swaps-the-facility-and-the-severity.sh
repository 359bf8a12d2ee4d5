#!/usr/bin/env bash
# Messages with the priorities 30, 183 and 6, parsed by syslogd 1.1.2. A priority is eight times the facility and the severity, so 30 is facility
# 3 (daemon) and severity 6 (informational). The module exports a table of severities from 0 to 7.
# Guess: facility 3 and severity 6, facility 22 and severity 7, facility 0 and severity 6.
# Seen:  the two are swapped. An informational line of a daemon is an error, and 22 is in no table of severities. For a line of the kernel,
#        whose facility is 0, the severity is no number. The description of the module shows the swapped numbers.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund syslogd@1.1.2 >/dev/null 2>&1
cat >parse.js <<'JS'
const { parser } = require('syslogd');
for (const priority of [30, 183, 6]) {
  const { facility, severity } = parser(`<${priority}>Dec 15 10:58:44 node-1 kubelet: Pulled image`, {});
  console.log(`${priority}: facility ${facility}, severity ${severity}`);
}
JS
node parse.js | tee seen
diff seen - <<'OUT'
30: facility 6, severity 3
183: facility 7, severity 22
6: facility 6, severity NaN
OUT
