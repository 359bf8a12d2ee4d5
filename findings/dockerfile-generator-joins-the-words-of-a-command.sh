#!/usr/bin/env bash
# A Dockerfile with RUN and CMD in the shell form and in the JSON form, read by dockerfile-generator 5.0.3 and
# written again.
# Guess: the same commands.
# Seen:  the words of the shell form become one word, `npmci`, and the spaces inside an argument of the JSON
#        form are removed. The package removes each space and splits at commas, so the commands are others.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund dockerfile-generator@5.0.3 >/dev/null 2>&1
cat >read.js <<'JS'
const { Readable } = require('node:stream');
const { convertToJSON, generate } = require('dockerfile-generator');
const dockerfile = 'FROM node:20\nRUN npm ci\nCMD ["sh", "-c", "exec node server.js"]\n';
(async () => {
  console.log((await generate(await convertToJSON(Readable.from([dockerfile])))).trim());
})();
JS
node read.js | tee seen
diff seen - <<'OUT'
FROM node:20
RUN [ "npmci" ]
CMD [ "sh", "-c", "execnodeserver.js" ]
OUT
