#!/usr/bin/env bash
# The name of an image, taken apart and put together again by @hkube/kubernetes-client 2.0.9, as it does for every container that it starts.
# Guess: the same image: a digest follows `@`, a tag follows `:`.
# Seen:  what follows `@` is taken for a tag and written after a colon. `web:sha256:…` is no reference that a container runtime reads, so
#        the pod fails with InvalidImageName. A tag beside the digest prevents this, by chance.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @hkube/kubernetes-client@2.0.9 >/dev/null 2>&1
cat >name.js <<'JS'
const { utils } = require('@hkube/kubernetes-client');
const digest = `sha256:${'0a'.repeat(32)}`;
for (const image of ['team/web:1.2', `team/web@${digest}`, `team/web:1.2@${digest}`]) {
  console.log(`${image} becomes ${utils.createImage(image)}`.replaceAll(digest, 'sha256:…'));
}
JS
node name.js | tee seen
diff seen - <<'OUT'
team/web:1.2 becomes team/web:1.2
team/web@sha256:… becomes team/web:sha256:…
team/web:1.2@sha256:… becomes team/web:1.2@sha256:…
OUT
