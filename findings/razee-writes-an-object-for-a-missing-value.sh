#!/usr/bin/env bash
# A template of Razee for the image of a Deployment, with `pick`, its helper for the first value that is set (@razee/mustachetemplate 4.0.3,
# rendered with handlebars 4.7.8, the version that it asks for).
# Guess: nothing is written when no value is set, as for a variable that is missing.
# Seen:  `[object Object]`: the helper also looks at the options that the template engine passes to every helper. This is a string, so the manifest
#        stays valid YAML, and the image `registry.example/[object Object]` reaches the cluster.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund handlebars@4.7.8 object-path@0.11.8 >/dev/null 2>&1
npm pack --silent @razee/mustachetemplate@4.0.3 >/dev/null 2>&1
tar xzf razee-mustachetemplate-4.0.3.tgz
cat >render.js <<'JS'
const handlebars = require('handlebars');
handlebars.registerHelper(require('./package/src/handlebar-helpers.js'));
const render = handlebars.compile('image: registry.example/{{pick image defaultImage}}, or {{image}}', { noEscape: true });
for (const values of [{ image: 'web:1' }, { defaultImage: 'web:0' }, {}]) console.log(render(values));
JS
node render.js | tee seen
diff seen - <<'OUT'
image: registry.example/web:1, or web:1
image: registry.example/web:0, or 
image: registry.example/[object Object], or 
OUT
