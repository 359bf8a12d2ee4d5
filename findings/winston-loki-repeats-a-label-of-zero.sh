#!/usr/bin/env bash
# Log lines with the exit code of a container as a label, sent by winston-loki 6.1.7 to a server that accepts what Loki accepts: labels that
# are strings.
# Guess: every label is sent as a string; if one is not, only its own line is lost.
# Seen:  zero stays a number (as does false), so the request of the successful container is refused. The batch is kept for the next
#        request, and each later line that is refused with it is kept too: nothing reaches Loki any more after the first zero.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston@3.19.0 winston-loki@6.1.7 >/dev/null 2>&1
cat >log.js <<'JS'
const { createServer } = require('node:http');
const { createLogger } = require('winston');
const LokiTransport = require('winston-loki');

const server = createServer(async (request, response) => {
  const { streams } = JSON.parse(Buffer.concat(await request.toArray()).toString());
  const accepted = streams.every(({ stream }) => Object.values(stream).every((value) => typeof value === 'string'));
  const lines = streams.flatMap(({ stream, values }) => values.map(([, line]) => `${line.slice(0, 11)} (${JSON.stringify(stream.exitCode)})`));
  console.log(`${accepted ? 'accepted' : 'refused'}: ${lines.join(', ')}`);
  response.writeHead(accepted ? 204 : 400).end();
});
server.listen(0, '127.0.0.1', async () => {
  const host = `http://127.0.0.1:${server.address().port}`;
  const loki = new LokiTransport({ host, json: true, gracefulShutdown: false, onConnectionError: () => {} });
  const logger = createLogger({ transports: [loki] });
  for (const [message, exitCode] of [['web-0 ended', 137], ['web-1 ended', 0], ['web-2 ended', 1]]) {
    logger.info({ message, labels: { exitCode } });
    await new Promise(setImmediate);
    await loki.batcher.sendBatchToLoki().catch(() => {});
  }
  process.exit();
});
JS
node log.js | tee seen
diff seen - <<'OUT'
accepted: web-0 ended ("137")
refused: web-1 ended (0)
refused: web-1 ended (0), web-2 ended ("1")
OUT
