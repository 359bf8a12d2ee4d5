#!/usr/bin/env bash
# The memory of the process sleep by its pid, by proc-stats 0.0.4, whose function stats takes a pid, beside
# the memory that Linux reports for it.
# Guess: the memory of sleep, which is below 10 MB.
# Seen:  the memory is the memory of our own process. Only the virtual size belongs to the process of the
#        pid.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund proc-stats@0.0.4 >/dev/null 2>&1
cat >run.js <<'JS'
const { spawn } = require('node:child_process');
const { readFileSync } = require('node:fs');
const processes = require('proc-stats');
const kilobytes = (pid, field) => {
  const lines = readFileSync(`/proc/${pid}/status`, 'utf8').split('\n');
  return Number(lines.find((line) => line.startsWith(field)).match(/\d+/)[0]);
};
const sleep = spawn('sleep', ['30']);
setTimeout(() => processes.stats({ pid: sleep.pid }, (error, { memory, memoryInfo }) => {
  const near = (pid) => Math.abs(memory / 1024 / kilobytes(pid, 'VmRSS') - 1) < 0.2;
  console.log(`memory of sleep is below 10 MB: ${kilobytes(sleep.pid, 'VmRSS') < 10_000}`);
  console.log(`reported memory is that of sleep: ${near(sleep.pid)}, of our process: ${near(process.pid)}`);
  console.log(`reported virtual size is that of sleep: ${memoryInfo.vsize / 1024 === kilobytes(sleep.pid, 'VmSize')}`);
  sleep.kill();
}), 500);
JS
node run.js | tee seen
diff seen - <<'OUT'
memory of sleep is below 10 MB: true
reported memory is that of sleep: false, of our process: true
reported virtual size is that of sleep: true
OUT
