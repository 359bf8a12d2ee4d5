#!/usr/bin/env bash
# The names that are left out by rules of which one is behind a comment sign, by dotignore 0.1.2 and by git.
# Guess: a line that starts with # is a comment, so the charts stay.
# Seen:  the package removes the sign and then ignores what the comment names.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund dotignore@0.1.2 >/dev/null 2>&1
git init -q repository
printf '#charts\n*.log\n' >repository/.gitignore
paths=(charts web.log web.yaml)
cat >ignored.js <<'JS'
const { readFileSync } = require('node:fs');
const rules = readFileSync('repository/.gitignore', 'utf8');
const matcher = require('dotignore').createMatcher(rules);
const ignored = (path) => matcher.shouldIgnore(path);
console.log('package:', process.argv.slice(2).filter(ignored).join(' '));
JS
{
  echo "git:     $(git -C repository check-ignore --no-index "${paths[@]}" | tr '\n' ' ' | sed 's/ $//')"
  node ignored.js "${paths[@]}"
} | tee seen
diff seen - <<'OUT'
git:     web.log
package: charts web.log
OUT
