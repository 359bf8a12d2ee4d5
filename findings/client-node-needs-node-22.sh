#!/usr/bin/env bash
# @kubernetes/client-node 2.0.1 on Node 20.
# Guess: a package without an `engines` field installs and loads on every maintained Node, 20.20 among them.
# Seen:  it installs (npm warns about undici only) and cannot be imported: its dependency range `undici ^8.7.0` needs
#        Node 22.19, and undici 8 binds a zstd function at load time that Node 20 lacks.
set -euo pipefail
case "$(node --version)" in v20.*) ;; *) echo "This finding is about Node 20, and node is $(node --version)."; exit 0 ;; esac
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @kubernetes/client-node@2.0.1 undici@8.13.1 >/dev/null 2>&1
node -p "const p = require('./node_modules/@kubernetes/client-node/package.json'); 'client-node ' + p.version + ', engines: ' + p.engines + ', undici: ' + p.dependencies.undici" | tee seen
(node --input-type=module -e "import '@kubernetes/client-node'" 2>&1 || true) | grep -m1 -E '^[A-Za-z]*Error' | tee -a seen
diff seen - <<'EOF'
client-node 2.0.1, engines: undefined, undici: ^8.7.0
TypeError: Cannot read properties of undefined (reading 'bind')
EOF
