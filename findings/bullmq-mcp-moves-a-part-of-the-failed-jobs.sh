#!/usr/bin/env bash
# An assistant moves 250 failed jobs of BullMQ to a dead letter queue by the tool `move_failed_jobs_to_dlq` of @adamhancock/bullmq-mcp
# 1.0.7 (bullmq 5.56.9), after a dry run.
# Guess: the dry run states 250, and then 250 are moved.
# Seen:  the dry run states 250, and 150 are moved "successfully". The tool reads the failed jobs by hundreds and removes them while it
#        counts on, so it leaves out every second hundred. A retry of what is left, on the ground that the others are in
#        the dead letter queue, runs 100 jobs that were to rest.
set -euo pipefail
command -v redis-server >/dev/null || { echo 'This script needs redis-server.'; exit 2; }
cd "$(mktemp -d)"
redis-server --port 0 --unixsocket "$PWD/redis" --save '' --appendonly no >/dev/null &
redis=$!
trap 'kill $redis; rm -rf "$PWD"' EXIT
echo '{"private":true,"type":"module"}' >package.json
npm install --silent --no-audit --no-fund @adamhancock/bullmq-mcp@1.0.7 bullmq@5.56.9 @modelcontextprotocol/sdk@1.17.0 >/dev/null 2>&1
cat >queue.mjs <<'JS'
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Queue, Worker } from 'bullmq';

const connection = { path: `${process.cwd()}/redis`, maxRetriesPerRequest: null };
const failJobs = async (name, jobs) => {
  const queue = new Queue(name, { connection });
  await queue.addBulk(jobs.map((data) => ({ name: 'diagnose', data })));
  const worker = new Worker(name, () => Promise.reject(new Error(`${name} failed`)), { connection, concurrency: 50 });
  while ((await queue.getFailedCount()) < jobs.length) await new Promise((done) => setTimeout(done, 50));
  await worker.close();
  return queue;
};
const client = new Client({ name: 'model', version: '1.0.0' });
await client.connect(new StdioClientTransport({ command: 'node', args: ['node_modules/@adamhancock/bullmq-mcp/dist/index.js'] }));
const call = async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;
await call('connect', { id: 'production', url: connection.path });
const queue = await failJobs('rollouts', Array.from({ length: 250 }, (_, pod) => ({ pod })));
const moved = { queue: 'rollouts', jobName: 'diagnose', beforeTimestamp: Date.now() + 1 };
const summary = (text) => text.match(/(?:Would move|moved) \d+/)[0];
console.log('dry run:', summary(await call('move_failed_jobs_to_dlq', { ...moved, dryRun: true })));
console.log('real run:', summary(await call('move_failed_jobs_to_dlq', moved)));
console.log('still failed:', await queue.getFailedCount());
await queue.close();
await client.close();
JS
node queue.mjs | tee seen
diff seen - <<'OUT'
dry run: Would move 250
real run: moved 150
still failed: 100
OUT
