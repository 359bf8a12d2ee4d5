import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { withWorkloads } from '../generated-cluster/with-workloads.js';
import { builtCommand, measured } from '../measure/measured-process.js';
import { type Figure, megabytes, type Table } from '../report/table.js';
import { writeDump } from './recorded-dump.js';

const pods = 50_000;

const Answer = z.object({ workloads: z.number(), unchecked: z.number(), items: z.array(z.unknown()) });

/**
 * `scan --fragile` on a recording of a whole cluster: every workload is diagnosed, and its next update
 * simulated.
 *
 * @param version the folder of another version; this one by default
 */
export async function measureFleetReport(version?: string): Promise<Table> {
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-fleet-'));
  try {
    const path = join(folder, 'cluster.json');
    await writeDump(path, pods, withWorkloads);
    const { size } = await stat(path);
    const run = await measured({
      program: [await builtCommand(version)],
      arguments: ['scan', '-A', '--fragile', '--from', path, '--output', 'json'],
      allowed: [0, 1],
    });
    const { workloads, unchecked, items } = Answer.parse(JSON.parse(run.output));
    const count = (value: number): Figure => ({ value, unit: '' });
    return {
      id: 'fleet-report',
      title: 'Which workloads of a cluster deadlock at their next update: scan -A --fragile',
      about: 'The built command line from its start to its end on one JSON list as kubectl prints it.',
      columns: ['workloads', 'listed', 'not computed', 'size of the file', 'time', 'memory at most'],
      rows: [
        {
          name: `5,000 nodes, ${pods.toLocaleString('en')} pods`,
          figures: [
            count(workloads),
            count(items.length),
            count(unchecked),
            megabytes(size),
            { value: run.seconds, unit: 's' },
            megabytes(run.peak),
          ],
        },
      ],
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
