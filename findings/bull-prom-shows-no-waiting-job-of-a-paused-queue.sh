#!/usr/bin/env bash
# Three jobs of a queue of bull 4.16.5 on a Redis of its own, as metrics by bull-prom 3.1.1, before and after the queue is
# paused.
# Guess: three waiting jobs both times. A paused queue still holds its jobs.
# Seen:  none after the pause. Bull counts the jobs of a paused queue under another name, which the package leaves out, so
#        they are in none of its series.
set -euo pipefail
command -v redis-server >/dev/null || { echo 'This script needs redis-server.'; exit 2; }
cd "$(mktemp -d)"
port=$(node -p "const server = require('node:net').createServer().listen(0); server.unref(); server.address().port")
redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no >/dev/null &
redis=$!
trap 'kill $redis; rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts bull@4.16.5 bull-prom@3.1.1 prom-client@15.1.3 >/dev/null 2>&1
cat >run.js <<'JS'
const Queue = require('bull');
const client = require('prom-client');
const { init } = require('bull-prom');
const { setTimeout: sleep } = require('node:timers/promises');
(async () => {
  const queue = new Queue('rollouts', `redis://127.0.0.1:${process.argv[2]}`);
  await queue.addBulk([{ data: {} }, { data: {} }, { data: {} }]);
  const { stop } = init({ promClient: client, interval: 50 }).start(queue);
  const show = async name => {
    await sleep(500);
    const metrics = (await client.register.metrics()).split('\n').filter(line => /^jobs_\w+_total\{/.test(line));
    const counts = metrics.map(line => line.match(/^jobs_(\w+)_total.* (\d+)$/)).filter(([, , count]) => count !== '0');
    console.log(`${name}: ${counts.map(([, kind, count]) => `${kind} ${count}`).join(', ') || 'all series are zero'}`);
  };
  await show('before the pause');
  await queue.pause();
  await show('after the pause');
  stop();
  await queue.close();
})();
JS
timeout 60 node run.js "$port" | tee seen
diff seen - <<'OUT'
before the pause: waiting 3
after the pause: all series are zero
OUT
