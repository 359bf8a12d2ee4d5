#!/usr/bin/env bash
# Two callers of one process wait for a lock of node-redisson 1.0.4 that a third holds for a minute: one for at most 2 s, one for at most
# 50 s. Then the lock is released.
# Guess: the first gives up, and the second gets the lock as soon as it is released.
# Seen:  the first that gives up ends the subscription of the whole process. The message of the release has no receiver, so the
#        second sleeps on beside a lock that is free.
set -euo pipefail
command -v redis-server >/dev/null || { echo 'This script needs redis-server.'; exit 2; }
cd "$(mktemp -d)"
redis-server --port 0 --unixsocket "$PWD/redis" --save '' --appendonly no >/dev/null &
redis=$!
trap 'kill $redis; rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund node-redisson@1.0.4 ioredis@6.0.0 >/dev/null 2>&1
cat >lock.js <<'JS'
const { Redisson } = require('node-redisson');

async function run() {
  const redisson = new Redisson({ redis: { options: { path: `${process.cwd()}/redis` } } });
  const lock = (client) => redisson.getLock('rollout', client);
  const receivers = async () => (await redisson.redis.pubsub('NUMSUB', lock('any').getChannelName()))[1];
  const holder = lock('holder');
  console.log('holder:', await holder.tryLock(0n, 60_000n));
  let patientGotIt = false;
  lock('patient').tryLock(50_000n, 1000n).then((got) => (patientGotIt = got));
  const hasty = lock('hasty').tryLock(2000n, 1000n);
  while ((await receivers()) !== 1) await new Promise((resolve) => setTimeout(resolve, 10));
  console.log('receivers while both wait: 1');
  console.log('hasty:', await hasty);
  console.log('receivers while one waits:', await receivers());
  await holder.unlock();
  await new Promise((resolve) => setTimeout(resolve, 1500));
  console.log(`lock held: ${await holder.isLocked()}, patient has it: ${patientGotIt}`);
  process.exit();
}
run();
JS
node lock.js | tee seen
diff seen - <<'OUT'
holder: true
receivers while both wait: 1
hasty: false
receivers while one waits: 0
lock held: false, patient has it: false
OUT
