#!/usr/bin/env bash
# A candidate of redis-leader 0.1.0, which tries each 20 ms to become the leader. The client of Redis fails
# one command, as in a short loss of the connection, and answers each later one.
# Guess: the event `error`, and the candidate is elected by the next try.
# Seen:  the event `error`, and no try any more. One lost answer takes the candidate out of the election, and
#        a deployment whose replicas all saw the same loss has no leader.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund redis-leader@0.1.0 >/dev/null 2>&1
cat >elect.js <<'JS'
const Leader = require('redis-leader');
for (const lost of [0, 1]) {
  let commands = 0;
  const redis = {
    set: (...args) => {
      commands += 1;
      args.at(-1)(commands === lost ? new Error('lost') : null, 'OK');
    },
  };
  const candidate = new Leader(redis, { ttl: 60_000, wait: 20 });
  const events = [];
  for (const event of ['elected', 'error']) candidate.on(event, () => events.push(event));
  candidate.elect();
  setTimeout(() => {
    console.log(`${lost} lost: ${events.join(', ')}, tries: ${commands}`);
    clearInterval(candidate.renewId);
    clearTimeout(candidate.electId);
  }, 300 + lost);
}
JS
node elect.js | tee seen
diff seen - <<'OUT'
0 lost: elected, tries: 1
1 lost: error, tries: 1
OUT
