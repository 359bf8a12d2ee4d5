#!/usr/bin/env bash
# Commands with a quoted value behind an equals sign, split by parse-spawn-args 1.0.2 and by bash.
# Guess: the same words.
# Seen:  parse-spawn-args makes two words of it, without an error, so the option has an empty value and the value is an
#        argument of its own.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund parse-spawn-args@1.0.2 >/dev/null 2>&1
cat >split.js <<'JS'
const { parse } = require('parse-spawn-args');
console.log('package:', JSON.stringify(parse(process.argv[2])));
JS
for command in "kubectl get pods --selector='app=web db'" 'helm install --set="note=a b" web'; do
  echo "$command"
  eval "set -- $command"
  echo "bash:    [$(printf '"%s",' "$@" | sed 's/,$//')]"
  node split.js "$command"
done | tee seen
diff seen - <<'OUT'
kubectl get pods --selector='app=web db'
bash:    ["kubectl","get","pods","--selector=app=web db"]
package: ["kubectl","get","pods","--selector=","app=web db"]
helm install --set="note=a b" web
bash:    ["helm","install","--set=note=a b","web"]
package: ["helm","install","--set=","note=a b","web"]
OUT
