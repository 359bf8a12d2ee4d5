#!/usr/bin/env bash
# The difference of two ConfigMaps with scripts of SQL, written by git and read by diffparser 2.0.1. A comment of SQL
# was removed, and further down a statement was replaced.
# Guess: one file with two parts.
# Seen:  two files. With the sign of git the comment begins with "--- ", so the parser starts a file with the text of
#        the comment as its name, and gives it the second part.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund diffparser@2.0.1 >/dev/null 2>&1
{ printf 'q: |\n-- count pods\n'; seq 1 9; echo 'select 1'; } >old.yaml
{ printf 'q: |\n'; seq 1 9; echo 'select 2'; } >new.yaml
git diff --no-index --unified=1 old.yaml new.yaml >changes.diff || true
cat >read.js <<'JS'
const parse = require('diffparser');
for (const { from, to, chunks } of parse(require('fs').readFileSync('changes.diff', 'utf8'))) {
  console.log(`${from}, ${to}: ${chunks.map(({ content }) => content.split(' @@')[0])}`);
}
JS
node read.js | tee seen
diff seen - <<'OUT'
old.yaml, new.yaml: @@ -1,3 +1,2
count pods, undefined: @@ -11,2 +10,2
OUT
