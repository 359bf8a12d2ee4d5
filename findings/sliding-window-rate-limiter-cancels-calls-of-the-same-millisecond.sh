#!/usr/bin/env bash
# Three calls reserved in the same millisecond by the limiter in memory of sliding-window-rate-limiter 6.0.1. One of them is cancelled by the token
# that its reservation returned. The script holds the clock.
# Guess: one call is cancelled, and two are left.
# Seen:  all three are cancelled. The token is the time in milliseconds, so calls of one millisecond share it. Each burst with one
#        cancelled call frees the places of the others, and more calls pass than the limit allows.
set -euo pipefail
cd "$(mktemp -d)"
trap 'rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund sliding-window-rate-limiter@6.0.1 >/dev/null 2>&1
cat >cancel.js <<'JS'
import { MemorySlidingWindowRateLimiter } from 'sliding-window-rate-limiter';
Date.prototype.getTime = () => 1767225600000;
const limiter = new MemorySlidingWindowRateLimiter({ interval: 60_000 });
const tokens = [];
for (let call = 0; call < 3; call += 1) tokens.push((await limiter.reserve('chat.postMessage', 3)).token);
const { canceled } = await limiter.cancel('chat.postMessage', tokens[0]);
console.log(`different tokens: ${new Set(tokens).size}, cancelled: ${canceled}, left: ${(await limiter.check('chat.postMessage', 3)).usage}`);
limiter.destroy();
JS
node cancel.js | tee seen
diff seen - <<'OUT'
different tokens: 1, cancelled: 3, left: 0
OUT
