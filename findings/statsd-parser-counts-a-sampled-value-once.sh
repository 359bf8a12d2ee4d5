#!/usr/bin/env bash
# A counter with a sample rate of 0.1 for the streaming parser of statsd-parser 0.0.4: in one piece, and in two
# pieces with the border before the sample rate, as TCP may deliver it.
# Guess: the same counter with the sample rate 0.1 in both cases.
# Seen:  in two pieces, the counter has no sample rate, and the rest is an error. The parser does not wait for
#        the end of the line, so a value that stands for ten counts as one.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund statsd-parser@0.0.4 >/dev/null 2>&1
cat >pieces.js <<'JS'
const { createStream } = require('statsd-parser');
for (const pieces of [['restarts:1|c|@0.1\n'], ['restarts:1|c', '|@0.1\n']]) {
  const stream = createStream();
  stream.on('stat', (_text, stat) => console.log(`${pieces.length} pieces: ${stat.value}, rate ${stat.sample_rate}`));
  stream.on('error', ({ message }) => console.log(message.split('\n')[0]));
  for (const piece of pieces) stream.write(piece);
}
JS
node pieces.js | tee seen
diff seen - <<'OUT'
1 pieces: 1, rate 0.1
2 pieces: 1, rate undefined
Buffered Line was not valid stats d `|@0.1`.
OUT
