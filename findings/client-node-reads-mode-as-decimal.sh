#!/usr/bin/env bash
# `defaultMode: 0644` of a volume, read by loadYaml of @kubernetes/client-node 2.0.1 (js-yaml 5).
# Guess: 420, as kubectl reads it (sigs.k8s.io/yaml keeps the octal numbers of YAML 1.1), so the same manifest means the same.
# Seen:  644 in decimal. The API server allows at most 511 (octal 0777), so a manifest that kubectl applies is refused;
#        0444 and 0400 (decimal 444 and 400) are accepted and set other permissions than the file says.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module","overrides":{"undici":"7.16.0"}}' >package.json
npm install --silent --no-audit --no-fund @kubernetes/client-node@2.0.1 >/dev/null 2>&1
cat >read.mjs <<'EOF'
import { loadYaml } from '@kubernetes/client-node';
const read = (mode) =>
  loadYaml(`apiVersion: v1
kind: Pod
metadata: { name: a }
spec:
  containers: [{ name: a, image: a }]
  volumes: [{ name: keys, secret: { secretName: keys, defaultMode: ${mode} } }]
`).spec.volumes[0].secret.defaultMode;
for (const mode of ['0644', '0400', '0o644', '420']) console.log(mode, read(mode));
EOF
node read.mjs | tee seen
diff seen - <<'EOF'
0644 644
0400 400
0o644 420
420 420
EOF
