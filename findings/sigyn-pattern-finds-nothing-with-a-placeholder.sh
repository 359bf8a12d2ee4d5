#!/usr/bin/env bash
# Patterns of Loki's query language in @sigyn/pattern 1.1.0, "Loki pattern in JavaScript": the example of its own README, and a reason
# followed by a message that contains the separator again.
# Guess: as in Loki, `<_>` takes a word that gets no name, and each field ends at the first separator after it.
# Seen:  a pattern with `<_>` finds nothing, because only letters, digits and spaces are read as a name, so the example returns an empty
#        list. A field ends at the last separator: the reason takes the message but for its last part.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @sigyn/pattern@1.1.0 >/dev/null 2>&1
cat >read.mjs <<'JS'
import { Pattern } from '@sigyn/pattern';
const lines = [
  ['HTTP <verb> <_> <endpoint>', 'HTTP POST 200 /api/v1/dowork'],
  ['<reason>: <message>', 'BackOff: restarting failed container'],
  ['<reason>: <message>', 'FailedMount: volume data: not found'],
];
for (const [pattern, line] of lines) console.log(JSON.stringify(new Pattern(pattern).executeOnLogs([line])));
JS
node read.mjs | tee seen
diff seen - <<'OUT'
[]
[{"reason":"BackOff","message":"restarting failed container"}]
[{"reason":"FailedMount: volume data","message":"not found"}]
OUT
