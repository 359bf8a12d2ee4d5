import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/core/cluster/pod.js';
import { HorizontalPodAutoscaler, Namespace } from '#src/core/cluster/policy.js';
import { Deployment, StatefulSet } from '#src/core/cluster/workload.js';
import { capacityContention } from '#src/core/diagnosis/causes/capacity-contention/rule.js';
import { text } from '#src/core/diagnosis/causes/capacity-contention/text.js';
import { surgeDeadlock } from '#src/core/diagnosis/causes/surge-deadlock/rule.js';
import { text as surgeText } from '#src/core/diagnosis/causes/surge-deadlock/text.js';
import { shrinkingNeighboursOf } from '#src/core/neighbours/shrinking-neighbours.js';
import { node } from '#support/placement-builders.js';
import { ago } from '#support/rollout-builders.js';
import { buildSet } from '#support/stateful-set-builders.js';
import {
  buildDeployment,
  buildExamination,
  buildReplicaSet,
  detected,
  type Fields,
  foreignPod,
  ownedPod,
  renderFinding,
} from '../diagnosis/waiting/build.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const gpuNode = (name: string) => node(name, { allocatable: { 'nvidia.com/gpu': '1' } });

/** The only GPUs: one of the own old pod, one or two of a neighbour in the namespace `shop`. */
function beside(neighbour: Fields): Fields {
  return {
    Node: [gpuNode('n-a'), gpuNode('n-b'), gpuNode('n-c')],
    ...neighbour,
    ReplicaSet: [
      buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
      buildReplicaSet({ revision: 2, replicas: 1 }),
      ...(neighbour.ReplicaSet ?? []),
    ],
    Pod: [
      ownedPod('web-old', 1, { on: 'n-a', ...gpu }),
      ownedPod('web-new', 2, gpu),
      ...(neighbour.Pod ?? []),
    ],
  };
}

interface ApiShape {
  readonly replicas?: number;
  readonly wanted?: number;
  readonly metadata?: object;
}

/** `shop/api` with two ready pods of one revision. */
function api({ replicas = 2, wanted = replicas, metadata = {} }: ApiShape = {}): Fields {
  const base = buildDeployment({
    replicas: wanted,
    status: { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 },
  });
  return {
    Deployment: [
      Deployment.parse({
        ...structuredClone(base),
        metadata: { ...base.metadata, name: 'api', uid: 'api-uid', ...metadata },
        spec: { ...base.spec, template: buildReplicaSet({ revision: 1, replicas: 1 }).spec.template },
      }),
    ],
    ReplicaSet: [
      buildReplicaSet({
        revision: 1,
        replicas: wanted,
        available: 2,
        exist: 2,
        name: 'api-1',
        metadata: {
          ownerReferences: [{ kind: 'Deployment', name: 'api', uid: 'api-uid', controller: true }],
        },
      }),
    ],
    Pod: [
      ownedPod('api-1', 1, { on: 'n-b', ...gpu }, 'api'),
      ownedPod('api-2', 1, { on: 'n-c', ...gpu }, 'api'),
    ],
  };
}

const deletedAgo = { deletionTimestamp: ago(2) };

/** `shop/db` with two ready pods. */
function db(replicas: number, { isReady = true, fields = {} as object } = {}): Fields {
  const set = buildSet({ replicas, status: { replicas: 2, updateRevision: 'db-1' } });
  const member = (name: string, on: string, ready: boolean) => {
    const pod = foreignPod(name, 'StatefulSet', 'db', {
      on,
      ...gpu,
      labels: { 'controller-revision-hash': 'db-1' },
    });
    const [first] = ownedPod(name, 1, { on }).status.conditions.filter(({ type }) => type === 'Ready');
    const conditions = first === undefined ? [] : [{ ...first, status: ready ? 'True' : 'False' }];
    return { ...pod, status: { ...pod.status, startTime: ago(3600), conditions } };
  };
  return {
    StatefulSet: [StatefulSet.parse({ ...structuredClone(set), ...fields })],
    Pod: [member('db-0', 'n-b', isReady), member('db-1', 'n-c', true)],
  };
}

