#!/usr/bin/env bash
# The values of a chart with a list of ports and a nullable number of replicas, from which @bitnami/readme-generator-for-helm 2.7.2
# writes a schema. The values are checked with it by ajv 8.17.1, which knows the keyword `nullable` of OpenAPI.
# Guess: the schema accepts the values from which it was written, and a number where the comment allows null.
# Seen:  it refuses both. A list with `[array]` gets items of the type string and the text "[]" as its default, whatever it contains; what is null
#        gets the type object. So ports as numbers and three replicas are errors, and `"80"` and `{}` are accepted.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund @bitnami/readme-generator-for-helm@2.7.2 ajv@8.17.1 >/dev/null 2>&1
cat >values.yaml <<'YAML'
## @section Web
## @param replicas [nullable] Number of pods, or null where an autoscaler decides
replicas: null
## @param ports [array] Ports of the container
ports: [80, 443]
YAML
printf '# web\n\n## Parameters\n' >README.md
npx readme-generator --values values.yaml --readme README.md --schema schema.json >/dev/null
cat >check.js <<'JS'
const Ajv = require('ajv');
const schema = require('./schema.json');
const check = new Ajv({ strict: false, allErrors: true }).compile(schema);
const { ports } = schema.properties;
console.log(`ports: items ${JSON.stringify(ports.items)}, default ${JSON.stringify(ports.default)}`);
for (const values of [{ replicas: null, ports: [80, 443] }, { replicas: 3 }, { replicas: {}, ports: ['80'] }]) {
  check(values);
  console.log(JSON.stringify(values), (check.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ') || 'accepted');
}
JS
node check.js | tee seen
diff seen - <<'OUT'
ports: items {"type":"string"}, default "[]"
{"replicas":null,"ports":[80,443]} /ports/0 must be string, /ports/1 must be string
{"replicas":3} /replicas must be object
{"replicas":{},"ports":["80"]} accepted
OUT
