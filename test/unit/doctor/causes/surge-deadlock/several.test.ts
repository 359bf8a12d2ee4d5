import { describe, expect } from 'vitest';
import { surgeDeadlock as rule } from '#src/doctor/causes/surge-deadlock/rule.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { ReplicaSet } from '#src/engine/objects/workload.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type DeploymentFields,
  type PodFields,
} from '../../../../support/rollout-builders.js';
import { expectFindings, has, lacks, snapshotOf } from '../run-rule.js';

const gpu = 'nvidia.com/gpu';
const gpus = (name: string, count: number) => node(name, { allocatable: { [gpu]: String(count) } });

interface Shape extends Partial<PodFields> {
  readonly needs?: Readonly<Record<string, string>>;
}

function podOf({ metadata, spec }: ReplicaSet, name: string, on: string | undefined, shape: Shape = {}) {
  const { needs = { [gpu]: '1' }, spec: more, ...fields } = shape;
  return buildPod({
    name,
    owner: { name: metadata.name, uid: metadata.uid },
    labels: spec.template.metadata.labels,
    node: on,
    spec: { containers: [{ name: 'app', image: 'web:1', resources: { requests: needs } }], ...more },
    ...fields,
  });
}

interface Rollout extends Partial<ClusterObjects> {
  readonly workload?: DeploymentFields;
}
const rolloutOf = ({ workload, ...objects }: Rollout) => snapshotOf(buildDeployment(workload), objects);
const setOf = (revision: number, replicas: number, available = 0) =>
  buildReplicaSet({ revision, replicas, available });

const grown = { needs: { [gpu]: '2' } };
const [old, two, three] = [setOf(1, 1, 1), setOf(1, 2, 2), setOf(1, 3, 3)];
const [fresh, afresh, third] = [setOf(2, 1), setOf(2, 2), setOf(3, 1)];
const [oldPod, newPod] = [podOf(old, 'old', 'a'), podOf(fresh, 'new', undefined)];
const oneOfEach = { Node: [gpus('a', 1), gpus('b', 1)] };

const zone = (name: string, of: string) =>
  node(name, { labels: { 'topology.kubernetes.io/zone': of }, allocatable: { cpu: '4' } });
const spread = {
  maxSkew: 1,
  topologyKey: 'topology.kubernetes.io/zone',
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: { app: 'web' } },
};
const big = { needs: { cpu: '3' }, spec: { topologySpreadConstraints: [spread] } };
const zones = [zone('a', 'za'), zone('b1', 'zb'), zone('b2', 'zb'), zone('b3', 'zb')];
const inZones: Rollout = {
  workload: { replicas: 3 },
  ReplicaSet: [three, fresh],
  Pod: [
    ...['a', 'b1', 'b2'].map((name) => podOf(three, `old-${name}`, name, big)),
    podOf(fresh, 'new', undefined, big),
  ],
  Node: zones,
};

const crashing = {
  ready: false,
  restarts: 12,
  status: {
    conditions: [
      { type: 'PodScheduled', status: 'True', lastTransitionTime: ago(5400) },
      { type: 'Ready', status: 'False' },
    ],
    containerStatuses: [
      { name: 'app', ready: false, restartCount: 12, state: { waiting: { reason: 'CrashLoopBackOff' } } },
    ],
  },
};
/** A pod of another workload on `b`. */
const foreign = (shape: Shape = {}) =>
  podOf(setOf(9, 1), 'other', 'b', { labels: { app: 'other' }, owner: { name: 'o', uid: 'o' }, ...shape });
/** The same, which leaves since so many seconds. */
const leaving = (since: number) => {
  const pod = foreign();
  return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: ago(since) } };
};

/** What cluster-autoscaler reports about the new pod, so many seconds ago. */
const scaleUpFailed = (seconds: number) =>
  build('Event', 'failed', {
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'new', uid: newPod.metadata.uid },
    reason: 'FailedScaleUp',
    message: 'Node scale up in zones a associated with this pod failed: GCE quota exceeded.',
    type: 'Warning',
    lastTimestamp: ago(seconds),
    source: { component: 'cluster-autoscaler' },
  });