describe('pods of another workload that are stopped without a replacement', () => {
  it.each<readonly [string, Fields]>([
    [
      'of a Deployment that is deleted in the foreground',
      api({ metadata: { ...deletedAgo, finalizers: ['foregroundDeletion'] } }),
    ],
    [
      'of a namespace that is being deleted',
      { ...api(), Namespace: [Namespace.parse({ metadata: { name: 'shop', ...deletedAgo } })] },
    ],
    ['beyond the replicas of a ReplicaSet', api({ wanted: 1 })],
    ['beyond the last ordinal of a StatefulSet', db(1)],
  ])('make the wait no deadlock: %s', (_, neighbour) => {
    const fields = beside(neighbour);
    const finding = detected(capacityContention, fields);

    expect(detected(surgeDeadlock, fields)).toBeUndefined();
    expect(finding).toMatchObject({ confidence: 'likely', summary: { key: 'summary-departing' } });
    expect(finding && renderFinding(finding, text)).toContain('Its controller stops');
  });

  it.each<readonly [string, Fields]>([
    ['the workload has as many pods as replicas', api()],
    ['its deletion leaves the pods as orphans', api({ metadata: { ...deletedAgo, finalizers: ['orphan'] } })],
    [
      'another namespace is being deleted',
      { ...api(), Namespace: [Namespace.parse({ metadata: { name: 'other', ...deletedAgo } })] },
    ],
    ['the StatefulSet has as many pods as replicas', db(2)],
    ['a broken pod keeps an ordered StatefulSet from stopping the last one', db(1, { isReady: false })],
  ])('leave a proven deadlock where %s', (_, neighbour) => {
    expect(detected(surgeDeadlock, beside(neighbour))?.confidence).toBe('proven');
  });
});

describe('an autoscaler of another workload', () => {
  const autoscaler = (minReplicas: number, name = 'api') =>
    HorizontalPodAutoscaler.parse({
      metadata: { name, namespace: 'shop' },
      spec: { minReplicas, maxReplicas: 4, scaleTargetRef: { kind: 'Deployment', name } },
    });

  it.each([
    [
      'that may stop pods there makes a deadlock likely',
      [autoscaler(1)],
      'likely',
      ['neighbours-may-shrink'],
    ],
    ['at its minimum leaves it proven', [autoscaler(2)], 'proven', []],
    ['for a workload without pods leaves it proven', [autoscaler(1, 'cart')], 'proven', []],
  ] as const)('%s', (_, HorizontalPodAutoscaler, confidence, doubts) => {
    const finding = detected(surgeDeadlock, beside({ ...api(), HorizontalPodAutoscaler }));

    expect(finding?.confidence).toBe(confidence);
    expect(finding?.weakenedBy.map(({ key }) => key)).toEqual(doubts);
  });

  it.each([
    ['at its minimum leaves it proven', autoscaler(2), 'proven'],
    ['that may stop one of the pods makes it likely', autoscaler(1), 'likely'],
  ])('of a workload that was not read, %s', (_, one, confidence) => {
    const fields = beside({ ...api(), Deployment: [], HorizontalPodAutoscaler: [one] });

    expect(detected(surgeDeadlock, fields)?.confidence).toBe(confidence);
  });

  const ofKeda = (minReplicas: number, name: string) => {
    const owner = {
      apiVersion: 'keda.sh/v1alpha1',
      kind: 'ScaledObject',
      name,
      uid: 'keda',
      controller: true,
    };
    const { metadata, ...rest } = autoscaler(minReplicas, name);
    return HorizontalPodAutoscaler.parse({ ...rest, metadata: { ...metadata, ownerReferences: [owner] } });
  };

  it.each([
    ['that may stop the last pod of a neighbour', 1, 'api', 'likely', ['neighbours-may-shrink']],
    ['that may stop the last pod of the workload', 1, 'web', 'likely', ['scaled-object-may-shrink']],
    ['with a minimum above 1', 2, 'web', 'proven', []],
  ] as const)('of KEDA, %s', (_, minReplicas, name, confidence, doubts) => {
    const fields = beside(api({ wanted: 1 }));
    const finding = detected(surgeDeadlock, {
      ...fields,
      Deployment: (fields.Deployment ?? []).map((each) => ({
        ...each,
        status: { ...each.status, replicas: 1, updatedReplicas: 1, readyReplicas: 1 },
      })),
      Node: (fields.Node ?? []).slice(0, 2),
      Pod: (fields.Pod ?? []).slice(0, 3),
      HorizontalPodAutoscaler: [ofKeda(minReplicas, name)],
    });

    expect(finding?.confidence).toBe(confidence);
    expect(finding?.weakenedBy.map(({ key }) => key)).toEqual(doubts);
    if (finding !== undefined) renderFinding(finding, surgeText);
  });

  it.each([
    ['leaves it proven', 4, 'proven'],
    ['makes it likely where there are more replicas than its maximum', 1, 'likely'],
  ])('that may not scale down %s', (_, maxReplicas, confidence) => {
    const { metadata, spec } = autoscaler(1);
    const behavior = { scaleDown: { selectPolicy: 'Disabled' } };
    const one = HorizontalPodAutoscaler.parse({ metadata, spec: { ...spec, maxReplicas, behavior } });
    const fields = beside({ ...api(), HorizontalPodAutoscaler: [one] });

    expect(detected(surgeDeadlock, fields)?.confidence).toBe(confidence);
  });

  it('that could not be read in the namespace of a holder makes a deadlock likely', () => {
    const unseen = [
      { what: 'HorizontalPodAutoscaler', namespace: 'ml', because: 'forbidden', message: '' },
    ] as const;
    const finding = detected(surgeDeadlock, { ...beside(api()), unseen });

    expect(finding?.weakenedBy.map(({ key }) => key)).toEqual(['neighbours-autoscalers-unread']);
  });

  it('that could not be read in any namespace makes a deadlock likely, without the name of a namespace', () => {
    const unseen = [
      { what: 'HorizontalPodAutoscaler', namespace: '', because: 'forbidden', message: '' },
    ] as const;
    const finding = detected(surgeDeadlock, { ...beside(api()), unseen });

    expect(finding && renderFinding(finding, surgeText)).toContain(
      'HorizontalPodAutoscalers of other namespaces could not be read',
    );
  });

  it('leaves a deadlock proven where more pods would have to stop than it may stop', () => {
    const fields = beside({ ...api(), HorizontalPodAutoscaler: [autoscaler(1)] });
    const large = ownedPod('web-new', 2, { requests: { 'nvidia.com/gpu': '2' } });
    const nodes = [
      node('n-a', { allocatable: { 'nvidia.com/gpu': '2' } }),
      node('n-b', { allocatable: { 'nvidia.com/gpu': '2' } }),
    ];
    const pods = [
      ownedPod('web-old', 1, { on: 'n-a', ...gpu }),
      large,
      ownedPod('api-1', 1, { on: 'n-b', ...gpu }, 'api'),
      ownedPod('api-2', 1, { on: 'n-b', ...gpu }, 'api'),
    ];

    expect(detected(surgeDeadlock, { ...fields, Node: nodes, Pod: pods })?.confidence).toBe('proven');
  });
});

