#!/usr/bin/env bash
# Lines of jsout 4.1.0 with the level from the environment. The description gives the number and the name of
# each level: 3 is `error`.
# Guess: `LOG=3` and `LOG=error` log the same lines.
# Seen:  `LOG=3` logs each line, down to debug. The number is turned into a name, and no level is above a
#        name.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund jsout@4.1.0 >/dev/null 2>&1
cat >log.js <<'JS'
const { execFileSync } = require('node:child_process');
const code = "const { logger } = require('jsout'); logger.debug('d'); logger.info('i'); logger.notice('n');";
for (const LOG of ['error', '3', 'notice', '5']) {
  const lines = execFileSync(process.execPath, ['-e', code], { env: { ...process.env, LOG }, encoding: 'utf8' });
  console.log(`LOG=${LOG}: ${lines.split('\n').length - 1} lines below a warning`);
}
JS
node log.js | tee seen
diff seen - <<'OUT'
LOG=error: 0 lines below a warning
LOG=3: 3 lines below a warning
LOG=notice: 1 lines below a warning
LOG=5: 3 lines below a warning
OUT
