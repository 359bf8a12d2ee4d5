#!/usr/bin/env bash
# A JSON Patch (RFC 6902) that adds a container in front of another, applied by yaml-diff-patch 2.0.0 to YAML and by
# fast-json-patch 3.1.1 to the same object. The same for a container behind the last.
# Guess: both insert it, as the RFC says of `add` with an index of a list.
# Seen:  yaml-diff-patch replaces the container that had the index, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund yaml-diff-patch@2.0.0 yaml@2.9.1 fast-json-patch@3.1.1 >/dev/null 2>&1
cat >patch.js <<'JS'
const { yamlPatch } = require('yaml-diff-patch');
const { applyPatch } = require('fast-json-patch');
const { parse, stringify } = require('yaml');
const names = ({ containers }) => containers.map(({ name }) => name).join(', ');
for (const index of [0, '-']) {
  const pod = { containers: [{ name: 'web' }, { name: 'log' }] };
  const patch = [{ op: 'add', path: `/containers/${index}`, value: { name: 'proxy' } }];
  console.log(`${index}: yaml-diff-patch ${names(parse(yamlPatch(stringify(pod), patch)))}`);
  console.log(`${index}: fast-json-patch ${names(applyPatch(pod, patch).newDocument)}`);
}
JS
node patch.js | tee seen
diff seen - <<'OUT'
0: yaml-diff-patch proxy, log
0: fast-json-patch proxy, web, log
-: yaml-diff-patch web, log, proxy
-: fast-json-patch web, log, proxy
OUT
