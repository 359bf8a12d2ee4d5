#!/usr/bin/env bash
# Lines of a log file, parsed by syslog-parse 2.0.0. The parser takes the priority in angle brackets as optional, and files of syslog, such as
# /var/log/syslog, have none. For what it cannot parse, it returns `undefined`.
# Guess: the line without a priority has no severity and no facility.
# Seen:  it has the priority 0, which is the severity `emerg` of the facility `kern`. Each line of such a file is an emergency of the kernel,
#        and nothing tells it from a line that states the priority 0.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund syslog-parse@2.0.0 >/dev/null 2>&1
cat >parse.js <<'JS'
import parse from 'syslog-parse';
for (const priority of ['<30>', '<0>', '']) {
  const { facility, severity } = parse(`${priority}Feb 05 01:02:03 node-1 kubelet[253]: Pulled image`);
  console.log(`"${priority}": ${facility}, ${severity}`);
}
JS
node parse.js | tee seen
diff seen - <<'OUT'
"<30>": daemon, info
"<0>": kern, emerg
"": kern, emerg
OUT
