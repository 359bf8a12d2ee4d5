#!/usr/bin/env bash
# A check of Kuberhealthy that fails and has no message, such as an error with an empty list of causes, reported by kuberhealthy
# 0.0.15, the client for JavaScript.
# Guess: `ReportFailure([])` reports a failure without a message, or refuses the call.
# Seen:  it reports success: only the number of messages decides, not the function that was called. The check stays green while
#        what it checks fails.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund kuberhealthy@0.0.15 >/dev/null 2>&1
cat >report.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import kuberhealthy from 'kuberhealthy';

const server = createServer(async (request, response) => {
  for await (const part of request) console.log(`${part}`);
  response.end();
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.env.KH_REPORTING_URL = `http://127.0.0.1:${server.address().port}`;
await kuberhealthy.ReportFailure(['no pod is ready']);
await kuberhealthy.ReportFailure([]);
process.exit();
EOF
node report.mjs | tee seen
diff seen - <<'EOF'
{"Errors":["no pod is ready"],"OK":false}
{"Errors":[],"OK":true}
EOF
