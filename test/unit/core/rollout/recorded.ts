import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { indexObjects } from '#src/core/cluster/cluster-index.js';
import {
  type ClusterObjects,
  clusterObjects,
  isResourceKind,
  schemas,
} from '#src/core/cluster/cluster-objects.js';
import { serverVersionIn } from '#src/core/cluster/server-version.js';
import { workloadKinds } from '#src/core/cluster/workload.js';
import { type RolloutState, rolloutStateIn } from '#src/core/rollout/rollout-state.js';
import { scenarioFolders } from '#support/scenarios/scenario-folders.js';

const folder = new URL('../../../scenarios/', import.meta.url);

const Expectation = z.object({
  takenAt: z.string(),
  workload: z.object({ kind: z.enum(workloadKinds), namespace: z.string(), name: z.string() }),
  cause: z.string().nullish(),
  anyOf: z.array(z.string().nullable()).optional(),
});
const List = z.object({ items: z.array(z.object({ kind: z.string() }).loose()) });

export interface Recorded {
  readonly id: string;
  readonly cause: string | undefined;
  readonly objects: ClusterObjects;
  readonly state: RolloutState;
}

/** Without those that lack an object because it does not parse: no controller saw what is left of them. */
export const scenarioIds = scenarioFolders().filter((id) => !id.startsWith('unreadable/'));

export function readScenario(id: string): Recorded {
  const read = (name: string): unknown => JSON.parse(readFileSync(new URL(`${id}/${name}`, folder), 'utf8'));
  const expectation = Expectation.parse(read('expect.json'));
  const byKind: Record<string, unknown[]> = {};
  for (const item of List.parse(read('objects.json')).items) {
    if (!isResourceKind(item.kind)) continue;
    byKind[item.kind] = [...(byKind[item.kind] ?? []), schemas[item.kind].parse(item)];
  }
  const objects = clusterObjects(byKind as Partial<ClusterObjects>);
  const { kind, namespace, name } = expectation.workload;
  const workload = objects[kind].find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
  if (workload === undefined) throw new Error(`${id} lacks its workload`);
  const hasVersion = existsSync(new URL(`${id}/version.json`, folder));
  const index = indexObjects(
    objects,
    undefined,
    hasVersion ? serverVersionIn(read('version.json')) : undefined,
  );
  const state = rolloutStateIn(index, workload, Date.parse(expectation.takenAt));
  return { id, cause: expectation.cause ?? expectation.anyOf?.[0] ?? undefined, objects, state };
}

/**
 * Whether a control plane wrote these objects. Stories that are hard to bring about were composed in its wording, and
 * lack the history that a server gives its objects; what no controller wrote proves nothing about controllers.
 */
export function isOfControlPlane({ objects }: Recorded): boolean {
  return objects.Pod.some(
    ({ metadata }) => metadata.generateName !== undefined && metadata.resourceVersion !== '',
  );
}
