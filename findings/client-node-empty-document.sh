#!/usr/bin/env bash
# A file of several manifests in which one document is empty (a template that rendered to nothing), read by loadAllYaml of
# @kubernetes/client-node 2.0.1.
# Guess: the empty document is skipped, as `kubectl apply -f` does.
# Seen:  the whole file is refused with a TypeError that names neither the file nor the document.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module","overrides":{"undici":"7.16.0"}}' >package.json
npm install --silent --no-audit --no-fund @kubernetes/client-node@2.0.1 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { loadAllYaml } from '@kubernetes/client-node';
const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }\n';
for (const [name, text] of [
  ['two documents', `${configMap}---\n${configMap}`],
  ['an empty one between', `${configMap}---\n# Source: chart/templates/hpa.yaml\n---\n${configMap}`],
]) {
  try {
    console.log(`${name}: ${loadAllYaml(text).length} objects`);
  } catch (error) {
    console.log(`${name}: ${error.name}: ${error.message}`);
  }
}
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
two documents: 2 objects
an empty one between: TypeError: Cannot read properties of null (reading 'apiVersion')
EOF
