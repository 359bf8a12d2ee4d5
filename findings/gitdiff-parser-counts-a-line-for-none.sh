#!/usr/bin/env bash
# A line that was removed and one that was added, each without lines around it, written by git and read by
# gitdiff-parser 0.3.1.
# Guess: no new line for the removed one and no old line for the added one, as git writes.
# Seen:  the zero of git is read as one in both places.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund gitdiff-parser@0.3.1 >/dev/null 2>&1
printf 'a: 1\nb: 1\n' >long
echo 'a: 1' >short
git diff --no-index --unified=0 long short >removed.diff || true
git diff --no-index --unified=0 short long >added.diff || true
cat >read.js <<'JS'
const { parse } = require('gitdiff-parser');
for (const name of ['removed', 'added']) {
  const [{ content, oldLines, newLines }] = parse(require('fs').readFileSync(`${name}.diff`, 'utf8'))[0].hunks;
  console.log(`${content}: ${oldLines} old, ${newLines} new`);
}
JS
node read.js | tee seen
diff seen - <<'OUT'
@@ -2 +1,0 @@ a: 1: 1 old, 1 new
@@ -1,0 +2 @@ a: 1: 1 old, 1 new
OUT
