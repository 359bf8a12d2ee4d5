#!/usr/bin/env bash
# Values of a chart in nodejs-helm 0.3.0, with `echo` in the place of Helm: an image with a tag, as most charts have it, and a list in one
# text, such as the arguments of a program.
# Guess: `--set image.tag=2`, and commas of a text with a backslash, because Helm separates values with commas.
# Seen:  an object becomes the text `[object Object]`, which Helm accepts as the value of `image`, and a comma in a text ends the
#        value and begins another one. The package has a function that flattens objects and does not call it.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund nodejs-helm@0.3.0 >/dev/null 2>&1
cat >upgrade.js <<'JS'
const { Helm } = require('nodejs-helm');
console.log = () => {};
const helm = new Helm({ helmCommand: 'echo' });
const values = { replicas: 3, image: { tag: '2' }, features: 'probes,limits' };
helm.upgrade({ releaseName: 'web', chartName: 'web', values }, (error, result) => console.info(result.trim()));
JS
node upgrade.js | tee seen
diff seen - <<'OUT'
upgrade web web --set replicas=3,image=[object Object],features=probes,limits --output json
OUT
