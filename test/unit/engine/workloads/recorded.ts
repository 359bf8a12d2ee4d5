import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import { workloadKinds } from '#src/engine/objects/workload.js';
import { type RolloutState, rolloutStateIn } from '#src/engine/workloads/rollout-state.js';
import { objectsOf, serverVersionOf } from '../../../support/scenarios/objects-of.js';
import { scenarioFolders } from '../../../support/scenarios/scenario-folders.js';

const folder = new URL('../../../scenarios/', import.meta.url);

const Expectation = z.object({
  takenAt: z.string(),
  workload: z.object({ kind: z.enum(workloadKinds), namespace: z.string(), name: z.string() }),
  cause: z.string().nullish(),
  anyOf: z.array(z.string().nullable()).optional(),
});

export interface Recorded {
  readonly id: string;
  readonly cause: string | undefined;
  readonly objects: ClusterObjects;
  readonly state: RolloutState;
}

/** Without those that lack an object because it does not parse. */
export const scenarioIds = scenarioFolders().filter((id) => !id.startsWith('unreadable/'));

export function readScenario(id: string): Recorded {
  const expectation = Expectation.parse(
    JSON.parse(readFileSync(new URL(`${id}/expect.json`, folder), 'utf8')),
  );
  const objects = objectsOf(id);
  const version = serverVersionOf(id);
  const { kind, namespace, name } = expectation.workload;
  const workload = objects[kind].find(
    ({ metadata }) => metadata.namespace === namespace && metadata.name === name,
  );
  if (workload === undefined) throw new Error(`${id} lacks its workload`);
  const state = rolloutStateIn(
    indexObjects(objects, undefined, version),
    workload,
    Date.parse(expectation.takenAt),
  );
  return { id, cause: expectation.cause ?? expectation.anyOf?.[0] ?? undefined, objects, state };
}

/**
 * Whether a control plane wrote these objects. Stories that are hard to bring about were composed in its
 * wording, and lack the history that a server gives its objects; what no controller wrote proves nothing
 * about controllers. Reported incidents are rebuilt as the reports show them.
 */
export function isOfControlPlane({ id, objects }: Recorded): boolean {
  return (
    !id.startsWith('reported/') &&
    objects.Pod.some(({ metadata }) => metadata.generateName !== undefined && metadata.resourceVersion !== '')
  );
}
