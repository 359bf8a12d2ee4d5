import { describe, expect, it } from 'vitest';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import { podsEvictedBy } from '#src/engine/neighbours/evicted-pods.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { build, type Change } from '../../../../support/kubernetes-objects.js';
import { node as anyNode } from '../../../../support/placement-builders.js';
import { ago } from '../../../../support/rollout-builders.js';
import { api, beside, gpuNode } from '../../../engine/neighbours/beside.js';
import { buildExamination, event, type Fields, foreignPod } from '../../findings/waiting/build.js';
import { expectFindings, has } from '../run-rule.js';

const inUse = beside(api());
const { Pod: pods = [], Node: nodes = [] } = inUse;
const within = (fields: Fields) => buildExamination({ ...inUse, ...fields }).snapshot;

/** The pods of the world, one of them with further annotations. */
const annotated = (name: string, annotations: Readonly<Record<string, string>>): Fields => ({
  Pod: pods.map((pod) =>
    pod.metadata.name === name ? { ...pod, metadata: { ...pod.metadata, annotations } } : pod,
  ),
});
const observed = { vpaObservedContainers: 'app' };
const withPod = (pod: Pod): Fields => ({ Pod: [...pods, pod] });
const onB = (name: string, kind: string, more: object = {}) =>
  foreignPod(`${name}-1`, kind, name, { on: 'n-b', ...more });
const descheduler = { labels: { 'app.kubernetes.io/name': 'descheduler' } };
const watched = onB('x', 'CloneSet');

const vertical = (updateMode: string | undefined, name = 'api', namespace = 'shop'): Fields => ({
  VerticalPodAutoscaler: [
    build('VerticalPodAutoscaler', name, {
      metadata: { namespace },
      spec: { targetRef: { kind: 'Deployment', name }, ...(updateMode && { updatePolicy: { updateMode } }) },
    }),
  ],
});

const claimOf = (node: string, change: Change<'NodeClaim'> = {}, drifted = false) =>
  build(
    'NodeClaim',
    `claim-${node}`,
    {
      metadata: { creationTimestamp: ago(86_400) },
      spec: { expireAfter: '720h' },
      status: {
        nodeName: node,
        conditions: ['Initialized', 'Consolidatable', ...(drifted ? ['Drifted'] : [])].map((type) => ({
          type,
          status: 'True',
        })),
      },
    },
    change,
  );
const claims = (...NodeClaim: readonly ReturnType<typeof claimOf>[]): Fields => ({ NodeClaim });
const drifted = (node: string, change?: Change<'NodeClaim'>) => claims(claimOf(node, change, true));
const keep = { 'karpenter.sh/do-not-disrupt': 'true' };
const taintedNode = (name: string, key: string) => {
  const node = gpuNode(name);
  return {
    ...node,
    spec: { ...node.spec, taints: [{ key, value: '', effect: 'NoSchedule', timeAdded: undefined }] },
  };
};

const waitingUid = pods.find(({ metadata }) => metadata.name === 'web-new')?.metadata.uid ?? '';
const answered = (reason: string, message: string, secondsAgo = 60): Fields => {
  const about = { kind: 'Pod', name: 'web-new', uid: waitingUid };
  return { Event: [event({ about, reason, message, secondsAgo, component: 'cluster-autoscaler' })] };
};
const declined = "pod didn't trigger scale-up: 2 max node group size reached";

const proven = { confidence: 'proven', doubts: [] };
const likely = (doubt: string) => ({ confidence: 'likely', doubts: [doubt] });
const mayEvict = likely('programs-may-evict');
const replaced = { confidence: 'likely', doubts: has('nodes-are-replaced') };

