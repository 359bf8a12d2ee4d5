import { describe, expect, it } from 'vitest';
import { Pod } from '#src/core/cluster/pod.js';
import { preempted } from '#src/core/diagnosis/causes/preempted/rule.js';
import { text } from '#src/core/diagnosis/causes/preempted/text.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  buildReplicaSet,
  detected,
  event,
  type Fields,
  foreignPod,
  ownedPod,
  renderFinding,
  renderStatements,
} from '../../waiting/build.js';

const uid = '3f6c1a52-9f5e-4a2a-8a5e-0d1f2c3b4a59';
const gpu = { requests: { 'nvidia.com/gpu': '1' } };

const winner = (() => {
  const pod = foreignPod('train-x1', 'Job', 'train', { on: 'gpu-a', ...gpu, priority: 1000 });
  return { ...pod, metadata: { ...pod.metadata, uid } };
})();

function evicted(message: string, secondsAgo = 300, name = 'web-2-ab1cd') {
  return event({ about: { kind: 'Pod', name, uid: 'gone' }, reason: 'Preempted', message, secondsAgo });
}

/** A pod of revision 2 ran on the only GPU until a Job of priority 1000 took it five minutes ago. */
const taken: Fields = {
  ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
  Node: [node('gpu-a', { allocatable: { 'nvidia.com/gpu': '1' } })],
  Pod: [ownedPod('web-2-zz9yx', 2, { ...gpu, age: 299 }), winner],
  Event: [evicted(`Preempted by pod ${uid} on node gpu-a`)],
};

describe('preemption is reported when the scheduler evicted a pod and its replacement does not fit', () => {
  it('with the preemptor by the uid in the event, and its workload', () => {
    const finding = detected(preempted, taken);
    const rendered = renderFinding(finding, text);

    expect(finding).toMatchObject({ confidence: 'proven', severity: 'critical', nodes: ['gpu-a'] });
    expect(finding?.holders).toEqual([{ kind: 'Pod', namespace: 'shop', name: 'train-x1' }]);
    expect(rendered).toContain('1 pod of shop/web was preempted by shop/train (higher priority)');
    expect(rendered).toContain('train-x1 of shop/train (Job), with priority 1000 against 0');
    expect(rendered).toContain('Without shop/train-x1, the pod web-2-zz9yx fits on gpu-a.');
    expect(finding?.advice[1]?.snippet).toContain('preemptionPolicy: Never');
  });

  it('with the preemptor by name, as schedulers until 1.26 write it', () => {
    const finding = detected(preempted, {
      ...taken,
      Event: [evicted('Preempted by shop/train-x1 on node gpu-a')],
    });

    expect(finding?.holders.map(({ name }) => name)).toEqual(['train-x1']);
  });

  it('with less certainty when the event names no preemptor, as in 1.28', () => {
    const finding = detected(preempted, { ...taken, Event: [evicted('Preempted by a pod on node gpu-a')] });

    expect(finding?.confidence).toBe('likely');
    expect(renderFinding(finding, text)).toContain(
      'Kubernetes does not record which pod the scheduler made room for.',
    );
  });

  it('with less certainty when the preemptor is not among the pods that were read', () => {
    const other = 'aaaaaaaa-0000-4000-8000-000000000000';
    const finding = detected(preempted, {
      ...taken,
      Event: [evicted(`Preempted by pod ${other} on node gpu-a`)],
    });

    expect(finding?.confidence).toBe('likely');
    expect(renderFinding(finding, text)).toContain(`(uid ${other}) is not among the objects that were read`);
  });

  it('with less certainty when the preemptor is gone and another pod uses the resource', () => {
    const second = foreignPod('late-0', 'StatefulSet', 'late', { on: 'gpu-a', ...gpu, priority: 1000 });
    const moved = { ...winner, spec: { ...winner.spec, nodeName: 'gpu-b' } };
    const finding = detected(preempted, {
      ...taken,
      Node: [
        ...(taken.Node ?? []),
        node('gpu-b', {
          allocatable: { 'nvidia.com/gpu': '2' },
          taints: [{ key: 'x', effect: 'NoSchedule' }],
        }),
      ],
      Pod: [ownedPod('web-2-zz9yx', 2, { ...gpu, age: 299 }), moved, second],
    });

    expect(finding?.confidence).toBe('likely');
  });

  it('for a victim that still exists, by its condition', () => {
    const base = ownedPod('web-2-ab1cd', 2, { on: 'gpu-a', age: 4000 });
    const victim = Pod.parse({
      ...base,
      status: {
        phase: 'Failed',
        conditions: [
          {
            type: 'DisruptionTarget',
            status: 'True',
            reason: 'PreemptionByScheduler',
            lastTransitionTime: ago(300),
          },
        ],
      },
    });
    const finding = detected(preempted, { ...taken, Event: [], Pod: [...(taken.Pod ?? []), victim] });

    expect(renderFinding(finding, text)).toContain('the scheduler preempted web-2-ab1cd on gpu-a');
  });

  it('in both languages', () => {
    for (const { en, ko } of renderStatements(detected(preempted, taken), text)) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });
});

describe('preemption is not reported', () => {
  it.each<readonly [string, Fields]>([
    [
      'when the replacement runs elsewhere',
      { ...taken, Pod: [ownedPod('web-2-zz9yx', 2, { on: 'gpu-a', age: 299 })] },
    ],
    [
      'when the pending pod was created before the preemption',
      { ...taken, Pod: [ownedPod('web-2-zz9yx', 2, { ...gpu, age: 900 }), winner] },
    ],
    [
      'when the preemption was over an hour ago',
      { ...taken, Event: [evicted(`Preempted by pod ${uid} on node gpu-a`, 3700)] },
    ],
    [
      'when the victim belongs to another workload',
      { ...taken, Event: [evicted(`Preempted by pod ${uid} on node gpu-a`, 300, 'api-7-ab1cd')] },
    ],
    [
      'when another workload only begins with the same name',
      { ...taken, Event: [evicted(`Preempted by pod ${uid} on node gpu-a`, 300, 'web-2-canary-ab1cd')] },
    ],
    [
      'when the replacement waits for a reason other than capacity',
      {
        ...taken,
        Pod: [ownedPod('web-2-zz9yx', 2, { ...gpu, age: 299, spec: { nodeSelector: { a: 'b' } } }), winner],
      },
    ],
    ['when no pod was evicted', { ...taken, Event: [] }],
  ])('%s', (_, fields) => {
    expect(detected(preempted, fields)).toBeUndefined();
  });
});
