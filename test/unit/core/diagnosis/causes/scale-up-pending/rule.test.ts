import { describe, expect, it } from 'vitest';
import { HorizontalPodAutoscaler } from '#src/core/cluster/policy.js';
import { scaleUpPending } from '#src/core/diagnosis/causes/scale-up-pending/rule.js';
import { text } from '#src/core/diagnosis/causes/scale-up-pending/text.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildReplicaSet,
  detected,
  event,
  type Fields,
  ownedPod,
  renderFinding,
  renderStatements,
} from '../../waiting/build.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };

function complete(secondsAgo = 5000, reason = 'NewReplicaSetAvailable') {
  return buildDeployment({
    replicas: 2,
    status: {
      readyReplicas: 1,
      conditions: [{ type: 'Progressing', status: 'True', reason, lastUpdateTime: ago(secondsAgo) }],
    },
  });
}

const scaled = event({
  about: { kind: 'Deployment', name: 'web', uid: 'web-uid' },
  reason: 'ScalingReplicaSet',
  message: 'Scaled up replica set web-2 from 1 to 2',
  secondsAgo: 1500,
  component: 'deployment-controller',
});

/** Revision 2 was complete with one pod; a second one was created 25 minutes ago, and the cluster has one GPU. */
const grown: Fields = {
  workload: complete(),
  ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2, available: 1 })],
  Node: [node('gpu-a', { allocatable: { 'nvidia.com/gpu': '1' } })],
  Pod: [
    ownedPod('web-a', 2, { on: 'gpu-a', age: 5000, ...gpu }),
    ownedPod('web-b', 2, { age: 1500, ...gpu }),
  ],
  Event: [scaled],
};

describe('a pending scale-up is reported when a completed rollout has more replicas than fit', () => {
  it('with their number, its time, the holders of the resource, and that it is no deadlock', () => {
    const finding = detected(scaleUpPending, grown);
    const rendered = renderFinding(finding, text);

    expect(finding).toMatchObject({ confidence: 'proven', severity: 'warning', resource: 'nvidia.com/gpu' });
    expect(finding?.holders).toEqual([{ kind: 'Pod', namespace: 'shop', name: 'web-a' }]);
    expect(rendered).toContain(
      'shop/web was scaled from 1 to 2 replicas, but the cluster has no capacity for 1 pod',
    );
    expect(rendered).toContain('This is not a deadlock');
    expect(finding?.withheld.map(({ kind }) => kind)).toEqual([
      'patch-strategy',
      'undo-rollout',
      'restart-rollout',
    ]);
    expect(finding?.advice.at(-1)?.snippet).toBe('spec:\n  replicas: 1\n');
  });

  it('as only likely when the event is gone and the pod might replace a lost one', () => {
    const finding = detected(scaleUpPending, { ...grown, Event: [] });

    expect(finding?.confidence).toBe('likely');
    expect(renderFinding(finding, text)).toContain('may also replace lost ones');
  });

  it('with the autoscaler that requests the replicas, and its maximum as the value to change', () => {
    const hpa = HorizontalPodAutoscaler.parse({
      metadata: { name: 'web-hpa', namespace: 'shop' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 5 },
    });
    const finding = detected(scaleUpPending, { ...grown, HorizontalPodAutoscaler: [hpa] });

    expect(renderFinding(finding, text)).toContain(
      'The HorizontalPodAutoscaler web-hpa sets the replicas, up to 5.',
    );
    expect(finding?.advice.at(-1)?.snippet).toContain('maxReplicas: 1');
    expect(finding?.owners).toMatchObject([{ by: 'HorizontalPodAutoscaler' }]);
  });

  it('with the advice to exclude tainted nodes that a spread counts', () => {
    const spread = {
      spec: {
        topologySpreadConstraints: [
          {
            maxSkew: 1,
            topologyKey: 'kubernetes.io/hostname',
            whenUnsatisfiable: 'DoNotSchedule',
            labelSelector: { matchLabels: { app: 'web' } },
          },
        ],
      },
    };
    const finding = detected(scaleUpPending, {
      ...grown,
      Node: [
        node('w-a'),
        node('cp-a', { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] }),
      ],
      Pod: [
        ownedPod('web-a', 2, { on: 'w-a', age: 5000, ...spread }),
        ownedPod('web-b', 2, { age: 1500, ...spread }),
      ],
    });

    expect(renderFinding(finding, text)).toContain('also counts cp-a, where these pods can never run');
    expect(finding?.advice[0]?.snippet).toContain('nodeTaintsPolicy: Honor');
  });

  it('in both languages', () => {
    for (const { en, ko } of renderStatements(detected(scaleUpPending, grown), text)) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });
});

describe('a pending scale-up is not reported', () => {
  it.each<readonly [string, Fields]>([
    ['while the rollout itself is in progress', { ...grown, workload: complete(1400, 'ReplicaSetUpdated') }],
    [
      'on a first rollout that never was complete',
      { ...grown, workload: complete(900, 'ProgressDeadlineExceeded') },
    ],
    [
      'when an old revision still has replicas',
      {
        ...grown,
        ReplicaSet: [...(grown.ReplicaSet ?? []), buildReplicaSet({ revision: 1, replicas: 1 })],
        Pod: [...(grown.Pod ?? []), ownedPod('web-old', 1, { on: 'gpu-a' })],
      },
    ],
    [
      'when the controller created the pod without scaling: it replaces a lost pod',
      {
        ...grown,
        Event: [
          event({
            about: { kind: 'ReplicaSet', name: 'web-2', uid: 'web-2-uid' },
            reason: 'SuccessfulCreate',
            message: 'Created pod: web-b',
            secondsAgo: 1500,
          }),
        ],
      },
    ],
    [
      'when its own pods do not block it',
      {
        ...grown,
        Node: [node('gpu-a', { allocatable: { 'nvidia.com/gpu': '1' } })],
        Pod: [
          ownedPod('web-a', 2, { on: 'gpu-a', age: 5000 }),
          ownedPod('web-b', 2, { age: 1500, ...gpu }),
          ownedPod('other', 1, { on: 'gpu-a', ...gpu }, 'other'),
        ],
      },
    ],
    ['when the new replica runs on a node', { ...grown, Pod: [ownedPod('web-a', 2, { on: 'gpu-a' })] }],
  ])('%s', (_, fields) => {
    expect(detected(scaleUpPending, fields)).toBeUndefined();
  });
});