describe('two other workloads that each free half of what the pod needs', () => {
  const half = (name: string) => node(name, { allocatable: { 'nvidia.com/gpu': '2' } });
  const set = (name: string, fields: object) => {
    const { spec, status } = buildSet({ replicas: 1, status: { replicas: 1, readyReplicas: 1, ...fields } });
    const containers = [{ name: 'app', image: 'db:2', resources: gpu }];
    return StatefulSet.parse({
      metadata: { name, namespace: 'shop', uid: `${name}-uid`, generation: 2 },
      spec: { ...structuredClone(spec), template: { spec: { containers } } },
      status: structuredClone(status),
    });
  };
  const member = (name: string) => {
    const pod = foreignPod(`${name}-0`, 'StatefulSet', name, {
      on: 'n-b',
      ...gpu,
      labels: { 'controller-revision-hash': 'db-1' },
    });
    const { conditions } = ownedPod(name, 1, { on: 'n-b' }).status;
    return { ...pod, status: { ...pod.status, startTime: ago(3600), conditions } };
  };
  const needsTwo = (fields: Fields): Fields => ({
    ...beside({}),
    Node: [half('n-a'), half('n-b')],
    Pod: [
      ownedPod('web-old', 1, { on: 'n-a', ...gpu }),
      ownedPod('web-new', 2, { requests: { 'nvidia.com/gpu': '2' } }),
      member('db'),
      member('feed'),
    ],
    ...fields,
  });
  const atRest = { updateRevision: 'db-1', currentRevision: 'db-1' };
  const toZero = (name: string) =>
    HorizontalPodAutoscaler.parse({
      metadata: { name, namespace: 'shop' },
      spec: { minReplicas: 0, maxReplicas: 4, scaleTargetRef: { kind: 'StatefulSet', name } },
    });

  it.each([
    ['no autoscaler', [], 'proven', []],
    ['an autoscaler of one of them', [toZero('db')], 'proven', []],
    ['an autoscaler of each', [toZero('db'), toZero('feed')], 'likely', ['shop/db', 'shop/feed']],
  ] as const)('with %s', (_, HorizontalPodAutoscaler, confidence, neighbours) => {
    const StatefulSet = [set('db', atRest), set('feed', atRest)];
    const finding = detected(surgeDeadlock, needsTwo({ StatefulSet, HorizontalPodAutoscaler }));

    expect(finding).toMatchObject({ confidence, facts: { shrinkingNeighbours: neighbours } });
  });

  it('are named without an autoscaler whose pods are on another node', () => {
    const mail = { ...member('mail'), spec: { ...member('mail').spec, nodeName: 'n-c' } };
    const base = needsTwo({
      StatefulSet: [set('db', atRest), set('feed', atRest), set('mail', atRest)],
      HorizontalPodAutoscaler: [toZero('db'), toZero('feed'), toZero('mail')],
    });
    const Node = [...(base.Node ?? []), gpuNode('n-c')];
    const finding = detected(surgeDeadlock, { ...base, Node, Pod: [...(base.Pod ?? []), mail] });

    expect(finding?.facts).toMatchObject({ shrinkingNeighbours: ['shop/db', 'shop/feed'] });
  });

  it('of several hundred with an autoscaler are not each tried on every node', () => {
    const names = Array.from({ length: 200 }, (_, at) => `w-${at}`);
    const base = needsTwo({ HorizontalPodAutoscaler: names.map(toZero) });
    const others = names.map((name, at) => {
      const pod = member(name);
      return { ...pod, spec: { ...pod.spec, nodeName: `n-${at % 100}` } };
    });
    const { snapshot, placement } = buildExamination({
      ...base,
      Node: [half('n-a'), ...names.slice(0, 100).map((_, at) => half(`n-${at}`))],
      Pod: [...(base.Pod ?? []).slice(0, 2), ...others],
    });
    const waiting = snapshot.index.objects.Pod.find(({ metadata }) => metadata.name === 'web-new');
    if (waiting === undefined) throw new Error('the new pod waits');
    let everywhere = 0;
    const counted: typeof placement = {
      ...placement,
      wouldFitIf: (pod, removable, on) => {
        if (on === undefined) everywhere += 1;
        return placement.wouldFitIf(pod, removable, on);
      },
    };

    expect(shrinkingNeighboursOf({ snapshot, placement: counted }, waiting)).toEqual([
      'shop/w-0',
      'shop/w-100',
    ]);
    expect(everywhere).toBe(1);
  });

  const jobPod = foreignPod('report-x', 'Job', 'report', { on: 'n-b', ...gpu });
  const leavingPod = {
    ...foreignPod('gone-x', 'ReplicaSet', 'gone', { on: 'n-b', ...gpu }),
  };
  const terminating = {
    ...leavingPod,
    metadata: { ...leavingPod.metadata, deletionTimestamp: ago(-20), deletionGracePeriodSeconds: 30 },
  };

  it.each<readonly [string, readonly Pod[], readonly HorizontalPodAutoscaler[], string, readonly string[]]>([
    ['a Job that ends, and nothing else,', [member('db'), jobPod], [], 'proven', []],
    [
      'a Job that ends beside pods that an autoscaler may stop',
      [member('db'), jobPod],
      [toZero('db')],
      'likely',
      ['shop/db-0', 'shop/report-x'],
    ],
    [
      'a pod that is being deleted beside pods that an autoscaler may stop',
      [member('db'), terminating],
      [toZero('db')],
      'likely',
      ['shop/db-0', 'shop/gone-x'],
    ],
    [
      'a pod that is being deleted beside a Job that ends',
      [jobPod, terminating],
      [],
      'likely',
      ['shop/gone-x', 'shop/report-x'],
    ],
  ])('by %s', (_, pods, HorizontalPodAutoscaler, confidence, leavingTogether) => {
    const base = needsTwo({ StatefulSet: [set('db', atRest)], HorizontalPodAutoscaler });
    const Pod = [...(base.Pod ?? []).slice(0, 2), ...pods];
    const finding = detected(surgeDeadlock, { ...base, Pod });

    expect(finding).toMatchObject({ confidence, facts: { leavingTogether } });
    expect(finding?.reasoning.some(({ key }) => key === 'no-rescue')).toBe(confidence === 'proven');
  });

  it('where only the pod of a later revision of an autoscaled workload uses it', () => {
    const base = needsTwo({
      StatefulSet: [set('db', atRest)],
      HorizontalPodAutoscaler: [toZero('db')],
    });
    const { metadata, ...rest } = member('db');
    const small: Pod = {
      ...rest,
      metadata: { ...metadata, name: 'db-', uid: 'db-', labels: { 'controller-revision-hash': 'db-0' } },
      spec: { ...rest.spec, containers: [] },
    };
    const Pod = [...(base.Pod ?? []).slice(0, 2), small, member('db'), jobPod];
    const finding = detected(surgeDeadlock, { ...base, Pod });

    expect(finding).toMatchObject({
      confidence: 'likely',
      facts: { leavingTogether: ['shop/db-0', 'shop/report-x'] },
    });
  });

  it('while both replace their pods in place make the deadlock likely', () => {
    const updating = { updateRevision: 'db-2', currentRevision: 'db-1' };
    const one = needsTwo({ StatefulSet: [set('db', updating), set('feed', atRest)] });
    const both = needsTwo({ StatefulSet: [set('db', updating), set('feed', updating)] });

    expect(detected(surgeDeadlock, one)?.confidence).toBe('proven');
    expect(detected(surgeDeadlock, both)).toMatchObject({
      confidence: 'likely',
      facts: { replacingNeighbours: ['shop/db', 'shop/feed'] },
    });
  });
});
