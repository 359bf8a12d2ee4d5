#!/usr/bin/env bash
# Two functions, given at the same time to one retrier of @jsier/retrier 1.2.4, and one behind the other.
# Guess: each is called once.
# Seen:  at the same time the second function is called twice and the first one never, as the retrier keeps one
#        function until its timer ends.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @jsier/retrier@1.2.4 >/dev/null 2>&1
cat >calls.js <<'JS'
const { Retrier } = require('@jsier/retrier');
const retrier = new Retrier({ limit: 3 });
const calls = [];
const call = (name) => retrier.resolve(async () => calls.push(name));
(async () => {
  await call('a');
  await call('b');
  console.log(`one behind the other: ${calls.splice(0)}`);
  call('a');
  call('b');
  setTimeout(() => console.log(`at the same time: ${calls}`), 100);
})();
JS
node calls.js | tee seen
diff seen - <<'OUT'
one behind the other: a,b
at the same time: b,b
OUT
