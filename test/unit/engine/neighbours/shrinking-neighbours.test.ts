import { describe, expect, it } from 'vitest';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import { text } from '#src/doctor/causes/surge-deadlock/text.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import { HorizontalPodAutoscaler } from '#src/engine/objects/policy.js';
import { node } from '../../../support/placement-builders.js';
import { buildDeployment } from '../../../support/rollout-builders.js';
import {
  buildExamination,
  detected,
  type Fields,
  foreignPod,
  ownedPod,
  renderFinding,
} from '../../doctor/findings/waiting/build.js';
import { api, beside, gpu } from './beside.js';

/** The same two places, held by pods of another kind, all of one revision. */
function holdersOf(
  kind: string,
  labels: Readonly<Record<string, string>> = {},
  namespace = 'shop',
  annotations: Readonly<Record<string, string>> = {},
): Fields {
  const holder = (name: string, on: string) => {
    const pod = foreignPod(name, kind, 'serve', { on, ...gpu, labels });
    return { ...pod, metadata: { ...pod.metadata, namespace, annotations } };
  };
  return { Pod: [holder('serve-1', 'n-b'), holder('serve-2', 'n-c')] };
}

const scales = (kind: string, name: string, { minReplicas = 1, namespace = 'shop' } = {}) =>
  HorizontalPodAutoscaler.parse({
    metadata: { name: 'scaler', namespace },
    spec: { minReplicas, maxReplicas: 4, scaleTargetRef: { kind, name } },
  });

const scaled = (fields: Fields, ...by: Parameters<typeof scales>): Fields => ({
  ...fields,
  HorizontalPodAutoscaler: [scales(...by)],
});

/** `shop/web` or `shop/api`, with an operator above it. */
function operated(fields: Fields, name: string): Fields {
  const ownerReferences = [
    { apiVersion: 'example.com/v1', kind: 'Model', name: 'serve', uid: 'model', controller: true },
  ];
  const below = (deployment: NonNullable<Fields['Deployment']>[number]) => ({
    ...deployment,
    metadata: { ...deployment.metadata, ownerReferences },
  });
  return name === 'web'
    ? { ...fields, workload: below(buildDeployment()) }
    : { ...fields, Deployment: (fields.Deployment ?? []).map(below) };
}

describe('an autoscaler of a kind that is not read', () => {
  const groups = { 'leaderworkerset.sigs.k8s.io/name': 'llm' };
  const knative = { 'serving.knative.dev/revision': 'serve-00001' };
  const least = { 'autoscaling.knative.dev/min-scale': '2' };

  it.each<[string, Fields, 'likely' | 'proven']>([
    ['of a bare ReplicaSet', scaled(holdersOf('ReplicaSet'), 'ReplicaSet', 'serve'), 'likely'],
    ['of a CloneSet', scaled(holdersOf('CloneSet'), 'CloneSet', 'serve'), 'likely'],
    [
      'of a CloneSet at its minimum',
      scaled(holdersOf('CloneSet'), 'CloneSet', 'serve', { minReplicas: 2 }),
      'proven',
    ],
    [
      'of a CloneSet of another namespace',
      scaled(holdersOf('CloneSet', {}, 'ml'), 'CloneSet', 'serve', { namespace: 'ml' }),
      'likely',
    ],
    [
      'of another CloneSet',
      {
        Pod: [
          ...(holdersOf('CloneSet').Pod ?? []),
          foreignPod('other-1', 'CloneSet', 'other', { on: 'n-b' }),
          foreignPod('other-2', 'CloneSet', 'other', { on: 'n-b' }),
        ],
        HorizontalPodAutoscaler: [scales('CloneSet', 'other')],
      },
      'proven',
    ],
    [
      'of a Rollout',
      scaled(holdersOf('ReplicaSet', { 'rollouts-pod-template-hash': 'x' }), 'ReplicaSet', 'serve'),
      'likely',
    ],
    ['of a LeaderWorkerSet', scaled(holdersOf('StatefulSet', groups), 'LeaderWorkerSet', 'llm'), 'likely'],
    [
      'of another LeaderWorkerSet',
      scaled(holdersOf('StatefulSet', groups), 'LeaderWorkerSet', 'embed'),
      'proven',
    ],
    ['of an object above the Deployment', operated(scaled(api(), 'Model', 'serve'), 'api'), 'likely'],
    ['of an object above no Deployment', scaled(api(), 'Model', 'serve'), 'proven'],
    [
      'of an object that may be above a Deployment that was not read',
      { ...scaled(api(), 'Model', 'serve'), Deployment: [] },
      'likely',
    ],
    [
      'of an object above the workload itself',
      operated(scaled(api(), 'Model', 'serve', { minReplicas: 0 }), 'web'),
      'likely',
    ],
    ['of Knative', holdersOf('ReplicaSet', knative), 'likely'],
    ['of Knative at its minimum', holdersOf('ReplicaSet', knative, 'shop', least), 'proven'],
  ])('%s', (_, fields, confidence) => {
    expect(detected(surgeDeadlock, { ...beside(fields), ...pick(fields) })?.confidence).toBe(confidence);
  });
});

const pick = ({ workload }: Fields): Fields => (workload === undefined ? {} : { workload });

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
    if (finding !== undefined) renderFinding(finding, text);
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
    const { snapshot } = buildExamination({ ...beside(holdersOf('CloneSet', {}, 'ml')), unseen });
    const [finding] = diagnose(snapshot, [surgeDeadlock]).findings;

    expect(finding?.weakenedBy.map(({ key }) => key)).toEqual(['neighbours-autoscalers-unread']);
  });

  it('that could not be read in a namespace without pods leaves it proven', () => {
    const unseen = [
      { what: 'HorizontalPodAutoscaler', namespace: 'ml', because: 'forbidden', message: '' },
    ] as const;

    expect(detected(surgeDeadlock, { ...beside(api()), unseen })?.confidence).toBe('proven');
  });

  it('that could not be read in its own namespace makes a deadlock of one replica likely', () => {
    const unseen = [
      { what: 'HorizontalPodAutoscaler', namespace: 'shop', because: 'forbidden', message: '' },
    ] as const;
    const finding = detected(surgeDeadlock, { ...beside(api()), unseen });

    expect(finding).toMatchObject({ confidence: 'likely', weakenedBy: [{ key: 'autoscalers-unread' }] });
  });

  it('that could not be read in any namespace makes a deadlock likely, without the name of a namespace', () => {
    const unseen = [
      { what: 'HorizontalPodAutoscaler', namespace: '', because: 'forbidden', message: '' },
    ] as const;
    const finding = detected(surgeDeadlock, { ...beside(api()), unseen });

    expect(finding && renderFinding(finding, text)).toContain(
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
