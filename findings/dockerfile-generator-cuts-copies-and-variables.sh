#!/usr/bin/env bash
# A Dockerfile with a copy from another stage and a variable whose value has an equals sign, read by
# dockerfile-generator 5.0.3 and written again.
# Guess: the same instructions.
# Seen:  the copy has no target, and the value of the variable ends at the equals sign. The package reads two
#        words of COPY and the text up to the second equals sign of ENV, and it reports no error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund dockerfile-generator@5.0.3 >/dev/null 2>&1
cat >read.js <<'JS'
const { Readable } = require('node:stream');
const { convertToJSON, generate } = require('dockerfile-generator');
const dockerfile = 'FROM node:20\nCOPY --from=build /app /srv\nENV NODE_OPTIONS=--max-old-space-size=512\n';
(async () => {
  console.log((await generate(await convertToJSON(Readable.from([dockerfile])))).trim());
})();
JS
node read.js | tee seen
diff seen - <<'OUT'
FROM node:20
COPY --from=build /app
ENV NODE_OPTIONS=--max-old-space-size
OUT
