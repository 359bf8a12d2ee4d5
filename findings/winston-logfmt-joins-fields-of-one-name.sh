#!/usr/bin/env bash
# A line about the image before and after a change, written by winston 3.19.0 with the format of winston-logfmt 1.0.0, which adds the name
# of the outer field to the name of the inner one.
# Guess: `before_image_tag=1.0 after_image_tag=1.1`.
# Seen:  only the innermost two names are kept, so both fields are called `image_tag` on one line. A reader of logfmt keeps one of
#        them, and which image ran before is lost, while fields that are one level less deep are told apart.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston@3.19.0 winston-logfmt@1.0.0 >/dev/null 2>&1
cat >log.js <<'JS'
const winston = require('winston');
const { logFmtFormat } = require('winston-logfmt');
const logger = winston.createLogger({ format: logFmtFormat(), transports: [new winston.transports.Console()] });
logger.info('changed', { before: { tag: '1.0' }, after: { tag: '1.1' } });
logger.info('changed', { before: { image: { tag: '1.0' } }, after: { image: { tag: '1.1' } } });
JS
node log.js | sed 's/ *$//' | tee seen
diff seen - <<'OUT'
before_tag=1.0 after_tag=1.1 level=info message=changed
image_tag=1.0 image_tag=1.1 level=info message=changed
OUT
