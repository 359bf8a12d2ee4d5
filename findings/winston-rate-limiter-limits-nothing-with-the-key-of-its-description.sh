#!/usr/bin/env bash
# The levels of a logger, limited to one line by winston-rate-limiter 0.0.2, whose configuration has "key as log_level". The key of the description
# is `DEBUG`. Three lines are written with this key, and three with the key `debug`. One token is there at the start, and none is added.
# Guess: one line with each key.
# Seen:  all three lines with the key of the description. The levels of winston are written in lower case, and a level without a
#        configuration is not limited.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston-rate-limiter@0.0.2 winston@3.17.0 >/dev/null 2>&1
cat >log.js <<'JS'
const { Writable } = require('node:stream');
const winston = require('winston');
const { rateLimitingFormat } = require('winston-rate-limiter').utils;

for (const key of ['DEBUG', 'debug']) {
  let lines = 0;
  const stream = new Writable({ write: (_line, _encoding, done) => done(void (lines += 1)) });
  const format = rateLimitingFormat({ [key]: { tokensPerSec: 0, startingTokens: 1 } });
  const logger = winston.createLogger({ level: 'debug', format, transports: [new winston.transports.Stream({ stream })] });
  for (const line of ['first', 'second', 'third']) logger.debug(line);
  setImmediate(() => console.log(`${key}: ${lines} of 3 lines`));
}
JS
node log.js | tee seen
diff seen - <<'OUT'
DEBUG: 3 of 3 lines
debug: 1 of 3 lines
OUT
