import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import type { ApiObject } from '../generated-cluster/api-object.js';
import { deadlocked, gpuDeadlock } from '../generated-cluster/deadlock.js';
import { generateCluster } from '../generated-cluster/generate-cluster.js';
import { builtCommand, measured } from '../measure/measured-process.js';
import { type Figure, megabytes, type Table } from '../report/table.js';
import { asKubectlPrints } from './as-kubectl-prints.js';

const shape = { seed: 1, nodes: 5_000, deadlocks: [gpuDeadlock()], zones: 3 };
const objectsOf = { small: 3_000, large: 29_000 } as const;

const Answer = z.object({
  findings: z.array(z.object({ cause: z.string(), confidence: z.string() })),
});

/**
 * The built command line on a dump of a whole cluster, against one that is a tenth of it.
 *
 * @param version the folder of another version; this one by default
 */
export async function measureRecordedDump(version?: string): Promise<Table> {
  const folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-dump-'));
  try {
    const small = await look(folder, objectsOf.small, version);
    const large = await look(folder, objectsOf.large, version);
    const seconds = (value: number): Figure => ({ value, unit: 's' });
    return {
      id: 'recorded-dump',
      title: 'A dump of a whole cluster: diagnose --from',
      about:
        'The built command line from its start to its end on one JSON list as kubectl prints it, managedFields included.',
      columns: ['size of the file', 'time', 'memory at most'],
      rows: [small, large].map(({ pods, bytes, run }) => ({
        name: `${shape.nodes.toLocaleString('en')} nodes, ${pods.toLocaleString('en')} pods`,
        figures: [megabytes(bytes), seconds(run.seconds), megabytes(run.peak, 1_000)],
      })),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function look(folder: string, pods: number, version: string | undefined) {
  const path = join(folder, `${pods}.json`);
  await writeDump(path, pods);
  const { size: bytes } = await stat(path);
  const { namespace, name } = deadlocked;
  const run = await measured({
    program: [await builtCommand(version)],
    arguments: ['diagnose', `${namespace}/${name}`, '--from', path, '--output', 'json'],
    allowed: [1],
  });
  const [first] = Answer.parse(JSON.parse(run.output)).findings;
  if (first?.cause !== 'surge-deadlock' || first.confidence !== 'proven') {
    throw new Error(`not the expected proof: ${JSON.stringify(first)}`);
  }
  return { pods, bytes, run };
}

/** Writes the cluster with so many pods as one JSON list. `change` adds to its objects. */
export async function writeDump(path: string, pods: number, change: Change = (all) => all): Promise<void> {
  await pipeline(Readable.from(listOf(pods, change)), createWriteStream(path));
}

type Change = (objects: Iterable<ApiObject>) => Iterable<ApiObject>;

/** `kubectl get … -A -o json`, indented by four. */
function* listOf(pods: number, change: Change): Generator<string> {
  yield '{\n    "apiVersion": "v1",\n    "items": [\n';
  let comma = '';
  for (const object of change(generateCluster({ ...shape, pods }))) {
    yield comma + asKubectlPrints(object);
    comma = ',\n';
  }
  yield '\n    ],\n    "kind": "List",\n    "metadata": {"resourceVersion": ""}\n}\n';
}
