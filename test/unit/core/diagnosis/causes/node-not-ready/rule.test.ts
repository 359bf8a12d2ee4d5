import { describe, expect, it } from 'vitest';
import { Node } from '#src/core/cluster/node.js';
import type { Pod } from '#src/core/cluster/pod.js';
import { nodeNotReady } from '#src/core/diagnosis/causes/node-not-ready/rule.js';
import { text } from '#src/core/diagnosis/causes/node-not-ready/text.js';
import { node } from '#support/placement-builders.js';
import { buildPod } from '#support/rollout-builders.js';
import { buildDaemonSet } from '../../../rollout/daemon-set-builders.js';
import {
  ago,
  buildDeployment,
  buildReplicaSet,
  detected,
  type Fields,
  foreignPod,
  ownedPod,
  renderFinding,
  renderStatements,
} from '../../waiting/build.js';

const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** Unheard of for so many seconds, with the taints that the node controller adds. */
function lostNode(name: string, secondsAgo: number, status = 'Unknown'): Node {
  const taints = ['NoSchedule', 'NoExecute'].map((effect) => ({
    key: UNREACHABLE,
    effect,
    timeAdded: ago(secondsAgo),
  }));
  return Node.parse({
    ...node(name),
    spec: { taints },
    status: {
      ...node(name).status,
      conditions: [
        {
          type: 'Ready',
          status,
          reason: 'NodeStatusUnknown',
          message: 'Kubelet stopped posting node status.',
          lastTransitionTime: ago(secondsAgo),
        },
      ],
    },
  });
}

const tolerations = [{ key: UNREACHABLE, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }];

/** A pod that was ready until so many seconds ago. */
function lostPod(name: string, on: string, secondsAgo: number, more: object = {}): Pod {
  return buildPod({
    name,
    owner: { uid: 'web-2-uid', name: 'web-2' },
    node: on,
    ready: false,
    age: 5000,
    spec: { tolerations },
    status: {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: ago(secondsAgo) }],
    },
    ...more,
  });
}

const short = { workload: buildDeployment({ replicas: 2, status: { readyReplicas: 1 } }) };

const down: Fields = {
  ...short,
  ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 2, available: 1 })],
  Node: [lostNode('n-a', 60), node('n-b')],
  Pod: [lostPod('web-a', 'n-a', 55), ownedPod('web-b', 2, { on: 'n-b' })],
};

describe('a node that is not ready is reported with the pods on it', () => {
  it("with the node's reason, its time, and the time of their eviction", () => {
    const finding = detected(nodeNotReady, down);
    const rendered = renderFinding(finding, text);

    expect(finding).toMatchObject({ confidence: 'proven', severity: 'warning', nodes: ['n-a'] });
    expect(rendered).toContain('n-a is NotReady: 1 pod of shop/web is down');
    expect(rendered).toContain('Kubelet stopped posting node status.');
    expect(finding?.nextAttempt?.at).toBe('2026-11-20T09:34:00.000Z');
    expect(rendered).toContain('Kubernetes evicts web-a 2026-11-20T09:34:00.000Z');
    expect(finding?.withheld.map(({ kind }) => kind)).toEqual([
      'delete-pod',
      'exclude-nodes',
      'restart-rollout',
    ]);
  });

  it('with the note that only the kubelet can confirm the end of a deleted pod', () => {
    const finding = detected(nodeNotReady, {
      ...down,
      Node: [lostNode('n-a', 600), node('n-b')],
      Pod: [lostPod('web-a', 'n-a', 590, { terminating: true }), ownedPod('web-b', 2, { on: 'n-b' })],
    });

    expect(renderFinding(finding, text)).toContain(
      'only the kubelet of the node can confirm that it has stopped',
    );
    expect(finding?.advice.map(({ snippet }) => snippet ?? '').join()).toContain(
      'out-of-service=nodeshutdown',
    );
  });

  it('with the note that a pod of a DaemonSet stays', () => {
    const set = buildDaemonSet();
    const workload = { ...set, status: { ...set.status, desiredNumberScheduled: 2, numberReady: 1 } };
    const pod = lostPod('agent-a', 'n-a', 55, {
      owner: { kind: 'DaemonSet', name: workload.metadata.name, uid: workload.metadata.uid },
      spec: { tolerations: [{ key: UNREACHABLE, operator: 'Exists', effect: 'NoExecute' }] },
    });
    const finding = detected(nodeNotReady, { ...down, workload, Pod: [pod] });

    expect(renderFinding(finding, text)).toContain('agent-a tolerates this without a time limit');
    expect(finding?.nextAttempt?.at).toBeUndefined();
  });

  it('with the note that replacements do not fit on the other nodes', () => {
    const finding = detected(nodeNotReady, {
      ...down,
      Pod: [
        lostPod('web-a', 'n-a', 590, { terminating: true }),
        ownedPod('web-c', 2, { requests: { cpu: '3' }, age: 300 }),
        foreignPod('db-0', 'StatefulSet', 'db', { on: 'n-b', requests: { cpu: '3' } }),
      ],
    });

    expect(renderFinding(finding, text)).toContain('Meanwhile web-c is pending.');
    expect(renderFinding(finding, text)).toContain('n-b: 2 of cpu short');
  });

  it('with less certainty when the pod was unready before its node', () => {
    const finding = detected(nodeNotReady, {
      ...down,
      Pod: [lostPod('web-a', 'n-a', 900), ownedPod('web-b', 2, { on: 'n-b' })],
    });

    expect(finding?.confidence).toBe('likely');
    expect(renderFinding(finding, text)).toContain('the node is not the only cause');
  });

  it('in both languages', () => {
    for (const { en, ko } of renderStatements(detected(nodeNotReady, down), text)) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });
});

describe('a node that is not ready is reported when it would run a pending pod', () => {
  const troubled = node('n-a', {
    taints: [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' }],
  });

  it('with its taint', () => {
    const finding = detected(nodeNotReady, {
      ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
      Node: [troubled],
      Pod: [ownedPod('web-new', 2)],
    });

    expect(finding).toMatchObject({ confidence: 'proven', nodes: ['n-a'] });
    expect(renderFinding(finding, text)).toContain(
      'n-a accepts no new pods at the moment: node.kubernetes.io/disk-pressure:NoSchedule.',
    );
    expect(renderFinding(finding, text)).toContain(
      'Once healthy, n-a can run web-new without other changes.',
    );
  });
});

describe('a node that is not ready is not reported', () => {
  it.each<readonly [string, Fields]>([
    [
      'when all wanted pods are ready elsewhere',
      { ...down, workload: buildDeployment({ replicas: 1, status: { readyReplicas: 1 } }) },
    ],
    ['when the node is ready and only the pod is not', { ...down, Node: [node('n-a'), node('n-b')] }],
    [
      'when the node runs no pod of the workload',
      { ...down, Node: [node('n-a'), node('n-b'), lostNode('n-c', 60)] },
    ],
    [
      'when its pods there have finished',
      { ...down, Pod: [lostPod('web-a', 'n-a', 55, { status: { phase: 'Failed' } })] },
    ],
    [
      'when the node would refuse the pending pod anyway',
      {
        ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
        Node: [lostNode('n-a', 60)],
        Pod: [ownedPod('web-new', 2, { requests: { cpu: '9' } })],
      },
    ],
  ])('%s', (_, fields) => {
    expect(detected(nodeNotReady, fields)).toBeUndefined();
  });
});
