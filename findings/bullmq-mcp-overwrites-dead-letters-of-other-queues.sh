#!/usr/bin/env bash
# Failed jobs of two queues of BullMQ, moved to a dead letter queue by the tool `move_failed_jobs_to_dlq` of @adamhancock/bullmq-mcp 1.0.7
# (bullmq 5.56.9): two jobs of `rollouts`, then two of `alerts`. Each queue of BullMQ numbers its jobs from 1.
# Guess: four dead letters; each states the queue that it came from.
# Seen:  two. A dead letter is stored under the number of its job without the queue, so the jobs of `alerts` replace those of
#        `rollouts`, which had been removed from their queue. Both calls report success and the loss is final.
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
for (const name of ['rollouts', 'alerts']) {
  const queue = await failJobs(name, [{ pod: 'web-0' }, { pod: 'web-1' }]);
  const text = await call('move_failed_jobs_to_dlq', { queue: name, jobName: 'diagnose', beforeTimestamp: Date.now() + 1 });
  console.log(`${name}:`, text.match(/moved \d+/)[0]);
  await queue.close();
}
const letters = await call('query_dead_letter_queue', {});
console.log('dead letters:', letters.match(/Failed: .*/g).join(', '));
await client.close();
JS
node queue.mjs | tee seen
diff seen - <<'OUT'
rollouts: moved 2
alerts: moved 2
dead letters: Failed: alerts failed, Failed: alerts failed
OUT
