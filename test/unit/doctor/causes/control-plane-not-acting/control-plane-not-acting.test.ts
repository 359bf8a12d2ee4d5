import { describe, expect } from 'vitest';
import { controlPlaneNotActing as rule } from '#src/doctor/causes/control-plane-not-acting/rule.js';
import type { ClusterObjects } from '#src/engine/objects/cluster-objects.js';
import type { Event } from '#src/engine/objects/event.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { build, node } from '../../../../support/kubernetes-objects.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '../../../../support/rollout-builders.js';
import { buildSet } from '../../../../support/stateful-set-builders.js';
import { expectFindings, has, podEvent, snapshotOf, step } from '../run-rule.js';

const owner = { name: 'web-2', uid: 'web-2-uid' };

interface Unobserved {
  /** Seconds since the spec was written; absent where the time is unknown. */
  readonly changed?: number;
  readonly observed?: number;
  /** Age of the one pod: the newest thing in the namespace. */
  readonly podAge?: number;
  readonly subresource?: string;
}

function unobserved({ changed, observed = 1, podAge = 3600, subresource = '' }: Unobserved) {
  const base = buildDeployment({ status: { observedGeneration: observed, readyReplicas: 1 } });
  const written = {
    manager: 'kubectl',
    operation: 'Update',
    apiVersion: 'apps/v1',
    fieldsV1: { 'f:spec': {} },
  };
  const managedFields = changed === undefined ? [] : [{ ...written, subresource, time: ago(changed) }];
  return snapshotOf(
    { ...base, metadata: { ...base.metadata, managedFields } },
    {
      ReplicaSet: [buildReplicaSet({ revision: 1, replicas: 1, available: 1 })],
      Pod: [buildPod({ name: 'old-0', age: podAge })],
    },
  );
}

describe('a change that no controller has observed', () => {
  expectFindings<Unobserved>(rule, unobserved, [
    [
      'is reported with the generations and the time of the change',
      { changed: 600 },
      {
        confidence: 'likely',
        severity: 'warning',
        fixes: [],
        standing: { values: { forSeconds: 600 } },
        reasoning: ['not-observed', 'changed-at', 'runs-in-manager'],
      },
    ],
    [
      'is only possible where the time of the change is unknown',
      {},
      { confidence: 'possible', reasoning: has('changed-unknown') },
    ],
    ['is not reported while it is a minute old', { changed: 60 }],
    ['is not reported where it is observed', { changed: 600, observed: 2 }],
    [
      'is not reported while the time of the change is unknown and another field has just changed',
      { podAge: 60 },
    ],
    ['is no write of the status', { changed: 600, subresource: 'status', podAge: 60 }],
  ]);

  const created = { metadata: { creationTimestamp: ago(400) }, status: { observedGeneration: 0 } };
  expectFindings(rule, (snapshot) => snapshot, [
    [
      'is reported for a ReplicaSet too, which has created no pods',
      snapshotOf(buildDeployment(), {
        ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1, exist: 0, ...created })],
      }),
      { facts: { inactions: [{ kind: 'not-observed', object: 'ReplicaSet/web-2' }] }, severity: 'critical' },
    ],
    [
      'is reported for a StatefulSet',
      snapshotOf(buildSet({ status: { observedGeneration: 1 } }), {
        Pod: [buildPod({ name: 'db-0', owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' } })],
      }),
      {
        reasoning: has('not-observed'),
        facts: { inactions: has(expect.objectContaining({ object: 'StatefulSet/db' })) },
      },
    ],
  ]);
});

/** Two ready pods, of which so many are counted. */
const counted = ({ ready, readyFor }: { readonly ready: number; readonly readyFor: number }) =>
  snapshotOf(buildDeployment({ replicas: 2 }), {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2, available: ready })],
    Pod: ['a', 'b'].map((name) => buildPod({ name, owner, readyFor })),
  });

describe('pods that no controller has counted', () => {
  expectFindings(rule, counted, [
    [
      'are reported once they have been ready for minutes',
      { ready: 1, readyFor: 300 },
      { steps: has(step('not-counted-ready', { counted: 1, actual: 2, since: ago(300) })) },
    ],
    ['are not reported within normal reaction times', { ready: 1, readyFor: 30 }],
    ['are not reported where all are counted', { ready: 2, readyFor: 300 }],
  ]);
});

