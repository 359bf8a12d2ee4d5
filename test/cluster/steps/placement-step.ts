import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ClusterObjects, clusterObjects, schemas } from '#src/engine/objects/cluster-objects.js';
import { Node } from '#src/engine/objects/node.js';
import { Pod } from '#src/engine/objects/pod.js';
import { Namespace } from '#src/engine/objects/policy.js';
import { parseServerVersion } from '#src/engine/objects/release-rules.js';
import { createPlacement, type Placement } from '#src/engine/scheduler/placement.js';
import type { Decision } from '../random/scheduler-under-test.js';

/** One pod in one cluster, and what the real scheduler decided about it. */
export interface PlacementStep {
  readonly id: string;
  readonly namespaces: readonly unknown[];
  readonly nodes: readonly V1Node[];
  /** Pods that were there already. */
  readonly others: readonly V1Pod[];
  /** What the scheduler reads beside them, by kind: devices, volumes, their drivers. */
  readonly objects?: Readonly<Record<string, readonly unknown[]>>;
  readonly pod: V1Pod;
  readonly decided: Decision;
  /** Names of the pods that its preemption deleted, sorted. */
  readonly victims: readonly string[];
}

export function placementIn({
  namespaces,
  nodes,
  others,
  objects = {},
  version,
}: Pick<PlacementStep, 'namespaces' | 'nodes' | 'others' | 'objects'> & {
  readonly version: string;
}): Placement {
  return createPlacement(
    indexObjects(
      clusterObjects({
        ...parsedObjects(objects),
        Namespace: namespaces.map((one) => Namespace.parse(one)),
        Node: nodes.map((node) => Node.parse(node)),
        Pod: others.map((pod) => Pod.parse(pod)),
      }),
      undefined,
      parseServerVersion(`v${version}`),
    ),
  );
}

function parsedObjects(objects: NonNullable<PlacementStep['objects']>): Partial<ClusterObjects> {
  return Object.fromEntries(
    Object.entries(objects).map(([kind, all]) => [
      kind,
      all.map((object) => schemas[kind as keyof typeof schemas].parse(object)),
    ]),
  );
}

export type EngineAnswer =
  | { readonly type: 'fits'; readonly nodes: readonly string[] }
  /** One message for each node that preemption may choose. */
  | { readonly type: 'refused'; readonly messages: readonly string[] }
  | { readonly type: 'unanswered' };

export function answerTo(placement: Placement, raw: V1Pod): EngineAnswer {
  const evaluation = placement.evaluate(Pod.parse(raw));
  if (evaluation.outcome === 'fits') return { type: 'fits', nodes: evaluation.feasible };
  const messages = evaluation.messages();
  return messages.length === 0 ? { type: 'unanswered' } : { type: 'refused', messages };
}

export function agreeOnPlacement(engine: EngineAnswer, decided: Decision): boolean {
  if (engine.type === 'fits') return decided.type === 'placed' && engine.nodes.includes(decided.node);
  return engine.type === 'refused' && decided.type === 'refused' && engine.messages.includes(decided.message);
}

/** Pods that preemption would delete on this node. */
export function predictedVictims(placement: Placement, raw: V1Pod, node: string): readonly Pod[] {
  const preemption = placement.preemption(Pod.parse(raw));
  if (preemption.outcome !== 'possible') return [];
  return preemption.candidates.find((one) => one.node === node)?.victims ?? [];
}

/** What the scheduler decided where the engine answers just that, else the engine's answer. */
export function placementOutcome(
  step: PlacementStep,
  version: string,
): {
  readonly decided: unknown;
  readonly victims: readonly string[];
} {
  const placement = placementIn({ ...step, version });
  const engine = answerTo(placement, step.pod);
  const { decided } = step;
  const nominated = decided.type === 'refused' ? decided.nominated : undefined;
  const victims = nominated === undefined ? [] : predictedVictims(placement, step.pod, nominated);
  return {
    decided: agreeOnPlacement(engine, decided) ? decided : engine,
    // Of a victim that leaves already, the cluster does not show that it was chosen.
    victims: victims
      .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
      .map(({ metadata }) => metadata.name)
      .sort(),
  };
}
