import { describe, expect } from 'vitest';
import { waitingForAutoscaler } from '#src/doctor/causes/waiting-for-autoscaler.js';
import { build } from '../../../../support/kubernetes-objects.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildReplicaSet,
  event,
  type Fields,
  ownedPod,
  snapshotWith,
} from '../../findings/waiting/build.js';
import { expectFindings, has } from '../run-rule.js';

const said = (component: string, reason: string, message: string) => (secondsAgo: number) =>
  event({ about: { kind: 'Pod', name: 'web-new', uid: 'web-new' }, reason, message, component, secondsAgo });
const ca = 'cluster-autoscaler';
const triggered = said(ca, 'TriggeredScaleUp', 'pod triggered scale-up: [{gpu-pool 1->2 (max: 4)}]');
const declined = said(ca, 'NotTriggerScaleUp', "pod didn't trigger scale-up: 1 max node group size reached");
const nominatedBy = (component: string) =>
  said(component, 'Nominated', 'Pod should schedule on: nodeclaim/gpu-x7k2p');
const nominated = nominatedBy('karpenter');
const failed = (component: string, message: string) => said(component, 'FailedScheduling', message)(30);

const claimed = (secondsAgo: number, conditions: Readonly<Record<string, string>> = {}, reason?: string) =>
  build('NodeClaim', 'gpu-x7k2p', {
    metadata: { creationTimestamp: ago(secondsAgo) },
    status: {
      conditions: Object.entries(conditions).map(([type, status]) => ({
        type,
        status,
        reason,
        lastTransitionTime: ago(secondsAgo - 30),
      })),
    },
  });

const second = buildReplicaSet({ revision: 2, replicas: 1 });
const newPod = (shape: object) => ownedPod('web-new', 2, { age: 120, ...shape });
const waiting = (fields: Fields) =>
  snapshotWith({
    ReplicaSet: [second],
    Node: [node('n-a', { allocatable: { cpu: '1' } })],
    Pod: [newPod({ requests: { cpu: '2' } })],
    ...fields,
  });

describe('a pending scale-out', () => {
  expectFindings<Fields>(waitingForAutoscaler, waiting, [
    [
      'is reported for cluster-autoscaler, with the deadline of its order',
      { Event: [triggered(70)] },
      {
        confidence: 'likely',
        severity: 'warning',
        nextAttempt: { at: '2026-11-20T09:43:50.000Z' },
        withheld: has('patch-strategy'),
      },
    ],
    [
      'is reported for Karpenter, with the progress of its NodeClaim',
      { Event: [nominated(90)], NodeClaim: [claimed(85, { Launched: 'True' })] },
      {
        steps: has(
          expect.objectContaining({
            values: expect.objectContaining({ done: ['Launched'], missing: ['Registered', 'Initialized'] }),
          }),
        ),
        snippets: expect.stringContaining('kubectl describe nodeclaim gpu-x7k2p\n'),
      },
    ],
    [
      'is only possible for Karpenter without any event',
      { NodeClaim: [claimed(60)] },
      { confidence: 'possible' },
    ],
    [
      'warns of a later deadlock where only its old pod blocks',
      {
        ReplicaSet: [buildReplicaSet({ revision: 1, replicas: 1, available: 1 }), second],
        Node: [node('n-a')],
        Pod: [
          ownedPod('web-old', 1, { on: 'n-a', requests: { cpu: '3' } }),
          newPod({ requests: { cpu: '3' } }),
        ],
        Event: [triggered(70)],
      },
      { reasoning: has('then-deadlock') },
    ],
    ['is still reported a second before the 15 minutes are over', { Event: [triggered(899)] }, {}],
    ['is not reported after 15 minutes', { Event: [triggered(900)] }],
    ['is not reported after a later refusal', { Event: [triggered(120), declined(60)] }],
    ['is reported after an earlier refusal', { Event: [declined(120), triggered(60)] }, {}],
    [
      'ends with a later refusal of Karpenter with the reason of kube-scheduler',
      {
        Event: [
          nominated(120),
          failed('karpenter', 'Failed to schedule pod, incompatible with nodepool "a"'),
        ],
      },
    ],
    [
      "does not end with kube-scheduler's own FailedScheduling",
      {
        Event: [nominated(120), failed('default-scheduler', '0/1 nodes are available: 1 Insufficient cpu.')],
      },
      {},
    ],
    [
      'is not reported for a Nominated event of another component',
      { Event: [nominatedBy('someone-else')(60)] },
    ],
    [
      'is not reported for a NodeClaim whose node joined minutes ago',
      {
        Event: [nominated(500)],
        NodeClaim: [claimed(490, { Launched: 'True', Registered: 'True', Initialized: 'True' })],
      },
    ],
    [
      'is not reported for a NodeClaim that could not be launched',
      { NodeClaim: [claimed(60, { Launched: 'False' })] },
    ],
    [
      'is not reported for a NodeClaim whose node the cloud refused',
      {
        Event: [nominated(65)],
        NodeClaim: [claimed(60, { Launched: 'Unknown' }, 'LaunchFailed')],
      },
    ],
    ['is not reported without any event of an autoscaler', {}],
    ['is not reported where a node can run the pod already', { Node: [node('n-a')], Event: [triggered(60)] }],
    [
      'is not reported where the pod is gated',
      { Pod: [newPod({ spec: { schedulingGates: [{ name: 'g' }] } })], Event: [triggered(60)] },
    ],
  ]);
});
