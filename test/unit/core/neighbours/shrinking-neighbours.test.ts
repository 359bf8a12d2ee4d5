import { describe, expect, it } from 'vitest';
import { HorizontalPodAutoscaler } from '#src/core/cluster/policy.js';
import { surgeDeadlock } from '#src/core/diagnosis/causes/surge-deadlock/rule.js';
import { text } from '#src/core/diagnosis/causes/surge-deadlock/text.js';
import { node } from '#support/placement-builders.js';
import { detected, ownedPod, renderFinding } from '../diagnosis/waiting/build.js';
import { api, beside, gpu } from './beside.js';

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
    const finding = detected(surgeDeadlock, { ...beside(api()), unseen });

    expect(finding?.weakenedBy.map(({ key }) => key)).toEqual(['neighbours-autoscalers-unread']);
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
