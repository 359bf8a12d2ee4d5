#!/usr/bin/env bash
# The difference of two ConfigMaps with a script of SQL, written by git and read by git-diff-parser 1.0.0. A comment
# of SQL was removed, and one was added.
# Guess: one removed and one added line, beside the lines around them.
# Seen:  the removed comment is missing. With the sign of git it begins with "--- ", which the parser takes for the
#        name of a file.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund git-diff-parser@1.0.0 >/dev/null 2>&1
printf 'data:\n  q: |\n-- count pods\nselect 1\n' >old.yaml
printf 'data:\n  q: |\n-- count nodes\nselect 1\n' >new.yaml
git diff --no-index old.yaml new.yaml >changes.diff || true
cat >read.js <<'JS'
const parse = require('git-diff-parser');
const [file] = parse(require('fs').readFileSync('changes.diff', 'utf8')).commits[0].files;
for (const { type, text } of file.lines) if (type !== 'normal') console.log(`${type}: ${text}`);
JS
grep -E '^[-+]-- c' changes.diff | tee seen
node read.js | tee -a seen
diff seen - <<'OUT'
--- count pods
+-- count nodes
added: -- count nodes
OUT
