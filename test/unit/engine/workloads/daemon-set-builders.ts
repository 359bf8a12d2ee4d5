import { Node } from '#src/engine/objects/node.js';
import { ControllerRevision, DaemonSet } from '#src/engine/objects/workload.js';
import type { DaemonSetState } from '#src/engine/workloads/rollout-state.js';
import { buildPod, buildTemplate, now, type PodFields } from '../../../support/rollout-builders.js';

export interface SetFields {
  readonly maxSurge?: number | string;
  readonly maxUnavailable?: number | string;
  readonly onDelete?: boolean;
  readonly spec?: object;
  readonly minReadySeconds?: number;
  readonly annotations?: Record<string, string>;
}

export function buildDaemonSet(fields: SetFields = {}): DaemonSet {
  return DaemonSet.parse({
    metadata: {
      name: 'agent',
      namespace: 'shop',
      uid: 'agent-uid',
      generation: 2,
      annotations: fields.annotations,
    },
    spec: {
      selector: { matchLabels: { app: 'web' } },
      template: buildTemplate('agent:2', fields.spec),
      minReadySeconds: fields.minReadySeconds ?? 0,
      updateStrategy: fields.onDelete
        ? { type: 'OnDelete' }
        : {
            type: 'RollingUpdate',
            rollingUpdate: {
              maxSurge: fields.maxSurge ?? 0,
              maxUnavailable: fields.maxUnavailable ?? (fields.maxSurge === undefined ? 1 : 0),
            },
          },
    },
  });
}

export function buildNode(
  name: string,
  fields: { labels?: object; taints?: object[]; unschedulable?: boolean } = {},
): Node {
  return Node.parse({
    metadata: { name, labels: fields.labels },
    spec: { taints: fields.taints, unschedulable: fields.unschedulable ?? false },
  });
}

export type Daemon = readonly [node: string, revision: number, fields?: Partial<PodFields>];

export function buildStateOf(
  fields: SetFields,
  daemons: readonly Daemon[],
  nodes: readonly Node[] = ['n-0', 'n-1', 'n-2'].map((name) => buildNode(name)),
): DaemonSetState {
  return {
    kind: 'DaemonSet',
    daemonSet: buildDaemonSet(fields),
    controllerRevisions: [1, 2].map((revision) =>
      ControllerRevision.parse({
        metadata: { name: `agent-${revision}`, labels: { 'controller-revision-hash': `hash-${revision}` } },
        revision,
        data: {
          spec: { template: { ...buildTemplate(`agent:${revision}`, fields.spec), $patch: 'replace' } },
        },
      }),
    ),
    pods: daemons.map(([node, revision, pod]) =>
      buildPod({
        name: `${node}-v${revision}`,
        node,
        labels: { 'controller-revision-hash': `hash-${revision}` },
        ...pod,
      }),
    ),
    nodes,
    now,
  };
}

/** A pod that its node is written into, but that was never scheduled. */
export const pending = (node: string): Partial<PodFields> => ({
  node: undefined,
  spec: {
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: [node] }] }],
        },
      },
    },
  },
});
