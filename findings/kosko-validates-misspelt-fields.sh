#!/usr/bin/env bash
# Deployments with one misspelt field each, loaded and validated by kosko (@kosko/yaml 1.0.2 with kubernetes-models 5.1.0), beside
# one with a value of the wrong type.
# Guess: all are refused. `kubectl apply` refuses a field that the schema does not have, and the validator has that schema.
# Seen:  only the wrong type is refused. A `readinesProbe` passes the check of the pipeline and stands in what it writes, so
#        a client that lets the API server drop unknown fields rolls out pods that count as ready at once.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund kubernetes-models@5.1.0 @kosko/yaml@1.0.2 >/dev/null 2>&1
cat >check.mjs <<'EOF'
import { loadString } from '@kosko/yaml';
const manifest = (line) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web }
spec:
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      containers:
      - name: web
        ${line}
`;
for (const line of ['image: 2', 'readinesProbe: { httpGet: { port: 80 } }', 'livenessProbe: { httpGet: { port: 80 }, periodSecond: 5 }']) {
  const [deployment] = await loadString(manifest(line));
  try {
    deployment.validate();
    console.log(`${line}: valid`);
  } catch (error) {
    console.log(`${line}: ${error.message}`);
  }
}
EOF
node check.mjs | tee seen
diff seen - <<'EOF'
image: 2: data/spec/template/spec/containers/0/image must be string
readinesProbe: { httpGet: { port: 80 } }: valid
livenessProbe: { httpGet: { port: 80 }, periodSecond: 5 }: valid
EOF
