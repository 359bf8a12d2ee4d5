#!/usr/bin/env bash
# A CommonJS package that a program imports on demand, as command lines do to start quickly, bundled by esbuild 0.28.2 as ESM
# with `splitting`.
# Guess: `const { name } = await import('package')` gives what it gives without the bundle: Node finds the names of CommonJS.
# Seen:  the chunk of the package has a default export alone. Every name is `undefined`, without an error or a warning of the
#        build, until the call fails with "is not a function". Without `splitting` the names are there.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund esbuild@0.28.2 semver@7.7.2 >/dev/null 2>&1
cat >run.js <<'EOF'
const { satisfies } = await import('semver');
console.log(typeof satisfies);
EOF
{
  echo "node: $(node run.js)"
  for splitting in true false; do
    npx esbuild run.js --bundle --format=esm --platform=node --splitting=$splitting --outdir=out-$splitting --log-level=warning
    echo "splitting=$splitting: $(node out-$splitting/run.js)"
  done
} | tee seen
diff seen - <<'EOF'
node: function
splitting=true: undefined
splitting=false: function
EOF
