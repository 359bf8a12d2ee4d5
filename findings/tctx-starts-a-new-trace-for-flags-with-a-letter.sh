#!/usr/bin/env bash
# The header `traceparent` of a request, read by tctx 0.2.6. By W3C Trace Context the flags are two
# hexadecimal digits, and a receiver ignores the bits that it does not know.
# Guess: each of the flags is read, and the trace goes on.
# Seen:  flags with a letter yield null, the answer for an invalid header. A service that then makes a header
#        of its own breaks the trace of its caller.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund tctx@0.2.6 >/dev/null 2>&1
cat >parse.mjs <<'JS'
import { parse } from 'tctx/traceparent';
for (const flags of ['01', '03', '09', '0b', 'ff']) {
  const parent = parse(`00-aa3ee2e08eb134a292fb799969f2de62-62994ea4677bc463-${flags}`);
  console.log(`${flags}: ${parent === null ? 'null' : parent.trace_id}`);
}
JS
node parse.mjs | tee seen
diff seen - <<'OUT'
01: aa3ee2e08eb134a292fb799969f2de62
03: aa3ee2e08eb134a292fb799969f2de62
09: aa3ee2e08eb134a292fb799969f2de62
0b: null
ff: null
OUT