interface Untried extends Partial<PodFields> {
  readonly scheduler?: string;
  readonly others?: readonly Pod[];
  readonly events?: readonly Event[];
  /** The policy of the PodGroup that was read. */
  readonly policy?: object;
}

function untried({
  scheduler = 'default-scheduler',
  others = [],
  events = [],
  spec = {},
  policy,
  ...pod
}: Untried) {
  const base = { name: 'new-0', owner, node: undefined, status: { conditions: [] }, age: 600 };
  return snapshotOf(buildDeployment(), {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
    Pod: [buildPod({ ...base, spec: { schedulerName: scheduler, ...spec }, ...pod }), ...others],
    Event: events,
    PodGroup: policy === undefined ? [] : [build('PodGroup', 'ring', { spec: { schedulingPolicy: policy } })],
  });
}
const ring = { spec: { schedulingGroup: { podGroupName: 'ring' } } };
const said = (reason: string, component: string): Untried => ({
  events: [podEvent('new-0', reason, '0/1 nodes are available', component)],
});
const placed = buildPod({ name: 'other', owner: { uid: 'x' }, spec: { schedulerName: 'volcano' } });

describe('pods that no scheduler has tried', () => {
  expectFindings<Untried>(rule, untried, [
    [
      'are reported with the scheduler that they name',
      {},
      { summary: 'summary-scheduler', facts: { component: 'default-scheduler' } },
    ],
    [
      'are reported for a scheduler that placed other pods',
      { scheduler: 'volcano', others: [placed] },
      { reasoning: has('placed-some') },
    ],
    [
      'are reported for one without any trace, whose name may be wrong',
      { scheduler: 'volcano' },
      { reasoning: has('placed-none'), advice: ['advice-name-title'] },
    ],
    [
      'wait for the rest of their PodGroup, where they name one',
      ring,
      {
        summary: 'summary-group',
        reasoning: ['not-scheduled', 'tried-as-group'],
        facts: { inactions: [{ podGroup: 'ring' }] },
        advice: has('advice-group-title'),
      },
    ],
    [
      'wait for the rest of a PodGroup that was read, and it is counted',
      { ...ring, policy: { gang: { minCount: 2 } } },
      {
        steps: has(step('group-incomplete', { podGroup: 'ring', minCount: 2, members: 1 })),
        facts: { inactions: [{ podGroup: 'ring', minCount: 2, members: 1 }] },
      },
    ],
    [
      'do not wait for a PodGroup that is complete',
      { ...ring, policy: { gang: { minCount: 1 } } },
      { summary: 'summary-scheduler' },
    ],
    [
      'do not wait for a PodGroup without a minimum',
      { ...ring, policy: {} },
      { summary: 'summary-scheduler' },
    ],
    ['are not reported while they are a minute old', { age: 60 }],
    ['are not reported while they have a gate', { spec: { schedulingGates: [{ name: 'hold' }] } }],
    ['are not reported where they have a node', { node: 'n-a' }],
    [
      'are not reported where the scheduler has refused them',
      { status: { conditions: [{ type: 'PodScheduled', status: 'False' }] } },
    ],
    [
      'were tried where an event is a refusal, also of another component',
      said('FailedScheduling', 'cluster-autoscaler'),
    ],
    [
      'were tried where an event is of the scheduler, whatever it says',
      said('Preempted', 'default-scheduler'),
    ],
    [
      'were not tried where an event is of another program',
      said('NotTriggerScaleUp', 'cluster-autoscaler'),
      {},
    ],
  ]);
});

interface Chosen extends Partial<PodFields> {
  /** Conditions of the device that its driver reports as true; left out: the pod has no device. */
  readonly reported?: readonly string[];
  /** Seconds since the device was allocated. */
  readonly allocated?: number;
  readonly condition?: { readonly reason: string; readonly message: string };
  readonly objects?: Partial<ClusterObjects>;
  readonly volumes?: readonly object[];
}

const device = { driver: 'gpu.example', pool: 'n-a', device: 'gpu-0' };

