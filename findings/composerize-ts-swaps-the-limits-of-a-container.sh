#!/usr/bin/env bash
# The limits of open files of a container, given to `docker run` as the soft and the hard one, as a Compose file of
# composerize-ts 0.6.2.
# Guess: soft 1024 and hard 2048, as Docker reads `nofile=1024:2048`.
# Seen:  the other way round, so the soft limit is above the hard one, which is not allowed.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund composerize-ts@0.6.2 >/dev/null 2>&1
cat >write.js <<'JS'
const { composerize } = require('composerize-ts');
console.log(composerize('docker run --ulimit nofile=1024:2048 nginx').yaml);
JS
node write.js | grep . | tee seen
diff seen - <<'OUT'
version: '3.9'
services:
    nginx:
        image: nginx
        ulimits:
            nofile:
                hard: 1024
                soft: 2048
OUT
