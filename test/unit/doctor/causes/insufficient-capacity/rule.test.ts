import { describe, expect } from 'vitest';
import { insufficientCapacity as rule } from '#src/doctor/causes/insufficient-capacity.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildReplicaSet,
  event,
  type Fields,
  foreignPod,
  ownedPod,
  snapshotWith,
} from '../../findings/waiting/build.js';
import { expectFindings, has, step, tally } from '../run-rule.js';

/** Eight workloads with one pod of half a core each, so that none of them is the cause. */
const rank = (on: string, cpu = '500m'): readonly Pod[] =>
  Array.from({ length: 8 }, (_, at) =>
    foreignPod(`${on}-${at}`, 'StatefulSet', `${on}-${at}`, { on, requests: { cpu } }),
  );
const second = buildReplicaSet({ revision: 2, replicas: 1 });
const asking = (cpu: string, name = 'new', more: object = {}) =>
  ownedPod(`web-${name}`, 2, { requests: { cpu }, ...more });
const waiting = (cpu: string, fields: Fields, more: object = {}): Fields => ({
  ReplicaSet: [second],
  ...fields,
  Pod: [asking(cpu, undefined, more), ...(fields.Pod ?? [])],
});

const one = [node('n-a')];
const full = { Node: [...one, node('n-b')], Pod: [...rank('n-a'), ...rank('n-b', '450m')] };
const withEvent = (reason: string, message: string, secondsAgo?: number): Fields => {
  const about = { kind: 'Pod', name: 'web-new', uid: 'web-new' };
  const said = event({
    about,
    reason,
    message,
    secondsAgo: secondsAgo ?? 60,
    component: 'cluster-autoscaler',
  });
  return waiting('2', { ...full, Event: [said] });
};
const unread = (because: 'too-many' | 'forbidden') =>
  [{ what: 'Pod', namespace: '', because, message: '' }] as const;

describe('insufficient capacity', () => {
  expectFindings<Fields>(rule, snapshotWith, [
    [
      'is reported with the nodes that many workloads fill, and the request that fits',
      waiting('2', full),
      {
        confidence: 'proven',
        severity: 'critical',
        resource: 'cpu',
        nodes: ['n-a', 'n-b'],
        steps: has(
          step('node-lacks', {
            node: 'n-b',
            refusals: [expect.objectContaining({ short: '1600m', free: '400m', requested: '2' })],
          }),
        ),
        snippets: expect.stringContaining('cpu: 400m'),
        advice: has('advice-requests-title', 'advice-node-title'),
      },
    ],
    [
      'is reported beside nodes that refuse for another reason, in sum',
      waiting('2', {
        ...full,
        Node: [...full.Node, node('n-c', { taints: [{ key: 'a', effect: 'NoSchedule' }] })],
      }),
      {
        steps: has(tally(['n-a', 'n-b'], ['n-c'])),
      },
    ],
    [
      'is reported where own pods of the same revision use the rest on a first rollout',
      {
        ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 3 })],
        Node: one,
        Pod: [asking('2', 'a', { on: 'n-a' }), asking('2', 'b', { on: 'n-a' }), asking('2')],
      },
      { reasoning: has('own-revision') },
    ],
    [
      'is reported with the limit to raise where the autoscaler may not add a node',
      withEvent('NotTriggerScaleUp', "pod didn't trigger scale-up: 1 max node group size reached"),
      { reasoning: has('autoscaler-declined'), snippets: expect.stringContaining('--nodes=') },
    ],
    [
      'is reported where an ordered node did not arrive',
      withEvent('TriggeredScaleUp', 'pod triggered scale-up: [{pool 1->2 (max: 4)}]', 16 * 60),
      { reasoning: has('autoscaler-expired') },
    ],
    ['is reported where there is no node at all', waiting('1', {}), { reasoning: has('no-node') }],
    [
      'is less certain where pods on some nodes could not be read',
      { ...waiting('2', full), unseen: unread('too-many') },
      { confidence: 'likely' },
    ],
    [
      'is not reported where one other workload uses enough',
      waiting('2', {
        Node: one,
        Pod: [foreignPod('b-0', 'Job', 'b', { on: 'n-a', requests: { cpu: '3' } })],
      }),
    ],
    [
      'is not reported where its own old pod uses the resource',
      waiting('3', {
        ReplicaSet: [buildReplicaSet({ revision: 1, replicas: 1 }), second],
        Node: one,
        Pod: [ownedPod('web-old', 1, { on: 'n-a', requests: { cpu: '3' } })],
      }),
    ],
    ['is not reported where no node is large enough', waiting('5', full)],
    [
      'is not reported where enough pods terminate',
      waiting('500m', {
        Node: one,
        Pod: rank('n-a').map((pod) => ({
          ...pod,
          metadata: { ...pod.metadata, deletionTimestamp: ago(-10) },
        })),
      }),
    ],
    ['is not reported where it may evict pods of lower priority', waiting('2', full, { priority: 1000 })],
    ['is not reported where the pod fits', waiting('400m', full)],
    [
      'is only possible where no object explains the scheduler message',
      {
        ...waiting('2', { Node: one }, { message: '0/1 nodes are available: 1 Insufficient cpu.' }),
        unseen: unread('forbidden'),
      },
      { confidence: 'possible', reasoning: has('unconfirmed') },
    ],
  ]);
});