/** A pod for which the scheduler chose `n-a`. */
function chosen({ reported, allocated = 600, condition, objects, volumes = [], spec, ...pod }: Chosen) {
  const conditions =
    condition === undefined
      ? []
      : [{ type: 'PodScheduled', status: 'False', lastTransitionTime: ago(600), ...condition }];
  const result = { request: 'gpu', bindingConditions: ['attached', 'zoned'], ...device };
  const claim = build('ResourceClaim', 'new-0-gpu', {
    metadata: { namespace: 'shop' },
    status: {
      allocation: { allocationTimestamp: ago(allocated), devices: { results: [result] } },
      reservedFor: [{ resource: 'pods', name: 'new-0', uid: 'new-0-uid' }],
      devices: [{ ...device, conditions: (reported ?? []).map((type) => ({ type, status: 'True' })) }],
    },
  });
  return snapshotOf(buildDeployment(), {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
    Node: [node('n-a')],
    Pod: [
      buildPod({
        ...{ name: 'new-0', owner, node: undefined, age: 600 },
        spec: { volumes, ...spec },
        status: { conditions, nominatedNodeName: 'n-a' },
        ...pod,
      }),
    ],
    ResourceClaim: reported === undefined ? [] : [claim],
    ...objects,
  });
}

const data = [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }];
const unboundClaim = build('PersistentVolumeClaim', 'data', {
  metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'n-a' } },
  spec: {},
  status: { phase: 'Pending' },
});
const noRoom = { reason: 'Unschedulable', message: '0/1 nodes are available: 1 Insufficient cpu.' };

describe('pods for which a node is chosen, and which are not bound', () => {
  expectFindings<Chosen>(rule, chosen, [
    [
      'wait for what the driver of a device has not reported',
      { reported: ['zoned'] },
      {
        confidence: 'likely',
        summary: 'summary-not-bound',
        facts: { component: 'gpu.example', inactions: [{ kind: 'not-bound', node: 'n-a', since: ago(600) }] },
        steps: has(
          step('not-bound', { pods: ['new-0'], node: 'n-a' }),
          step('device-not-ready', { device: 'gpu-0', conditions: ['attached'] }),
        ),
        ruledOut: ['insufficient-capacity', 'preempted'],
        advice: ['advice-component-title'],
        adviceText: ['advice-driver'],
      },
    ],
    [
      'are dated by the device where they waited for room before',
      { reported: [], allocated: 400, condition: noRoom },
      { facts: { longestSeconds: 400 } },
    ],
    [
      'are dated by the first of several attempts to bind',
      {
        reported: [],
        allocated: 5,
        condition: noRoom,
        objects: { Event: [podEvent('new-0', 'BindingConditionsPending', 'waiting', 'default-scheduler')] },
      },
      { facts: { inactions: [{ since: '2026-11-20T09:05:04Z' }] } },
    ],
    [
      'are reported where no object shows what they wait for',
      {},
      { reasoning: ['not-bound', 'not-shown'], facts: { component: 'default-scheduler' } },
    ],
    [
      'are reported after an attempt to bind that failed',
      { condition: { reason: 'SchedulerError', message: 'binding rejected: timeout' } },
      { reasoning: has('not-bound') },
    ],
    ['are not reported while a device is attached, which takes minutes', { reported: [], allocated: 200 }],
    ['are not reported in the first minutes', { age: 200 }],
    ['may have waited for room until a moment ago', { condition: noRoom }],
    [
      'are not reported where all is ready and they waited for room',
      { reported: ['attached', 'zoned'], condition: noRoom },
    ],
    [
      'wait for pods that leave the node, which is a preemption',
      {
        spec: { containers: [{ name: 'app', image: 'web:2', resources: { requests: { cpu: '900' } } }] },
      },
    ],
    [
      'wait for a volume, which another cause explains',
      { volumes: data, objects: { PersistentVolumeClaim: [unboundClaim] } },
    ],
    [
      'were tried where a claim names the node, as before Kubernetes 1.35',
      {
        volumes: data,
        objects: { PersistentVolumeClaim: [unboundClaim] },
        status: { conditions: [] },
      },
    ],
    ['have a node', { node: 'n-a' }],
    ['are not reported where the node is gone', { objects: { Node: [node('n-b')] } }],
  ]);
});
