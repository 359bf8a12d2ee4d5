#!/usr/bin/env bash
# bull-repl 1.10.2, the command line for BullMQ, connected to a Redis on a port of its own, after its command `events-on`, "Turn on logging of
# queue events". The ports to which the program connects are listed.
# Guess: one port: the events are those of the queue that is connected.
# Seen:  the events are read from a second server, the one on port 6379 of this machine. The commands work on one queue, and the
#        events that are shown belong to another, or there are none, and a job that was just added seems not to be noticed.
set -euo pipefail
command -v redis-server >/dev/null || { echo 'This script needs redis-server.'; exit 2; }
cd "$(mktemp -d)"
port=$(node -p "const server = require('node:net').createServer().listen(0); server.unref(); server.address().port")
redis-server --port "$port" --bind 127.0.0.1 --save '' --appendonly no >/dev/null &
redis=$!
trap 'kill $redis; rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"commonjs"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts bull-repl@1.10.2 bullmq@5.56.9 ioredis@5.8.2 >/dev/null 2>&1
cat >ports.js <<'JS'
const { Socket } = require('node:net');
const { connect } = Socket.prototype;
const ports = new Set();
Socket.prototype.connect = function (...values) {
  const { port } = values.flat(2).find((value) => value?.port) ?? {};
  if (port) ports.add(Number(port) === Number(process.env.REDIS_PORT) ? 'the port of the queue' : `port ${port}`);
  return connect.apply(this, values);
};
process.on('exit', () => require('node:fs').writeFileSync('ports', [...ports, ''].join('\n')));
JS
printf 'events-on\nstats\n' >commands
HOME=$PWD REDIS_PORT=$port timeout 60 node -r ./ports.js node_modules/bull-repl/index.js connect rollouts -h 127.0.0.1 -p "$port" -f commands >log 2>&1
cat ports
diff ports - <<'OUT'
the port of the queue
port 6379
OUT
