#!/usr/bin/env bash
# Manifests that @kosko/migrate 2.0.2 turns into JavaScript: a Deployment, a Function of Crossplane and a Package of Carvel.
# Guess: a script that returns the manifests, for every kind that Kubernetes accepts.
# Seen:  each variable gets the name of its kind, also when this is a keyword: `const function = …` and `const package = …` are no
#        JavaScript, so the whole file, with the Deployment in it, cannot be loaded. The migration itself reports no error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @kosko/migrate@2.0.2 >/dev/null 2>&1
cat >migrate.js <<'JS'
const { Script } = require('node:vm');
const { migrateString } = require('@kosko/migrate');
const manifests = {
  deployment: 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\n',
  function: 'apiVersion: pkg.crossplane.io/v1\nkind: Function\nmetadata: {name: web}\n',
  package: 'apiVersion: data.packaging.carvel.dev/v1alpha1\nkind: Package\nmetadata: {name: web}\n',
};
(async () => {
  for (const [name, manifest] of Object.entries(manifests)) {
    const script = await migrateString(manifest);
    try {
      new Script(script);
      console.log(`${script.match(/const \w+ =/)[0]} …: can be loaded`);
    } catch (error) {
      console.log(`${script.match(/const \w+ =/)[0]} …: ${error.name}`);
    }
  }
})();
JS
node migrate.js | tee seen
diff seen - <<'OUT'
const deployment = …: can be loaded
const function = …: SyntaxError
const package = …: SyntaxError
OUT
