import { describe, expect, it } from 'vitest';
import { Node } from '#src/core/cluster/node.js';
import { NodeClaim, VerticalPodAutoscaler } from '#src/core/cluster/policy.js';
import { surgeDeadlock } from '#src/core/diagnosis/causes/surge-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/surge-deadlock/text.js';
import { podsEvictedBy } from '#src/core/neighbours/evicted-by-programs.js';
import { ago } from '#support/rollout-builders.js';
import { api, beside, gpuNode } from '../../../neighbours/beside.js';
import {
  buildExamination,
  detected,
  event,
  type Fields,
  foreignPod,
  renderFinding,
} from '../../waiting/build.js';

const inUse = beside(api());
const findIn = (fields: Fields) => detected(surgeDeadlock, { ...inUse, ...fields });
const doubtsIn = (fields: Fields): readonly [string | undefined, readonly string[]] => {
  const finding = findIn(fields);
  return [finding?.confidence, (finding?.weakenedBy ?? []).map(({ key }) => key)];
};

/** The pods of the world, one of them with further annotations. */
const annotated = (name: string, annotations: Readonly<Record<string, string>>): Fields => ({
  Pod: (inUse.Pod ?? []).map((pod) =>
    pod.metadata.name === name ? { ...pod, metadata: { ...pod.metadata, annotations } } : pod,
  ),
});
const withPod = (pod: NonNullable<Fields['Pod']>[number]): Fields => ({ Pod: [...(inUse.Pod ?? []), pod] });
const descheduler = { 'app.kubernetes.io/name': 'descheduler' };

const vertical = (updateMode: string | undefined, name = 'api', namespace = 'shop'): Fields => ({
  VerticalPodAutoscaler: [
    VerticalPodAutoscaler.parse({
      metadata: { name, namespace },
      spec: {
        targetRef: { kind: 'Deployment', name },
        ...(updateMode === undefined ? {} : { updatePolicy: { updateMode } }),
      },
    }),
  ],
});

describe('a VerticalPodAutoscaler that was read', () => {
  it.each<[string, 'likely' | 'proven', Fields]>([
    ['without a mode', 'likely', vertical(undefined)],
    ['of the workload itself', 'likely', vertical('Recreate', 'web')],
    ['that resizes in place where it can', 'likely', vertical('InPlaceOrRecreate')],
    ['that is off', 'proven', vertical('Off')],
    ['that acts on creation only', 'proven', vertical('Initial')],
    [
      'that acts on creation only, whose webhook marked a pod',
      'proven',
      { ...annotated('api-1', { vpaObservedContainers: 'app' }), ...vertical('Initial') },
    ],
    ['of a workload without pods', 'proven', vertical('Auto', 'cart')],
    ['of another namespace', 'proven', vertical('Auto', 'api', 'ml')],
  ])('%s leaves a deadlock %s', (_, confidence, fields) => {
    expect(findIn(fields)?.confidence).toBe(confidence);
  });
});

describe('VerticalPodAutoscalers that could not be read', () => {
  it.each(['shop', 'ml'])('leave a deadlock likely: those of %s', (namespace) => {
    const unread = { what: 'VerticalPodAutoscaler', namespace, because: 'forbidden', message: '' } as const;

    expect(doubtsIn({ unseen: [unread] })).toEqual(['likely', ['evictors-unread']]);
  });
});

describe('a deadlock is likely where a program may evict a pod that holds the place', () => {
  it.each<[string, Fields]>([
    ['the VerticalPodAutoscaler of the workload', annotated('web-old', { vpaObservedContainers: 'app' })],
    ['the VerticalPodAutoscaler of a neighbour', annotated('api-1', { vpaObservedContainers: 'app' })],
    [
      'the descheduler, by an annotation',
      annotated('api-1', { 'descheduler.alpha.kubernetes.io/evict': '' }),
    ],
    [
      'the descheduler that runs',
      withPod(foreignPod('descheduler-1', 'ReplicaSet', 'descheduler', { on: 'n-b', labels: descheduler })),
    ],
  ])('%s', (_, fields) => {
    expect(doubtsIn(fields)).toEqual(['likely', ['programs-may-evict']]);
    const finding = findIn(fields);
    expect(finding && renderFinding(finding, text)).toContain('may evict');
  });

  it.each<[string, Fields]>([
    [
      'the pod of a VerticalPodAutoscaler holds nothing',
      withPod(withVpa(foreignPod('x', 'CloneSet', 'x', { on: 'n-b' }))),
    ],
    [
      'the descheduler ended',
      withPod(ended(foreignPod('d', 'Job', 'd', { on: 'n-b', labels: descheduler }))),
    ],
  ])('and proven where %s', (_, fields) => {
    expect(doubtsIn(fields)).toEqual(['proven', []]);
  });
});

