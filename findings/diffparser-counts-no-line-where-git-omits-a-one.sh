#!/usr/bin/env bash
# The difference of two files of one line and of two files of two lines, written by git and read by diffparser 2.0.1.
# Guess: parts of one line and of two lines. Git leaves out the count of one line.
# Seen:  the part of one line has a count of zero lines before and after the change.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund diffparser@2.0.1 >/dev/null 2>&1
echo 'replicas: 1' >one-old
echo 'replicas: 2' >one-new
printf 'a: 1\nb: 1\n' >two-old
printf 'a: 2\nb: 2\n' >two-new
for name in one two; do git diff --no-index $name-old $name-new >$name.diff || true; done
cat >read.js <<'JS'
const parse = require('diffparser');
for (const name of ['one', 'two']) {
  const [{ content, oldLines, newLines }] = parse(require('fs').readFileSync(`${name}.diff`, 'utf8'))[0].chunks;
  console.log(`${content}: ${oldLines} and ${newLines} lines`);
}
JS
node read.js | tee seen
diff seen - <<'OUT'
@@ -1 +1 @@: 0 and 0 lines
@@ -1,2 +1,2 @@: 2 and 2 lines
OUT
