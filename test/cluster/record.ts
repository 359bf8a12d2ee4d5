import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startCluster } from './harness/cluster.js';
import { writeScenario } from './harness/write-scenario.js';
import { allRecordings, type Controllers, type Recording } from './recordings.js';

/**
 * `tsx test/cluster/record.ts PATH…` brings incidents about, each in a control plane of its own, and writes
 * them into `test/scenarios/PATH`. A path names one of them or a folder of them, such as `surge-pods`,
 * `controls` or `queues/deadlock-by-the-quota`. Exits with 1 when one could not be brought about in three
 * attempts.
 */
const maxAttempts = 3;
const paths = process.argv.slice(2);
const isBelow = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const chosen = allRecordings.filter(({ path }) => paths.some((asked) => isBelow(path, asked)));
const unknown = paths.filter((asked) => !allRecordings.some(({ path }) => isBelow(path, asked)));
if (unknown.length > 0 || paths.length === 0) {
  const known = allRecordings.map(({ path }) => path).join(', ');
  console.error(`There is nothing to record at ${unknown.join(', ') || 'no path'}; there are ${known}.`);
  process.exit(2);
}

for (const recording of chosen) {
  if (!(await isRecorded(recording))) process.exitCode = 1;
}

async function isRecorded(recording: Recording): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
    const since = Date.now();
    try {
      const count = await record(recording);
      const seconds = Math.round((Date.now() - since) / 1_000);
      console.log(`${recording.path} is recorded: ${count} objects (${seconds} s)`);
      return true;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      console.error(`${recording.path} did not come about: ${message.slice(0, 2_000)}`);
    }
  }
  return false;
}

async function record({ path, prepare, featureGates = {}, bringAbout }: Recording): Promise<number> {
  const folder = join('test', 'scenarios', path);
  const cluster = await startCluster({ featureGates });
  let beside: Controllers | undefined;
  try {
    beside = await prepare?.(cluster);
    const { logs = new Map(), holders = [], expected, ...scene } = await bringAbout(cluster);
    await rm(folder, { recursive: true, force: true });
    const count = await writeScenario(cluster, folder, {
      ...scene,
      expected: { ...expected, ...(holders.length === 0 ? {} : { holders }) },
    });
    if (logs.size > 0) await mkdir(join(folder, 'logs'), { recursive: true });
    for (const [name, text] of logs) await writeFile(join(folder, 'logs', `${name}.log`), text);
    return count;
  } catch (error) {
    if (beside !== undefined) console.error(beside.logs(5));
    throw error;
  } finally {
    await beside?.stop();
    await cluster.stop();
  }
}