describe('a deadlock beside a program that evicts pods:', () => {
  expectFindings<Fields>(surgeDeadlock, within, [
    ['a VerticalPodAutoscaler without a mode', vertical(undefined), mayEvict],
    ['the VerticalPodAutoscaler of the workload itself', vertical('Recreate', 'web'), mayEvict],
    ['one that resizes in place where it can', vertical('InPlaceOrRecreate'), mayEvict],
    ['one that is off', vertical('Off'), proven],
    ['one that acts on creation only', vertical('Initial'), proven],
    [
      'one that acts on creation only, whose webhook marked a pod',
      { ...annotated('api-1', observed), ...vertical('Initial') },
      proven,
    ],
    ['one of a workload without pods', vertical('Auto', 'cart'), proven],
    ['one of another namespace', vertical('Auto', 'api', 'ml'), proven],
    ...['shop', 'ml'].map(
      (namespace) =>
        [
          `VerticalPodAutoscalers of ${namespace} that could not be read`,
          { unseen: [{ what: 'VerticalPodAutoscaler', namespace, because: 'forbidden', message: '' }] },
          likely('evictors-unread'),
        ] as const,
    ),
    ['a pod of the workload was observed', annotated('web-old', observed), mayEvict],
    ['a pod of a neighbour was observed', annotated('api-1', observed), mayEvict],
    [
      'the descheduler, by an annotation',
      annotated('api-1', { 'descheduler.alpha.kubernetes.io/evict': '' }),
      mayEvict,
    ],
    ['the descheduler that runs', withPod(onB('descheduler', 'ReplicaSet', descheduler)), mayEvict],
    [
      'an observed pod that holds nothing',
      withPod({ ...watched, metadata: { ...watched.metadata, annotations: observed } }),
      proven,
    ],
    ['the descheduler ended', withPod(onB('d', 'Job', { ...descheduler, phase: 'Succeeded' })), proven],
    ['Karpenter may consolidate, which makes no room', claims(claimOf('n-a'), claimOf('n-b')), proven],
    ['a node never expires', claims(claimOf('n-a', { spec: { expireAfter: 'Never' } })), proven],
    ['a drifted node is not to be disrupted', drifted('n-a', { metadata: { annotations: keep } }), proven],
    [
      'a drifted node runs a pod that is not to be disrupted',
      { ...annotated('web-old', keep), ...drifted('n-a') },
      proven,
    ],
    [
      'a drifted node is too small for the pod',
      { ...drifted('n-x'), Node: [...nodes, anyNode('n-x', { allocatable: { cpu: '1', pods: '9' } })] },
      proven,
    ],
    ['a node drifted', drifted('n-b'), replaced],
    ['a node expires today', claims(claimOf('n-a', { spec: { expireAfter: '25h30m' } })), replaced],
    [
      'a node is being deleted',
      claims(claimOf('n-a', { metadata: { deletionTimestamp: ago(10) } })),
      replaced,
    ],
    [
      'a node carries the taint of a disruption',
      {
        ...claims(claimOf('n-b')),
        Node: [gpuNode('n-a'), taintedNode('n-b', 'karpenter.sh/disrupted'), gpuNode('n-c')],
      },
      replaced,
    ],
    ['the autoscaler cannot add a node', answered('NotTriggerScaleUp', declined), proven],
    [
      'the autoscaler tries again after the backoff of a node group',
      answered('NotTriggerScaleUp', `${declined}, 1 in backoff after failed scale-up`),
      likely('scale-up-retried'),
    ],
    [
      'the autoscaler tries again where the ordered node did not come',
      answered('TriggeredScaleUp', 'pod triggered scale-up: [{gpu 1->2 (max: 3)}]', 1800),
      likely('scale-up-retried'),
    ],
  ]);
});

it.each(['ToBeDeletedByClusterAutoscaler', 'karpenter.sh/disrupted', 'karpenter.sh/disruption'])(
  'pods of a node that an autoscaler removes are evicted, those of DaemonSets are not: %s',
  (key) => {
    const { snapshot } = buildExamination({
      Node: [taintedNode('n-a', key), gpuNode('n-b')],
      Pod: [
        foreignPod('held', 'StatefulSet', 'held', { on: 'n-a' }),
        foreignPod('agent', 'DaemonSet', 'agent', { on: 'n-a' }),
        foreignPod('other', 'StatefulSet', 'other', { on: 'n-b' }),
      ],
    });

    expect(podsEvictedBy('node-removal', snapshot.index).map(({ metadata }) => metadata.name)).toEqual([
      'held',
    ]);
  },
);
