import { describe, expect, it } from 'vitest';
import { Node } from '#src/core/cluster/node.js';
import { nodeCordoned } from '#src/core/diagnosis/causes/node-cordoned/rule.js';
import { text } from '#src/core/diagnosis/causes/node-cordoned/text.js';
import { node } from '#support/placement-builders.js';
import {
  buildReplicaSet,
  detected,
  type Fields,
  foreignPod,
  ownedPod,
  renderFinding,
  renderStatements,
} from '../../waiting/build.js';

const cordon = {
  unschedulable: true,
  taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }],
};

function waiting(fields: Fields): Fields {
  return {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
    ...fields,
    Pod: [ownedPod('web-new', 2, { requests: { cpu: '2' } }), ...(fields.Pod ?? [])],
  };
}

describe('a cordon is reported when it is the only reason', () => {
  it('with the nodes and the uncordon command', () => {
    const finding = detected(nodeCordoned, waiting({ Node: [node('n-a', cordon), node('n-b', cordon)] }));

    expect(finding).toMatchObject({ confidence: 'proven', severity: 'critical', nodes: ['n-a', 'n-b'] });
    expect(finding?.advice[0]?.snippet).toBe('kubectl uncordon n-a n-b\n');
    expect(renderFinding(finding, text)).toContain(
      'Once uncordoned, n-a and n-b can run web-new without other changes.',
    );
  });

  it('with its time and the client that set it, where the node records them', () => {
    const marked = Node.parse({
      ...node('n-a', cordon),
      metadata: {
        name: 'n-a',
        managedFields: [
          {
            manager: 'kubectl-cordon',
            time: '2026-11-20T09:00:00Z',
            fieldsV1: { 'f:spec': { 'f:unschedulable': {} } },
          },
        ],
      },
    });
    const finding = detected(nodeCordoned, waiting({ Node: [marked] }));

    expect(renderFinding(finding, text)).toContain('has been cordoned since 2026-11-20T09:00:00Z');
    expect(renderFinding(finding, text)).toContain('The client was kubectl-cordon.');
    expect(finding?.evidence.at(-1)).toMatchObject({
      field: 'spec.unschedulable',
      at: '2026-11-20T09:00:00Z',
    });
  });

  it('with the number of other nodes by reason', () => {
    const finding = detected(
      nodeCordoned,
      waiting({
        Node: [
          node('n-a', cordon),
          node('n-b', { taints: [{ key: 'dedicated', effect: 'NoSchedule' }] }),
          node('n-c'),
        ],
        Pod: [foreignPod('db-0', 'StatefulSet', 'db', { on: 'n-c', requests: { cpu: '3' } })],
      }),
    );

    expect(finding?.nodes).toEqual(['n-a']);
    expect(renderFinding(finding, text)).toContain(
      '1 of 3 nodes (n-c) cannot run the pod: not enough free cpu.',
    );
    expect(renderFinding(finding, text)).toContain(
      '1 of 3 nodes (n-b) cannot run the pod: untolerated taint dedicated:NoSchedule',
    );
  });

  it('with less certainty when the cordoned nodes are the only ones and too full as well', () => {
    const finding = detected(
      nodeCordoned,
      waiting({
        Node: [node('n-a', cordon)],
        Pod: [foreignPod('db-0', 'StatefulSet', 'db', { on: 'n-a', requests: { cpu: '3' } })],
      }),
    );

    expect(finding?.confidence).toBe('likely');
    expect(renderFinding(finding, text)).toContain('Uncordoning alone is not enough');
    expect(renderFinding(finding, text)).toContain('n-a: 1 of cpu short');
  });

  it('in both languages', () => {
    for (const { en, ko } of renderStatements(
      detected(nodeCordoned, waiting({ Node: [node('n-a', cordon)] })),
      text,
    )) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });
});

describe('a cordon is not reported', () => {
  it.each<readonly [string, Fields]>([
    [
      'when the cordoned node would refuse it anyway',
      waiting({ Node: [node('n-a', { ...cordon, allocatable: { cpu: '1' } })] }),
    ],
    ['when another node can run the pod', waiting({ Node: [node('n-a', cordon), node('n-b')] })],
    [
      'when the pod tolerates a cordon, as those of a DaemonSet do',
      {
        ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
        Node: [node('n-a', cordon)],
        Pod: [
          ownedPod('web-new', 2, {
            spec: {
              tolerations: [
                { key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' },
              ],
            },
          }),
        ],
      },
    ],
    [
      'when the other node and the cordoned one are both full: that is insufficient capacity',
      waiting({
        Node: [node('n-a', cordon), node('n-b')],
        Pod: ['n-a', 'n-b'].map((on) =>
          foreignPod(`db-${on}`, 'StatefulSet', 'db', { on, requests: { cpu: '3' } }),
        ),
      }),
    ],
    [
      'when no pod is pending',
      {
        Node: [node('n-a', cordon)],
        ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
        Pod: [ownedPod('web-new', 2, { on: 'n-a' })],
      },
    ],
  ])('%s', (_, fields) => {
    expect(detected(nodeCordoned, fields)).toBeUndefined();
  });
});
