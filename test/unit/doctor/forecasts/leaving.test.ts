import { describe, expect, it } from 'vitest';
import { neededOf } from '#src/doctor/forecasts/stuck-doubts.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { node } from '../../../support/placement-builders.js';
import { isDeadlocked } from '../../../support/shown-words.js';
import { check, quota, serving } from './build.js';

const one = { limits: { cpu: '1' } };
const shape = { container: { resources: one } };
const surge = { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } };

/** A pod of another workload in the namespace, which asks for as much. */
function other(name: string, owner: object, nodeName = 'n1') {
  return schemas.Pod.parse({
    metadata: {
      name,
      namespace: 'shop',
      uid: name,
      ownerReferences: [
        { apiVersion: 'v1', uid: `${name}-owner`, name: 'owner', controller: true, ...owner },
      ],
    },
    spec: {
      nodeName,
      containers: [{ name: 'app', image: 'x', resources: { ...one, requests: one.limits } }],
    },
    status: { phase: 'Running', startTime: '2026-11-20T08:00:00Z' },
  });
}

function autoscaler(target: object, minReplicas: number) {
  return schemas.HorizontalPodAutoscaler.parse({
    metadata: { name: 'scaler', namespace: 'shop' },
    spec: { minReplicas, maxReplicas: 5, scaleTargetRef: target },
  });
}

const doubtsIn = ({ reasoning }: ReturnType<typeof check>) =>
  reasoning.filter(({ key }) => key.includes('may')).map(({ key, values }) => ({ key, values }));

describe('an update that a quota refuses', () => {
  const cpu = (used: string) => quota({ 'requests.cpu': used }, { 'requests.cpu': used });

  it('names the fewest pods whose leaving admits it', () => {
    const answer = check({
      cluster: [
        serving({ on: ['n1', 'n1'], ...shape }),
        {
          Node: [node('n1')],
          ResourceQuota: [cpu('4')],
          Pod: [other('job-a', { kind: 'Job' }), other('job-b', { kind: 'Job' })],
        },
      ],
      shape,
      spec: { replicas: 2, ...surge },
    });

    expect(answer).toMatchObject({ outcome: 'deadlock', confidence: 'likely' });
    expect(doubtsIn(answer)).toEqual([{ key: 'pods-may-leave', values: { pods: ['shop/job-a'] } }]);
  });
});

describe('an update beside autoscalers that could not be read', () => {
  it.each([
    ['in its own namespace', 'shop', 2, 'likely'],
    ['in another namespace', 'ml', 1, 'likely'],
    ['in its own namespace, where KEDA may stop the only pod,', 'shop', 1, 'likely'],
  ])('%s', (_, namespace, replicas, confidence) => {
    const answer = check({
      cluster: [
        serving({ on: Array.from({ length: replicas }, () => 'n1'), ...shape }),
        { Node: [node('n1', { allocatable: { cpu: String(replicas) } })] },
      ],
      shape,
      spec: { replicas, ...surge },
      unseen: [{ what: 'HorizontalPodAutoscaler', namespace, because: 'forbidden', message: '' }],
    });

    expect(answer).toMatchObject({ outcome: 'deadlock', confidence });
  });
});

describe('an update of a workload with an autoscaler', () => {
  it.each([
    ['that may stop old pods is a likely deadlock', 1, 'likely'],
    ['at its minimum is a proven deadlock', 2, 'proven'],
  ])('%s', (_, minReplicas, confidence) => {
    const answer = check({
      cluster: [
        serving({ on: ['n1', 'n1'], ...shape }),
        {
          Node: [node('n1', { allocatable: { cpu: '2' } })],
          HorizontalPodAutoscaler: [autoscaler({ kind: 'Deployment', name: 'web' }, minReplicas)],
        },
      ],
      shape,
      spec: { replicas: 2, ...surge },
    });

    expect(answer).toMatchObject({ outcome: 'deadlock', confidence });
  });
});

describe('an update beside a pod that is being deleted', () => {
  const gone = '2026-11-20T09:30:10Z';
  it.each([
    ['completes once the pod has left', gone, { outcome: 'completes' }],
    [
      `${isDeadlocked} where the pod is still there long after its grace period`,
      '2026-11-20T09:20:00Z',
      { outcome: 'deadlock', confidence: 'proven' },
    ],
  ])('%s', (_, deletionTimestamp, expected) => {
    const leaving = other('leaving', { kind: 'StatefulSet' });
    const answer = check({
      cluster: [
        serving({ on: ['n1'], ...shape }),
        {
          Node: [node('n1', { allocatable: { cpu: '2' } })],
          Pod: [{ ...leaving, metadata: { ...leaving.metadata, deletionTimestamp } }],
        },
      ],
      shape,
      spec: { replicas: 1, ...surge },
    });

    expect(answer).toMatchObject(expected);
  });
});

describe('an update beside a node that may run the new pod soon', () => {
  const tainted = (key: string, status: object, created = '2026-11-01T00:00:00Z') => {
    const made = node('n2', { allocatable: { cpu: '1' }, taints: [{ key, effect: 'NoSchedule' }] });
    return schemas.Node.parse({
      ...structuredClone(made),
      metadata: { ...structuredClone(made.metadata), creationTimestamp: created },
      status: { ...structuredClone(made.status), ...status },
    });
  };
  const unready = (lastTransitionTime: string) => ({
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime }],
  });
  const notReady = 'node.kubernetes.io/not-ready';

  it.each([
    ['is likely where it joined a minute ago', tainted(notReady, {}, '2026-11-20T09:29:00Z'), 'likely'],
    [
      'is likely where it has not been ready for a minute',
      tainted(notReady, unready('2026-11-20T09:29:00Z')),
      'likely',
    ],
    [
      'is proven where it has not been ready for an hour',
      tainted(notReady, unready('2026-11-20T08:29:00Z')),
      'proven',
    ],
  ])('%s', (_, late, confidence) => {
    const answer = check({
      cluster: [
        serving({ on: ['n1'], ...shape }),
        { Node: [node('n1', { allocatable: { cpu: '1' } }), late] },
      ],
      shape,
      spec: { replicas: 1, ...surge },
    });

    expect(answer).toMatchObject({ outcome: 'deadlock', confidence });
  });
});

describe('the pods that are needed for what all of them free', () => {
  type Pods = readonly Pod[];
  const pods: Pods = Array.from({ length: 101 }, (_, position) => other(`job-${position}`, { kind: 'Job' }));
  const few = pods.slice(0, 4);

  it.each<[string, Pods, (some: Pods) => boolean, Pods]>([
    ['are the first where each is enough', few, (some) => some.length >= 1, few.slice(0, 1)],
    ['are those without which it is not enough', few, (some) => some.length >= 3, few.slice(0, 3)],
    ['are the one that holds it', few, (some) => some.includes(few[2] as never), few.slice(2, 3)],
    ['are none where all are not enough', few, () => false, []],
    ['are none where there are none', [], () => true, []],
    ['are tried one by one up to a hundred', pods.slice(0, 100), () => true, pods.slice(0, 1)],
    ['are all of more than a hundred', pods, () => true, pods],
  ])('%s', (_, of, free, needed) => {
    expect(neededOf(of, free)).toEqual(needed);
  });
});
