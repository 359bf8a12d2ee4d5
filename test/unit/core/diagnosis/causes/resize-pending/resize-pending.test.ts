import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/core/cluster/pod.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { arithmeticText } from '#src/core/diagnosis/arithmetic/text.js';
import { resizePending } from '#src/core/diagnosis/causes/resize-pending/rule.js';
import { text } from '#src/core/diagnosis/causes/resize-pending/text.js';
import { tellFrom } from '#src/core/language/catalogue.js';
import { plain } from '#src/core/language/prose.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

interface Resize {
  readonly wants?: string;
  readonly has?: string;
  readonly reason?: string;
  readonly type?: string;
  readonly message?: string;
  /** Seconds. */
  readonly since?: number;
  readonly status?: Record<string, unknown>;
}

/** A running pod of `shop/web` on `n-a` whose cpu request is being changed. */
function resized(resize: Resize = {}, fields: Partial<PodFields> = {}): Pod {
  const {
    wants = '3',
    has = '1',
    reason = 'Deferred',
    type = 'PodResizePending',
    message = "Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000",
    since = 600,
  } = resize;
  const pod = buildPod({
    name: 'web-1-a',
    node: 'n-a',
    spec: { containers: [{ name: 'app', image: 'web:1', resources: { requests: { cpu: wants } } }] },
    status: {
      containerStatuses: [
        {
          name: 'app',
          ready: true,
          restartCount: 0,
          allocatedResources: { cpu: has },
          resources: { requests: { cpu: has } },
          state: { running: { startedAt: ago(5_000) } },
        },
      ],
      ...(resize.status ?? {
        conditions: [
          { type: 'Ready', status: 'True', lastTransitionTime: ago(5_000) },
          { type, status: 'True', reason, message, lastTransitionTime: ago(since) },
        ],
      }),
    },
    ...fields,
  });
  return pod;
}

function ofGeneration(generation: number, pod: Pod): Pod {
  return { ...pod, metadata: { ...pod.metadata, generation } };
}

const other = buildPod({
  name: 'db-0',
  node: 'n-a',
  owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' },
  spec: { containers: [{ name: 'db', image: 'db:1', resources: { requests: { cpu: '2' } } }] },
});

function cluster(pods: readonly Pod[], fields: { cpu?: string; more?: string } = {}): Snapshot {
  return snapshotOf(buildDeployment({ status: { readyReplicas: 1, availableReplicas: 1 } }), {
    ReplicaSet: [buildReplicaSet({ revision: 1, replicas: 1, available: 1 })],
    Node: [
      node('n-a', { allocatable: { cpu: fields.cpu ?? '4' } }),
      ...(fields.more === undefined ? [] : [node('n-b', { allocatable: { cpu: fields.more } })]),
    ],
    Pod: pods,
  });
}

describe('a deferred resize', () => {
  it('waits, with the pods that use the node and how much each uses', () => {
    const finding = mustFind(resizePending, cluster([resized(), other]));

    expect(finding).toMatchObject({
      cause: 'resize-pending',
      confidence: 'likely',
      severity: 'warning',
      resource: 'cpu',
      nodes: ['n-a'],
      holders: [{ kind: 'Pod', namespace: 'shop', name: 'db-0' }],
      summary: { key: 'summary-waits' },
      nextAttempt: { what: { key: 'next-deferred' } },
    });
    expect(keysOf(finding.reasoning)).toEqual(['asks', 'says', 'held-by', 'keeps-running']);
    expect(finding.evidence.find(({ field }) => field === 'status.allocatable[cpu]')?.says.values).toEqual({
      requested: '3',
      overhead: undefined,
      used: '2',
      free: '2',
      users: [{ workload: 'shop/db', pods: 1, amount: '2' }],
      more: 0,
    });
    const english = renderFinding(finding, text).en.join('\n');
    expect(english).toContain('shop/web');
    expect(english).toContain('1 to 3');
  });

  it('can never succeed where the request is larger than the node, whatever the kubelet reports', () => {
    const finding = mustFind(resizePending, cluster([resized({ wants: '8' }), other]));

    expect(finding).toMatchObject({ confidence: 'proven', summary: { key: 'summary-never' } });
    expect(keysOf(finding.reasoning)).toContain('exceeds-node');
  });

  it('is reported with the next retry where the node has enough free', () => {
    const finding = mustFind(resizePending, cluster([resized()]));

    expect(finding).toMatchObject({ confidence: 'likely', holders: [] });
    expect(keysOf(finding.reasoning)).toContain('room-now');
  });

  it.each([
    [
      'on a node that was not recorded',
      { index: (snapshot: Snapshot) => ({ ...snapshot.index, nodes: new Map() }) },
    ],
    [
      'on a node whose pods were not read',
      { index: (snapshot: Snapshot) => ({ ...snapshot.index, podsReadOn: new Set<string>() }) },
    ],
  ])('is at most possible %s', (_, { index }) => {
    const snapshot = cluster([resized()]);
    const finding = mustFind(resizePending, { ...snapshot, index: index(snapshot) });

    expect(finding.confidence).toBe('possible');
    expect(keysOf(finding.weakenedBy)).toEqual(['node-unread']);
  });
});

