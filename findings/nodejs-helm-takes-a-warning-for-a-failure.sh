#!/usr/bin/env bash
# Results of Helm in nodejs-helm 0.3.0, with a program in its place: an upgrade that succeeds and prints a warning, as Helm does when others
# can read the kubeconfig, and one that ends with exit code 1 and prints nothing, as when it is killed.
# Guess: the exit code decides between a result and an error.
# Seen:  it is never read. Whatever stands on the standard error is the failure, so a successful upgrade with a warning is an error and its
#        result is text instead of an object, and a program that is killed has succeeded.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund nodejs-helm@0.3.0 >/dev/null 2>&1
cat >helm <<'SH'
#!/bin/sh
[ "$2" = killed ] && exit 1
[ "$2" = warned ] && echo 'WARNING: Kubernetes configuration file is group-readable.' >&2
echo '{"info":{"status":"deployed"}}'
SH
chmod +x helm
cat >upgrade.js <<'JS'
const { Helm } = require('nodejs-helm');
console.log = () => {};
const helm = new Helm({ helmCommand: './helm' });
for (const releaseName of ['quiet', 'warned', 'killed']) {
  helm.upgrade({ releaseName, chartName: 'web' }, (error, result) => {
    console.info(`${releaseName}: ${error ? `error ${error.slice(0, 7)}` : 'no error'}, a result of type ${typeof result}`);
  });
}
JS
node upgrade.js | sort | tee seen
diff seen - <<'OUT'
killed: no error, a result of type string
quiet: no error, a result of type object
warned: error WARNING, a result of type string
OUT
