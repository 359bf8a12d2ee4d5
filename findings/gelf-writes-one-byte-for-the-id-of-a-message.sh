#!/usr/bin/env bash
# A long message, split into chunks by gelf 2.0.1. By the specification of GELF, a chunk starts with two magic
# bytes, eight bytes of the id of the message, the number of the chunk, and the count of the chunks: 12 bytes.
# Guess: each chunk starts with 12 bytes, and the bytes 11 and 12 are its number and the count.
# Seen:  the id has one byte, so a chunk starts with five bytes. A server that follows the specification reads a
#        part of the text as the id, the number and the count.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund gelf@2.0.1 >/dev/null 2>&1
cat >chunks.js <<'JS'
const Gelf = require('gelf');
const gelf = new Gelf({ connection: 'wan', maxChunkSizeWan: 100 });
const packets = gelf.maybeChunkMessage(Buffer.alloc(250, 'x'));
gelf.closeSocket();
for (const packet of packets) {
  const start = packet.indexOf('x');
  const [number, count] = packet.subarray(start - 2, start);
  console.log(`chunk ${number} of ${count}: ${start} bytes before the text, ${packet.length - start} bytes of text`);
}
JS
node chunks.js | tee seen
diff seen - <<'OUT'
chunk 0 of 3: 5 bytes before the text, 100 bytes of text
chunk 1 of 3: 5 bytes before the text, 100 bytes of text
chunk 2 of 3: 5 bytes before the text, 50 bytes of text
OUT
