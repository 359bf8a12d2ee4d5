import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { resolveKubernetesVersion } from './binaries.js';
import type { Cluster } from './cluster.js';
import { recordNamespaces } from './record.js';

export interface Scene {
  readonly id: string;
  readonly title: string;
  readonly workload: WorkloadRef;
  /** Namespaces that are recorded; default: the workload's own. */
  readonly namespaces?: readonly string[];
  /** The expected diagnosis, in the fields of `test/scenarios/README.md`. */
  readonly expected: Readonly<Record<string, unknown>>;
  /**
   * How many seconds after the recording the diagnosis is made, of a cluster in which nothing changes any
   * longer.
   */
  readonly diagnoseAfterSeconds?: number;
  /** Records the field managers of the workloads. */
  readonly withManagers?: boolean;
}

/** The API server forgets an event after an hour (kube-apiserver `--event-ttl`). */
const eventSeconds = 3_600;

/**
 * Writes the workload's namespace and the nodes as they are now into `objects.json`, the expected diagnosis
 * into `expect.json`, and the version into `version.json` where the default recipe builds another one.
 * Returns the number of objects.
 */
export async function writeScenario(cluster: Cluster, folder: string, scene: Scene): Promise<number> {
  const { id, title, expected, diagnoseAfterSeconds = 0 } = scene;
  const { kind, namespace, name } = scene.workload;
  const objects = await recordNamespaces(cluster, scene.namespaces ?? [namespace], scene.withManagers);
  if (diagnoseAfterSeconds >= eventSeconds)
    objects.items = objects.items.filter((each) => each.kind !== 'Event');
  const takenAt = new Date(Date.now() + diagnoseAfterSeconds * 1_000).toISOString().replace(/\.\d+Z$/, 'Z');
  const expectation = { id, title, takenAt, workload: { kind, namespace, name }, ...expected };
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'objects.json'), linePerObject(objects));
  await writeFile(join(folder, 'expect.json'), `${JSON.stringify(expectation, undefined, 1)}\n`);
  const { version } = cluster.controlPlane;
  if (version !== (await resolveKubernetesVersion(undefined))) {
    const printed = { serverVersion: { gitVersion: `v${version}` } };
    await writeFile(join(folder, 'version.json'), `${JSON.stringify(printed, undefined, 1)}\n`);
  }
  return objects.items.length;
}

/**
 * A third smaller than with each field on its own line, and a change of one object is a change of one line.
 */
function linePerObject({ items, ...list }: { readonly items: readonly object[] }): string {
  const head = JSON.stringify(list).slice(0, -1);
  return `${head},"items":[\n${items.map((item) => JSON.stringify(item)).join(',\n')}\n]}\n`;
}
