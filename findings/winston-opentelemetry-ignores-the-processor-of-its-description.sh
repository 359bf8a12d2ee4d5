#!/usr/bin/env bash
# The transport of winston-opentelemetry 1.0.0 with the option `logRecordProcessorOptions` of its description,
# which asks for the console. The comparison has the same fields in the options themselves.
# Guess: the line is printed by the option that is described.
# Seen:  nothing is printed, without an error. The option is not read, so the lines go to the default
#        collector in batches. The fields in the options themselves work.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund winston-opentelemetry@1.0.0 winston@3.19.0 >/dev/null 2>&1
cat >log.js <<'JS'
const winston = require('winston');
const Transport = require('winston-opentelemetry');
const processor = { recordProcessorType: 'simple', exporterOptions: { protocol: 'console' } };
let printed = 0;
console.dir = () => (printed += 1);
for (const [name, options] of [['described', { logRecordProcessorOptions: processor }], ['direct', processor]]) {
  printed = 0;
  require('@opentelemetry/api-logs').logs.disable();
  winston.createLogger({ transports: [new Transport(options)] }).error('rollout is late');
  console.log(`${name}: ${printed} lines`);
}
process.exit(0);
JS
node log.js | tee seen
diff seen - <<'OUT'
described: 0 lines
direct: 1 lines
OUT
