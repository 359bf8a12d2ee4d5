#!/usr/bin/env bash
# Expressions of alert rules, read and written back by the parser of @fbcnms/alarms 1.0.5, with which its editor shows and saves rules.
# Guess: the same expression, apart from spaces.
# Seen:  the offset of a range is written before the range, where Prometheus allows none, and one backslash of a label is lost, which leaves
#        an escape sequence that Prometheus does not know. A rule that is opened and saved without a change is invalid.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund nearley@2.20.1 moo@0.5.2 esbuild@0.25.12 >/dev/null 2>&1
npm pack --silent @fbcnms/alarms@1.0.5 >/dev/null 2>&1
tar xzf fbcnms-alarms-1.0.5.tgz
cat >write.mjs <<'JS'
import { Parse } from './package/lib/components/prometheus/PromQLParser.js';
for (const text of ['up offset 1h', 'rate(failed_total[5m])', 'rate(failed_total[5m] offset 1h)', 'up{pod=~"web-\\\\d+"}']) {
  console.log(`${text} is written as ${Parse(text).toPromQL()}`);
}
JS
npx esbuild write.mjs --bundle --platform=node --outfile=write.js --log-level=error
node write.js | tee seen
diff seen - <<'OUT'
up offset 1h is written as up offset 1h
rate(failed_total[5m]) is written as rate(failed_total[5m])
rate(failed_total[5m] offset 1h) is written as rate(failed_total offset 1h[5m])
up{pod=~"web-\\d+"} is written as up{pod=~"web-\d+"}
OUT