function withVpa(pod: NonNullable<Fields['Pod']>[number]) {
  return { ...pod, metadata: { ...pod.metadata, annotations: { vpaObservedContainers: 'app' } } };
}

function ended(pod: NonNullable<Fields['Pod']>[number]) {
  return { ...pod, status: { ...pod.status, phase: 'Succeeded' as const } };
}

const claim = (node: string, fields: { spec?: object; drifted?: boolean; metadata?: object } = {}) =>
  NodeClaim.parse({
    metadata: { name: `claim-${node}`, creationTimestamp: ago(86_400), ...fields.metadata },
    spec: fields.spec ?? { expireAfter: '720h' },
    status: {
      nodeName: node,
      conditions: [
        { type: 'Initialized', status: 'True' },
        { type: 'Consolidatable', status: 'True' },
        ...(fields.drifted === true ? [{ type: 'Drifted', status: 'True' }] : []),
      ],
    },
  });
const claims = (...NodeClaim: readonly ReturnType<typeof claim>[]): Fields => ({ NodeClaim });
const tainted = (key: string): Fields => ({
  ...claims(claim('n-b')),
  Node: [
    gpuNode('n-a'),
    Node.parse({ ...gpuNode('n-b'), spec: { taints: [{ key, effect: 'NoSchedule' }] } }),
    gpuNode('n-c'),
  ],
});

describe('a deadlock beside nodes of Karpenter', () => {
  it.each<[string, Fields]>([
    ['may be consolidated, which makes no room', claims(claim('n-a'), claim('n-b'))],
    ['never expires', claims(claim('n-a', { spec: { expireAfter: 'Never' } }))],
    [
      'drifted and is not to be disrupted',
      claims(
        claim('n-a', { drifted: true, metadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } }),
      ),
    ],
    [
      'drifted and runs a pod that is not to be disrupted',
      {
        ...annotated('web-old', { 'karpenter.sh/do-not-disrupt': 'true' }),
        ...claims(claim('n-a', { drifted: true })),
      },
    ],
    [
      'drifted and is too small for the pod',
      {
        ...claims(claim('n-x', { drifted: true })),
        Node: [
          ...(inUse.Node ?? []),
          Node.parse({ ...gpuNode('n-x'), status: { allocatable: { cpu: '1', pods: '9' } } }),
        ],
      },
    ],
  ])('is proven where one %s', (_, fields) => {
    expect(doubtsIn(fields)).toEqual(['proven', []]);
  });

  it.each<[string, Fields]>([
    ['drifted', claims(claim('n-b', { drifted: true }))],
    ['expires today', claims(claim('n-a', { spec: { expireAfter: '25h30m' } }))],
    ['is being deleted', claims(claim('n-a', { metadata: { deletionTimestamp: ago(10) } }))],
    ['carries the taint of a disruption', tainted('karpenter.sh/disrupted')],
  ])('is likely where one %s', (_, fields) => {
    const [confidence, doubts] = doubtsIn(fields);

    expect(confidence).toBe('likely');
    expect(doubts).toContain('nodes-are-replaced');
  });
});

describe('an autoscaler that answered for the new pod', () => {
  const waiting = (inUse.Pod ?? []).find(({ metadata }) => metadata.name === 'web-new');
  const answered = (reason: string, message: string, secondsAgo = 60): Fields => ({
    Event: [
      event({
        about: { kind: 'Pod', name: 'web-new', uid: waiting?.metadata.uid ?? '' },
        reason,
        message,
        secondsAgo,
        component: 'cluster-autoscaler',
      }),
    ],
  });
  const declined = "pod didn't trigger scale-up: 2 max node group size reached";

  it('leaves a deadlock proven where it cannot add a node', () => {
    expect(doubtsIn(answered('NotTriggerScaleUp', declined))).toEqual(['proven', []]);
  });

  it.each<[string, Fields]>([
    [
      'a node group is in backoff',
      answered('NotTriggerScaleUp', `${declined}, 1 in backoff after failed scale-up`),
    ],
    [
      'the ordered node did not come',
      answered('TriggeredScaleUp', 'pod triggered scale-up: [{gpu 1->2 (max: 3)}]', 1800),
    ],
  ])('leaves it likely where %s, as it tries again', (_, fields) => {
    expect(doubtsIn(fields)).toEqual(['likely', ['scale-up-retried']]);
  });
});

describe('pods of a node that an autoscaler removes', () => {
  it.each(['ToBeDeletedByClusterAutoscaler', 'karpenter.sh/disrupted', 'karpenter.sh/disruption'])(
    'are evicted, those of DaemonSets are not: %s',
    (key) => {
      const { snapshot } = buildExamination({
        Node: [
          Node.parse({ ...gpuNode('n-a'), spec: { taints: [{ key, effect: 'NoSchedule' }] } }),
          gpuNode('n-b'),
        ],
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
});
