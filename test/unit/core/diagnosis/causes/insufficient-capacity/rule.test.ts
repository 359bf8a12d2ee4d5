import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/core/cluster/pod.js';
import { insufficientCapacity } from '#src/core/diagnosis/causes/insufficient-capacity/rule.js';
import { text } from '#src/core/diagnosis/causes/insufficient-capacity/text.js';
import { node } from '#support/placement-builders.js';
import {
  buildReplicaSet,
  detected,
  event,
  type Fields,
  foreignPod,
  ownedPod,
  renderFinding,
  renderStatements,
} from '../../waiting/build.js';

/** Eight workloads with one pod of half a core each, so that none of them is the cause. */
function crowd(on: string, cpu = '500m'): readonly Pod[] {
  return Array.from({ length: 8 }, (_, position) =>
    foreignPod(`${on}-small-${position}`, 'StatefulSet', `${on}-small-${position}`, {
      on,
      requests: { cpu },
    }),
  );
}

function waiting(cpu: string, fields: Fields): Fields {
  return {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
    ...fields,
    Pod: [ownedPod('web-new', 2, { requests: { cpu } }), ...(fields.Pod ?? [])],
  };
}

const full = { Node: [node('n-a'), node('n-b')], Pod: [...crowd('n-a'), ...crowd('n-b', '450m')] };

describe('insufficient capacity is reported when many workloads fill the nodes', () => {
  it('with the shortfall of each node', () => {
    const finding = detected(insufficientCapacity, waiting('2', full));
    const rendered = renderFinding(finding, text);

    expect(finding).toMatchObject({ confidence: 'proven', severity: 'critical', resource: 'cpu' });
    expect(finding?.nodes).toEqual(['n-a', 'n-b']);
    expect(rendered).toContain('n-b: 1600m of cpu short (400m of 4 free, 2 requested).');
    expect(rendered).toContain('n-a: 2 of cpu short (0 of 4 free, 2 requested).');
  });

  it('with a request that fits on the node with the most free', () => {
    const finding = detected(insufficientCapacity, waiting('2', full));

    expect(renderFinding(finding, text)).toContain(
      'With a request of at most 400m of cpu, the pod fits on n-b',
    );
    expect(finding?.advice[0]?.snippet).toContain('cpu: 400m');
  });

  it('with the sum of nodes that refuse for another reason', () => {
    const taints = [{ key: 'dedicated', effect: 'NoSchedule' }];
    const finding = detected(
      insufficientCapacity,
      waiting('2', { ...full, Node: [...full.Node, node('n-c', { taints })] }),
    );

    expect(renderFinding(finding, text)).toContain(
      '2 of 3 nodes (n-a and n-b) cannot run the pod: not enough free cpu.',
    );
    expect(renderFinding(finding, text)).toContain(
      '1 of 3 nodes (n-c) cannot run the pod: untolerated taint dedicated:NoSchedule',
    );
  });

  it('when own pods of the same revision use the rest on a first rollout', () => {
    const finding = detected(insufficientCapacity, {
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 3 })],
      Node: [node('n-a')],
      Pod: [
        ownedPod('web-a', 2, { on: 'n-a', requests: { cpu: '2' } }),
        ownedPod('web-b', 2, { on: 'n-a', requests: { cpu: '2' } }),
        ownedPod('web-c', 2, { requests: { cpu: '2' } }),
      ],
    });

    expect(renderFinding(finding, text)).toContain('Pods of the same revision use part of the capacity');
  });

  it('with the limit to raise when the autoscaler may not add a node', () => {
    const finding = detected(
      insufficientCapacity,
      waiting('2', {
        ...full,
        Event: [
          event({
            about: { kind: 'Pod', name: 'web-new', uid: 'web-new' },
            reason: 'NotTriggerScaleUp',
            message: "pod didn't trigger scale-up: 1 max node group size reached",
            component: 'cluster-autoscaler',
          }),
        ],
      }),
    );

    expect(renderFinding(finding, text)).toContain('cluster-autoscaler does not add a node for this pod');
    expect(finding?.advice.map(({ snippet }) => snippet ?? '').join()).toContain('--nodes=');
  });

  it('with the note that an ordered node did not arrive', () => {
    const finding = detected(
      insufficientCapacity,
      waiting('2', {
        ...full,
        Event: [
          event({
            about: { kind: 'Pod', name: 'web-new', uid: 'web-new' },
            reason: 'TriggeredScaleUp',
            message: 'pod triggered scale-up: [{pool 1->2 (max: 4)}]',
            component: 'cluster-autoscaler',
            secondsAgo: 16 * 60,
          }),
        ],
      }),
    );

    expect(renderFinding(finding, text)).toContain('still pending after 15 minutes');
  });

  it('when there is no node at all', () => {
    const finding = detected(insufficientCapacity, waiting('1', {}));

    expect(renderFinding(finding, text)).toContain('The cluster has no node for web-new.');
  });

  it('in both languages', () => {
    for (const { en, ko } of renderStatements(detected(insufficientCapacity, waiting('2', full)), text)) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });
});

describe('insufficient capacity is not reported', () => {
  it.each<readonly [string, Fields]>([
    [
      'when one other workload uses enough',
      waiting('2', {
        Node: [node('n-a')],
        Pod: [foreignPod('batch-0', 'Job', 'batch', { on: 'n-a', requests: { cpu: '3' } })],
      }),
    ],
    [
      'when its own old pod uses the resource',
      waiting('3', {
        ReplicaSet: [
          buildReplicaSet({ revision: 1, replicas: 1 }),
          buildReplicaSet({ revision: 2, replicas: 1 }),
        ],
        Node: [node('n-a')],
        Pod: [ownedPod('web-old', 1, { on: 'n-a', requests: { cpu: '3' } })],
      }),
    ],
    ['when no node is large enough', waiting('5', full)],
    [
      'when enough pods are terminating',
      waiting('500m', {
        Node: [node('n-a')],
        Pod: crowd('n-a').map((pod) => ({
          ...pod,
          metadata: { ...pod.metadata, deletionTimestamp: '2026-11-20T09:30:10Z' },
        })),
      }),
    ],
    [
      'when it may evict pods of lower priority',
      {
        ...waiting('2', full),
        Pod: [ownedPod('web-new', 2, { requests: { cpu: '2' }, priority: 1000 }), ...full.Pod],
      },
    ],
    ['when the pod fits', waiting('400m', full)],
  ])('%s', (_, fields) => {
    expect(detected(insufficientCapacity, fields)).toBeUndefined();
  });
});

describe('insufficient capacity is less certain', () => {
  it('when pods on some nodes could not be read', () => {
    const unseen = [{ what: 'Pod', namespace: '', because: 'too-many', message: '' }] as const;

    expect(detected(insufficientCapacity, { ...waiting('2', full), unseen })).toMatchObject({
      confidence: 'likely',
    });
  });

  it('when no object explains the scheduler message', () => {
    const unseen = [{ what: 'Pod', namespace: '', because: 'forbidden', message: '' }] as const;
    const finding = detected(insufficientCapacity, {
      ...waiting('2', { Node: [node('n-a')] }),
      Pod: [
        ownedPod('web-new', 2, {
          requests: { cpu: '2' },
          message: '0/1 nodes are available: 1 Insufficient cpu.',
        }),
      ],
      unseen,
    });

    expect(finding).toMatchObject({ confidence: 'possible' });
    expect(renderFinding(finding, text)).toContain('neither confirm nor refute');
  });
});
