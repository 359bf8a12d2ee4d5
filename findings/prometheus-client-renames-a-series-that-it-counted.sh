#!/usr/bin/env bash
# A counter of prometheus-client 0.1.1. The program counts two failures of the pod web-1, changes the label in
# the same object and counts one failure of web-2.
# Guess: web-1 with 2 and web-2 with 1.
# Seen:  both series have the label web-2. The client keeps the object of the labels and not its values, so the
#        failures of web-1 are reported for web-2, and the page has one series twice.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund prometheus-client@0.1.1 >/dev/null 2>&1
cat >labels.js <<'JS'
const Prometheus = require('prometheus-client');
const client = new Prometheus();
const failures = client.newCounter({ name: 'failures_total', help: 'Failures of pods' });
const labels = { pod: 'web-1' };
failures.increment(labels);
failures.increment(labels);
labels.pod = 'web-2';
failures.increment(labels);
let page = '';
client.metricsFunc()({}, { writeHead: () => undefined, write: (text) => (page += text), end: () => undefined });
console.log(page.split('\n').filter((line) => line.startsWith('failures_total')).join('\n'));
JS
node labels.js | tee seen
diff seen - <<'OUT'
failures_total{pod="web-2"} 2
failures_total{pod="web-2"} 1
OUT