describe('a surge deadlock', () => {
  expectFindings<Rollout>(rule, rolloutOf, [
    [
      'names all old pods that must stop together, and offers no strategy under which the second new pod would wait',
      {
        workload: { replicas: 2 },
        ReplicaSet: [two, fresh],
        Pod: [podOf(two, 'old-0', 'a'), podOf(two, 'old-1', 'a'), podOf(fresh, 'new', undefined, grown)],
        Node: [gpus('a', 2)],
      },
      {
        confidence: 'proven',
        resource: gpu,
        nodes: ['a'],
        holders: ['old-0', 'old-1'],
        fixes: lacks('patch-strategy'),
        withheld: has('patch-strategy'),
      },
    ],
    [
      'stalls after the first new pod that needs more than one freed place, and ends with the last old pod',
      {
        workload: { replicas: 2 },
        ReplicaSet: [old, setOf(2, 2, 1)],
        Pod: [
          podOf(old, 'old-1', 'a'),
          podOf(fresh, 'new-0', 'b', grown),
          podOf(fresh, 'new-1', undefined, grown),
        ],
        Node: [gpus('a', 2), gpus('b', 2)],
      },
      {
        holders: ['old-1'],
        fix: {
          kind: 'patch-strategy',
          prediction: { ends: 'complete', placements: [{ pod: { name: 'new-1' }, node: 'a' }] },
        },
      },
    ],
    [
      'names the pods whose removal opens a node, whatever the node lacks',
      inZones,
      { confidence: 'proven', resource: 'cpu', holders: has('old-a'), nodes: has('a') },
    ],
    [
      'is none while a node of the same zone has enough free',
      { ...inZones, Node: [...zones, zone('a2', 'za')] },
    ],
    [
      'may spend an allowed unavailable pod: it names the pod that is cheapest to stop, and no fix for too few GPUs',
      {
        workload: { replicas: 4, status: { availableReplicas: 3, readyReplicas: 3 } },
        ReplicaSet: [three, afresh],
        Pod: [
          podOf(three, 'old-0', 'a'),
          podOf(three, 'old-1', 'a'),
          podOf(three, 'old-2', 'b'),
          podOf(afresh, 'new-0', undefined, grown),
          podOf(afresh, 'new-1', undefined, grown),
        ],
        Node: [gpus('a', 2), gpus('b', 2)],
      },
      { reasoning: has('strategy-spent'), holders: ['old-2'], nodes: ['b', 'a'], fixes: ['undo-rollout'] },
    ],
    [
      'counts the nodes that only pods of others keep the new pod from',
      { ReplicaSet: [old, fresh], Pod: [oldPod, newPod, foreign()], ...oneOfEach },
      {
        confidence: 'proven',
        nodes: ['a'],
        steps: has(
          expect.objectContaining({
            key: 'needs',
            values: expect.objectContaining({ nodesOfOthers: 1, nodesInAll: 2 }),
          }),
        ),
      },
    ],
    [
      'counts no node that lacks what the new pod needs, or that a taint closes as well',
      {
        ReplicaSet: [old, fresh],
        Pod: [oldPod, newPod, foreign()],
        Node: [
          gpus('a', 1),
          node('b', {
            allocatable: { [gpu]: '1' },
            taints: [{ key: 'team', value: '', effect: 'NoSchedule' }],
          }),
          node('c', {}),
        ],
      },
      {
        steps: has(
          expect.objectContaining({
            key: 'needs',
            values: expect.objectContaining({ nodesOfOthers: 0, nodesInAll: 3 }),
          }),
        ),
      },
    ],
    [
      'names pods of all old revisions',
      {
        workload: { replicas: 2, image: 'web:3' },
        ReplicaSet: [old, setOf(2, 1, 1), third],
        Pod: [podOf(old, 'v1', 'a'), podOf(fresh, 'v2', 'b'), podOf(third, 'v3', undefined)],
        ...oneOfEach,
      },
      { holders: ['v1', 'v2'], fix: { kind: 'patch-strategy', prediction: { ends: 'complete' } } },
    ],
    [
      'is pending while the controller still removes a stuck revision in between',
      {
        workload: { image: 'web:3' },
        ReplicaSet: [old, fresh, setOf(3, 0)],
        Pod: [podOf(old, 'v1', 'a'), podOf(fresh, 'v2', undefined)],
        Node: [gpus('a', 1)],
      },
    ],
    [
      'is found for the newest revision once the stuck one is gone',
      {
        workload: { image: 'web:3' },
        ReplicaSet: [old, setOf(2, 0), third],
        Pod: [podOf(old, 'v1', 'a'), podOf(third, 'v3', undefined)],
        Node: [gpus('a', 1)],
      },
      { holders: ['v1'] },
    ],
    [
      'is one beside a crashing old pod, which the controller does not remove, and ends without downtime',
      {
        ReplicaSet: [setOf(1, 1), fresh],
        Pod: [podOf(old, 'old', 'a', crashing), newPod],
        Node: [gpus('a', 1)],
      },
      {
        confidence: 'proven',
        holders: ['old'],
        steps: has(expect.objectContaining({ key: 'served', values: { ready: 0, wanted: 1 } })),
        fix: {
          kind: 'patch-strategy',
          price: { downtime: { kind: 'none' } },
          prediction: { ends: 'complete' },
        },
      },
    ],
    [
      'is none while a pod of another workload terminates and will free enough',
      { ReplicaSet: [old, fresh], Pod: [oldPod, newPod, leaving(1)], ...oneOfEach },
    ],
    [
      'is one where that pod is long overdue',
      { ReplicaSet: [old, fresh], Pod: [oldPod, newPod, leaving(5400)], ...oneOfEach },
      { confidence: 'proven' },
    ],
    [
      'quotes why the cloud gave no node, and what would make it agree, beside its own fix',
      {
        ReplicaSet: [old, fresh],
        Pod: [oldPod, newPod],
        Node: [gpus('a', 1)],
        Event: [scaleUpFailed(600)],
      },
      {
        fix: { kind: 'patch-strategy' },
        reasoning: has('cloud-refused'),
        evidence: has('ev-cloud'),
        advice: has('cloud-advice-title'),
        facts: expect.objectContaining({ cloudRefusal: expect.objectContaining({ kind: 'quota' }) }),
      },
    ],
    [
      'does not quote what the cloud refused hours ago',
      {
        ReplicaSet: [old, fresh],
        Pod: [oldPod, newPod],
        Node: [gpus('a', 1)],
        Event: [scaleUpFailed(9_000)],
      },
      { reasoning: lacks('cloud-refused'), advice: lacks('cloud-advice-title') },
    ],
  ]);
});
