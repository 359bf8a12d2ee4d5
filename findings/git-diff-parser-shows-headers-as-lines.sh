#!/usr/bin/env bash
# A commit that makes a script executable and adds a file of one line, written by git and read by git-diff-parser
# 1.0.0.
# Guess: no line of the script, and one added line of the file.
# Seen:  the headers of git appear as unchanged lines without their first letter, because the parser takes no change
#        of a mode for a header and no position without a count of lines.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund git-diff-parser@1.0.0 >/dev/null 2>&1
git -c init.defaultBranch=main init -q repository
cd repository
echo 'echo ok' >run.sh
git add run.sh
git -c user.name=a -c user.email=a@example.com commit -qm first
chmod +x run.sh
echo 'kind: Pod' >pod.yaml
git add run.sh pod.yaml
git diff --cached >../changes.diff
cd ..
cat >read.js <<'JS'
const parse = require('git-diff-parser');
for (const { name, lines } of parse(require('fs').readFileSync('changes.diff', 'utf8')).commits[0].files) {
  for (const { type, text } of lines.filter((line) => line.text !== '')) console.log(`${name}: ${type}: ${text}`);
}
JS
node read.js | tee seen
diff seen - <<'OUT'
pod.yaml: normal: @ -0,0 +1 @@
pod.yaml: added: kind: Pod
run.sh: normal: ld mode 100644
run.sh: normal: ew mode 100755
OUT
