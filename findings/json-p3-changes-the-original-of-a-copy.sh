#!/usr/bin/env bash
# A JSON Patch that copies a container of a pod template and changes the name and the port of the copy, applied by json-p3 2.3.1. The patch
# that adds the same container as a value serves as the comparison.
# Guess: `web` stays, and `canary` is beside it.
# Seen:  the copy is the same object as its original, so the patch changes both. The template has two containers with the name
#        `canary`, and `web` is gone, without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund json-p3@2.3.1 >/dev/null 2>&1
cat >patch.mjs <<'JS'
import { jsonpatch } from 'json-p3';
const web = { name: 'web', image: 'web:1', port: 8080 };
const changes = [
  { op: 'replace', path: '/containers/1/name', value: 'canary' },
  { op: 'replace', path: '/containers/1/port', value: 8081 },
];
const patches = {
  add: { op: 'add', path: '/containers/-', value: { ...web } },
  copy: { op: 'copy', from: '/containers/0', path: '/containers/-' },
};
for (const [name, first] of Object.entries(patches)) {
  const { containers } = jsonpatch.apply([first, ...changes], { containers: [{ ...web }] });
  console.log(`${name}: ${containers.map((container) => `${container.name} on ${container.port}`).join(', ')}`);
}
JS
node patch.mjs | tee seen
diff seen - <<'OUT'
add: web on 8080, canary on 8081
copy: canary on 8081, canary on 8081
OUT