describe('an infeasible resize', () => {
  const infeasible = (fields: Resize = {}) =>
    resized({
      reason: 'Infeasible',
      wants: '8',
      message: "Node didn't have enough capacity: cpu, requested: 8000, capacity: 4000",
      ...fields,
    });

  it('can never succeed on this node, proven by the capacity of the node', () => {
    const finding = mustFind(resizePending, cluster([infeasible({ since: 5 }), other], { more: '16' }));

    expect(finding).toMatchObject({
      confidence: 'proven',
      resource: 'cpu',
      summary: { key: 'summary-never' },
      nextAttempt: { what: { key: 'next-infeasible' } },
      withheld: [{ kind: 'restart-rollout' }, { kind: 'undo-rollout' }],
    });
    expect(keysOf(finding.advice.map(({ title }) => title))).toEqual([
      'advice-template-title',
      'advice-less-title',
    ]);
    expect(finding.advice[0]?.text.values).toEqual({ nodes: ['n-b'] });
    expect(finding.advice[0]?.snippet).toContain('cpu: "8"');
    expect(finding.advice[1]?.snippet).toContain('--subresource resize');
  });

  it('is not answered with a new template where such a pod fits on no node', () => {
    const finding = mustFind(resizePending, cluster([infeasible(), other]));
    expect(keysOf(finding.advice.map(({ title }) => title))).toEqual(['advice-less-title']);
  });

  it('is likely where the kubelet refuses for another reason than capacity', () => {
    const message = 'Resize is infeasible for Guaranteed Pods alongside CPU Manager policy "static"';
    const finding = mustFind(resizePending, cluster([infeasible({ wants: '2', message })]));

    expect(finding).toMatchObject({ confidence: 'likely', summary: { key: 'summary-refused' } });
    expect(renderFinding(finding, text).en.join('\n')).toContain(message);
  });

  it.each(['Infeasible', 'Deferred'])('is read from status.resize of older kubelets: %s', (resize) => {
    const finding = mustFind(resizePending, cluster([resized({ wants: '8', status: { resize } })]));

    expect(finding).toMatchObject({ confidence: 'proven', summary: { key: 'summary-never' } });
    expect(finding.evidence[0]).toMatchObject({ field: 'status.resize', value: resize });
  });
});

it('a resize that the kubelet fails to make is reported', () => {
  const message = 'failed to write "800000" to cpu.max';
  const failing = resized({ type: 'PodResizeInProgress', reason: 'Error', message, wants: '2', has: '2' });
  const finding = mustFind(resizePending, cluster([failing]));

  expect(finding).toMatchObject({ confidence: 'likely', summary: { key: 'summary-fails' } });
  expect(renderFinding(finding, text).en.join('\n')).toContain(message);
});

it('every sentence exists in both languages', () => {
  const found = [
    cluster([resized(), other]),
    cluster([resized()]),
    cluster([resized({ wants: '8', reason: 'Infeasible' }), other], { more: '16' }),
    cluster([resized({ reason: 'Infeasible', wants: '2' })]),
    cluster([resized({ type: 'PodResizeInProgress', reason: 'Error' })]),
  ].map((snapshot) => mustFind(resizePending, snapshot));
  const arithmetic = tellFrom({ arithmetic: arithmeticText });

  for (const finding of found) {
    for (const sentence of renderFinding(finding, text).ko) expect(sentence).toMatch(/[가-힣]/);
    for (const { says } of finding.evidence.filter(({ says }) => says.catalogue === 'arithmetic')) {
      expect(plain(arithmetic(says, 'en'))).toContain('requested');
    }
  }
});

describe('no pending resize is reported', () => {
  it.each<readonly [string, readonly Pod[]]>([
    ['without a resize', [resized({ status: {} })]],
    ['while a deferred resize is a minute old', [resized({ since: 60 }), other]],
    [
      'while the kubelet performs the resize',
      [resized({ type: 'PodResizeInProgress', reason: '', message: '' })],
    ],
    ['while an older kubelet performs the resize', [resized({ status: { resize: 'InProgress' } })]],
    [
      'when the condition is about a request before the last one',
      [
        ofGeneration(
          3,
          resized({
            status: {
              conditions: [
                {
                  type: 'PodResizePending',
                  status: 'True',
                  reason: 'Infeasible',
                  observedGeneration: 2,
                  lastTransitionTime: ago(600),
                },
              ],
            },
          }),
        ),
      ],
    ],
    ['when the pod is terminating', [resized({}, { terminating: true }), other]],
    [
      'when the pod belongs to another workload',
      [resized({}, { owner: { name: 'api-1', uid: 'api-1-uid' } })],
    ],
  ])('%s', (_, pods) => {
    expect(foundBy(resizePending, cluster(pods))).toBeUndefined();
  });
});
