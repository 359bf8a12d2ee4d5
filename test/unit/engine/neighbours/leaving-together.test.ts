import { describe, expect, it } from 'vitest';
import { surgeDeadlock } from '#src/doctor/causes/surge-deadlock/rule.js';
import { shrinkingNeighboursOf } from '#src/engine/neighbours/shrinking-neighbours.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { HorizontalPodAutoscaler } from '#src/engine/objects/policy.js';
import { StatefulSet } from '#src/engine/objects/workload.js';
import { node } from '../../../support/placement-builders.js';
import { ago } from '../../../support/rollout-builders.js';
import { buildSet } from '../../../support/stateful-set-builders.js';
import { openersIn } from '../../doctor/causes/run-rule.js';
import {
  buildExamination,
  detected,
  type Fields,
  foreignPod,
  ownedPod,
} from '../../doctor/findings/waiting/build.js';
import { beside, gpu, gpuNode } from './beside.js';

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

    expect(finding).toMatchObject({ confidence });
    expect(openersIn(finding)).toMatchObject({ 'neighbours-may-shrink': neighbours });
  });

  it('are named without an autoscaler whose pods are on another node', () => {
    const mail = { ...member('mail'), spec: { ...member('mail').spec, nodeName: 'n-c' } };
    const base = needsTwo({
      StatefulSet: [set('db', atRest), set('feed', atRest), set('mail', atRest)],
      HorizontalPodAutoscaler: [toZero('db'), toZero('feed'), toZero('mail')],
    });
    const Node = [...(base.Node ?? []), gpuNode('n-c')];
    const finding = detected(surgeDeadlock, { ...base, Node, Pod: [...(base.Pod ?? []), mail] });

    expect(openersIn(finding)).toMatchObject({
      'neighbours-may-shrink': ['shop/db', 'shop/feed'],
    });
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
  const leavingPod = { ...foreignPod('gone-x', 'ReplicaSet', 'gone', { on: 'n-b', ...gpu }) };
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
  ])('by %s', (_, pods, HorizontalPodAutoscaler, confidence, together) => {
    const base = needsTwo({ StatefulSet: [set('db', atRest)], HorizontalPodAutoscaler });
    const Pod = [...(base.Pod ?? []).slice(0, 2), ...pods];
    const finding = detected(surgeDeadlock, { ...base, Pod });

    expect(finding).toMatchObject({ confidence });
    expect(openersIn(finding)).toMatchObject({ 'pods-may-leave': together });
    expect(finding?.reasoning.some(({ key }) => key === 'no-rescue')).toBe(confidence === 'proven');
  });

  it('where only the pod of a later revision of an autoscaled workload uses it', () => {
    const base = needsTwo({ StatefulSet: [set('db', atRest)], HorizontalPodAutoscaler: [toZero('db')] });
    const { metadata, ...rest } = member('db');
    const small: Pod = {
      ...rest,
      metadata: { ...metadata, name: 'db-', uid: 'db-', labels: { 'controller-revision-hash': 'db-0' } },
      spec: { ...rest.spec, containers: [] },
    };
    const Pod = [...(base.Pod ?? []).slice(0, 2), small, member('db'), jobPod];
    const finding = detected(surgeDeadlock, { ...base, Pod });

    expect(finding?.confidence).toBe('likely');
    expect(openersIn(finding)).toMatchObject({ 'pods-may-leave': ['shop/db-0', 'shop/report-x'] });
  });

  it('while both replace their pods in place make the deadlock likely', () => {
    const updating = { updateRevision: 'db-2', currentRevision: 'db-1' };
    const one = needsTwo({ StatefulSet: [set('db', updating), set('feed', atRest)] });
    const both = needsTwo({ StatefulSet: [set('db', updating), set('feed', updating)] });

    expect(detected(surgeDeadlock, one)?.confidence).toBe('proven');
    const finding = detected(surgeDeadlock, both);
    expect(finding?.confidence).toBe('likely');
    expect(openersIn(finding)).toMatchObject({ 'neighbours-replace': ['shop/db', 'shop/feed'] });
  });
});
