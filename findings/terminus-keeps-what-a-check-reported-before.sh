#!/usr/bin/env bash
# Two health checks of @godaddy/terminus 4.12.1 with `verbatim: true`, which answers with the object that the check returns.
# Guess: each response holds what this check returned now.
# Seen:  all checks write into one object, which keeps every key for the life of the process. A warning that is over stays in the
#        response of `/ready` beside the new state, and `/live` repeats it. A monitor that reads the response finds a problem until
#        the pod restarts. A check that returns nothing answers with the first object.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @godaddy/terminus@4.12.1 >/dev/null 2>&1
cat >check.mjs <<'EOF'
import { once } from 'node:events';
import { createServer } from 'node:http';
import terminus from '@godaddy/terminus';

let queue = { warning: 'the queue is slow' };
const server = createServer((request, response) => response.end());
terminus.createTerminus(server, {
  healthChecks: { verbatim: true, '/ready': async () => queue, '/live': async () => ({ uptime: 60 }), '/startup': async () => {} },
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const show = async (path) => {
  const response = await fetch(`http://127.0.0.1:${server.address().port}${path}`);
  console.log(path, await response.text());
};
await show('/ready');
queue = { jobs: 0 };
await show('/ready');
await show('/live');
await show('/startup');
process.exit();
EOF
node check.mjs | tee seen
diff seen - <<'EOF'
/ready {"status":"ok","warning":"the queue is slow"}
/ready {"status":"ok","warning":"the queue is slow","jobs":0}
/live {"status":"ok","warning":"the queue is slow","jobs":0,"uptime":60}
/startup {"status":"ok"}
EOF
