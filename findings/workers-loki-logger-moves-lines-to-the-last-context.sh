#!/usr/bin/env bash
# Two rollouts that are logged by workers-loki-logger 0.1.15, each with its name in the context (`mdcSet`), and sent to Loki together.
# Guess: each line has the context in which it was logged, as on the console.
# Seen:  on the console it has. In what is sent, every line has the context of the moment of sending, so `web` is reported as ready with the
#        name `cart` on both lines, and a search for `rollout=web` finds nothing.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund workers-loki-logger@0.1.15 >/dev/null 2>&1
cat >log.mjs <<'JS'
import { Logger } from 'workers-loki-logger';
const show = (where) => (line) => console.log(`${where}: ${line}`);
const logger = new Logger({
  stream: { app: 'bot' },
  lokiSecret: '',
  logReceiver: { info: show('console'), error: show('console') },
  fetch: async (url, { body }) => JSON.parse(body).streams[0].values.forEach(([, line]) => show('Loki')(line)),
});
logger.mdcSet('rollout', 'web');
logger.error('is stuck');
logger.mdcSet('rollout', 'cart');
logger.info('is ready');
await logger.flush();
JS
node log.mjs | tee seen
diff seen - <<'OUT'
console: rollout=web is stuck
console: rollout=cart is ready
Loki: rollout=cart level=error is stuck
Loki: rollout=cart level=info is ready
OUT
