#!/usr/bin/env bash
# The names that two rules leave out, by gitignore-parser 0.0.2 and by git.
# Guess: the same names.
# Seen:  the package also leaves out every name that only starts like a rule: the folder of the templates of one
#        that is called tmp.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund gitignore-parser@0.0.2 >/dev/null 2>&1
git init -q repository
printf '/tmp\n/job\n' >repository/.gitignore
paths=(tmp job tmpl/web.yaml jobs.yaml web.yaml)
cat >ignored.js <<'JS'
const { readFileSync } = require('node:fs');
const rules = readFileSync('repository/.gitignore', 'utf8');
const { denies } = require('gitignore-parser').compile(rules);
const ignored = (path) => denies(path);
console.log('package:', process.argv.slice(2).filter(ignored).join(' '));
JS
{
  echo "git:     $(git -C repository check-ignore --no-index "${paths[@]}" | tr '\n' ' ' | sed 's/ $//')"
  node ignored.js "${paths[@]}"
} | tee seen
diff seen - <<'OUT'
git:     tmp job
package: tmp job tmpl/web.yaml jobs.yaml
OUT
