#!/usr/bin/env bash
# Images as registries with projects name them (GitLab, Harbor), in docker-parse-image 3.0.1.
# Guess: registry, path and tag of `registry.example.com:5000/shop/web/api:2`, as of `ghcr.io/shop/web:2`.
# Seen:  a repository `registry.example.com` whose tag is `5000/shop/web/api:2`. Without the port the same path gives null. A bot
#        that compares or replaces the tag reports the wrong version, or writes an image of Docker Hub.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund docker-parse-image@3.0.1 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import parse from 'docker-parse-image';
for (const image of ['ghcr.io/shop/web:2', 'registry.example.com:5000/shop/web/api:2', 'registry.example.com/shop/web/api:2']) {
  const parsed = parse(image);
  console.log(image, parsed && `registry ${parsed.registry}, repository ${parsed.repository}, tag ${parsed.tag}`);
}
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
ghcr.io/shop/web:2 registry ghcr.io, repository web, tag 2
registry.example.com:5000/shop/web/api:2 registry null, repository registry.example.com, tag 5000/shop/web/api:2
registry.example.com/shop/web/api:2 null
EOF
