#!/usr/bin/env bash
# Sampled counters, written to lynx 0.2.0 as a stream. The script writes 200 lines with the rate 0.5 and
# collects the kinds of line that lynx sends. StatsD separates the type and the rate with a bar.
# Guess: one kind of line, the line that was written, once for each line.
# Seen:  each sent line states the rate twice, once behind the type without a bar, so its type is `c@0.5`, which
#        StatsD does not have. Lynx also draws a sample again, so it drops lines of what was already a sample.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund lynx@0.2.0 >/dev/null 2>&1
cat >stream.js <<'JS'
const Lynx = require('lynx');
const sent = [];
const lynx = new Lynx('127.0.0.1', 8125, { socket: { send: () => undefined }, on_error: () => undefined });
lynx.on('data', (line) => sent.push(String(line)));
for (let line = 0; line < 200; line += 1) lynx.write('restarts:1|c|@0.5\n');
console.log('kinds of line:', [...new Set(sent)].join(' and '));
console.log('all lines sent:', sent.length === 200);
JS
node stream.js 2>/dev/null | tee seen
diff seen - <<'OUT'
kinds of line: restarts:1|c@0.5|@0.5
all lines sent: false
OUT
