#!/usr/bin/env bash
# A leader of safe-redis-leader 0.0.6 renews its key. The client of Redis fails one renewal and answers each
# later one. The key expires meanwhile, so another replica may take it.
# Guess: the leader renews again, or the event `demoted` states that it leads no more.
# Seen:  the event `error`, no more renewal and no `demoted`. The process keeps the role of the leader by its
#        own events, while its key expires. The comparison renews without an error.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund safe-redis-leader@0.0.6 >/dev/null 2>&1
cat >lead.js <<'JS'
const { createSafeRedisLeader } = require('safe-redis-leader');
const lead = async (fails) => {
  let renewals = 0;
  const asyncRedis = {
    set: async () => 'OK',
    getIsEqualSetPExpire: async () => {
      renewals += 1;
      if (fails && renewals === 1) throw new Error('lost');
      return 1;
    },
  };
  const leader = await createSafeRedisLeader({ asyncRedis, ttl: 40, wait: 20, key: 'leader' });
  const events = [];
  for (const event of ['elected', 'demoted', 'error']) leader.on(event, () => events.push(event));
  await leader.elect();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  console.log(`${fails ? 'one error' : 'no error'}: ${events.join(', ')}, renews: ${renewals > 1}`);
};
lead(false)
  .then(() => lead(true))
  .then(() => process.exit(0));
JS
node lead.js | tee seen
diff seen - <<'OUT'
no error: elected, renews: true
one error: elected, error, renews: false
OUT
