#!/usr/bin/env bash
# Two probes of fastify 5.12.8 with arecibo 4.0.4. The callback of the readiness probe returns an object, and a
# route of fastify beside it returns the same object.
# Guess: the object as JSON in both cases.
# Seen:  the probe answers "[object Object]". The plugin declares each answer as a text, so the details of a
#        check are lost.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund arecibo@4.0.4 fastify@5.12.8 >/dev/null 2>&1
cat >probe.js <<'JS'
const fastify = require('fastify')();
const details = async () => ({ database: 'up', queue: 'up' });
fastify.get('/details', details);
fastify.register(require('arecibo'), { readinessURL: '/ready', livenessURL: '/live', readinessCallback: details });
(async () => {
  for (const url of ['/details', '/ready']) console.log(`${url}: ${(await fastify.inject(url)).body}`);
})();
JS
node probe.js | tee seen
diff seen - <<'OUT'
/details: {"database":"up","queue":"up"}
/ready: "[object Object]"
OUT
