#!/usr/bin/env bash
# A Pod and an overlay that names another container, merged by merge-yaml 1.1.0.
# Guess: two containers, or the list of the overlay instead of the first one.
# Seen:  one container with the name of the overlay, and with the image and the port of the other. The lists are
#        merged by position.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund merge-yaml@1.1.0 >/dev/null 2>&1
printf 'containers:\n- name: web\n  image: web:1\n  port: 80\n' >base.yaml
printf 'containers:\n- name: proxy\n' >overlay.yaml
node -p 'JSON.stringify(require("merge-yaml")(["base.yaml", "overlay.yaml"]))' | tee seen
diff seen - <<'OUT'
{"containers":[{"name":"proxy","image":"web:1","port":80}]}
OUT
