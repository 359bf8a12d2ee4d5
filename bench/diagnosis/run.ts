import { performance } from 'node:perf_hooks';
import { parseArgs } from 'node:util';
import { CauseId } from '#src/doctor/findings/cause-id.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import {
  type ClusterObjects,
  clusterObjects,
  isResourceKind,
  type ObjectOf,
  type ResourceKind,
  schemas,
} from '#src/engine/objects/cluster-objects.js';
import { createEngine } from '#src/service/create-engine.js';
import { peakResidentBytes, residentBytes } from '../../test/support/resident-memory.js';
import { deadlocked, gpuDeadlock, takenAt } from '../generated-cluster/deadlock.js';
import { generateCluster } from '../generated-cluster/generate-cluster.js';
import type { MeasuredRun } from './measured-run.js';

/**
 * `tsx bench/diagnosis/run.ts --nodes N --pods N --gpu-nodes N --replicas N`: one size in a process of its
 * own, since memory that was used before would count too. Prints a `MeasuredRun`. With `--about CAUSE` as a
 * review asks.
 */
const { values } = parseArgs({
  options: {
    nodes: { type: 'string', default: '5000' },
    pods: { type: 'string', default: '50000' },
    'gpu-nodes': { type: 'string', default: '64' },
    replicas: { type: 'string', default: '1' },
    runs: { type: 'string', default: '15' },
    about: { type: 'string' },
  },
});

const engine = createEngine();
globalThis.gc?.();
const program = await residentBytes(process.pid);
const objects = generated();
globalThis.gc?.();
const held = await residentBytes(process.pid);

const samples = Array.from({ length: Number(values.runs) }, () => {
  const [began, used] = [performance.now(), process.cpuUsage()];
  const diagnosis = look();
  const [clock, { user, system }] = [performance.now() - began, process.cpuUsage(used)];
  expectProof(diagnosis);
  return { clock, processor: (user + system) / 1000 };
});
const most = (await peakResidentBytes(process.pid)) ?? (await residentBytes(process.pid));
const measured: MeasuredRun = { samples, bytes: { program, objects: held, most } };
process.stdout.write(`${JSON.stringify(measured)}\n`);

function generated() {
  const byKind: Partial<Record<ResourceKind, ObjectOf<ResourceKind>[]>> = {};
  const shape = {
    seed: 1,
    zones: 3,
    nodes: Number(values.nodes),
    pods: Number(values.pods),
    deadlocks: [gpuDeadlock(Number(values['gpu-nodes']), Number(values.replicas))],
  };
  for (const object of generateCluster(shape)) {
    if (!isResourceKind(object.kind)) continue;
    const list = byKind[object.kind] ?? [];
    list.push(schemas[object.kind].parse(object) as ObjectOf<ResourceKind>);
    byKind[object.kind] = list;
  }
  return clusterObjects(byKind as Partial<ClusterObjects>);
}

/** Nothing is remembered from one diagnosis to the next: what the engines keep hangs on the index. */
function look(): Diagnosis {
  const workload = objects[deadlocked.kind].find(({ metadata }) => metadata.name === deadlocked.name);
  if (workload === undefined) throw new Error('the generated cluster lacks the workload');
  const snapshot = {
    takenAt,
    cluster: 'generated',
    workload,
    index: indexObjects(objects),
    logs: [],
    unseen: [],
  };
  const about = values.about === undefined ? undefined : [CauseId.parse(values.about)];
  return engine.diagnose(snapshot, undefined, about);
}

/** A fast wrong answer is worth nothing. */
function expectProof({ findings, defects }: Diagnosis): void {
  const [first] = findings;
  if (first?.cause !== 'surge-deadlock' || first.confidence !== 'proven' || defects.length > 0) {
    throw new Error(
      `not the expected proof: ${JSON.stringify({ cause: first?.cause, confidence: first?.confidence, defects })}`,
    );
  }
}
