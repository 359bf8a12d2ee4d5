import { describe, expect, it } from 'vitest';
import { unsatisfiablePlacement } from '#src/core/diagnosis/causes/unsatisfiable-placement/rule.js';
import { text } from '#src/core/diagnosis/causes/unsatisfiable-placement/text.js';
import { claim, node, reaches, volume } from '#support/placement-builders.js';
import {
  buildReplicaSet,
  detected,
  event,
  type Fields,
  type OwnedShape,
  ownedPod,
  renderFinding,
  renderStatements,
} from '../../waiting/build.js';

/** The first rollout of revision 2 with one waiting pod. */
function waiting(shape: OwnedShape, fields: Fields): Fields {
  return {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
    ...fields,
    Pod: [ownedPod('web-new', 2, shape), ...(fields.Pod ?? [])],
  };
}

const tainted = { taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] };

describe('an unsatisfiable placement is reported with what the nearest node lacks', () => {
  const cases: readonly (readonly [string, Fields, readonly string[]])[] = [
    [
      'for a selector that no node matches',
      waiting(
        { spec: { nodeSelector: { disk: 'ssd' } } },
        { Node: [node('n-a', { labels: { disk: 'hdd' } })] },
      ),
      ['n-a: disk=ssd is required, the node has disk=hdd', 'kubectl label node n-a --overwrite disk=ssd'],
    ],
    [
      'for an untolerated taint',
      waiting({}, { Node: [node('n-a', tainted), node('n-b', tainted)] }),
      ['untolerated taint dedicated=gpu:NoSchedule', 'operator: Equal'],
    ],
    [
      'for a request larger than any node',
      waiting({ requests: { cpu: '6' } }, { Node: [node('n-a'), node('n-b')] }),
      ['4 of cpu allocatable, 6 requested'],
    ],
    [
      'for a device that no node offers',
      waiting({ requests: { 'nvidia.com/gpu': '1' } }, { Node: [node('n-a')] }),
      ['Find out why no node offers nvidia.com/gpu'],
    ],
    [
      'for an affinity to pods that run nowhere',
      waiting(
        {
          spec: {
            affinity: {
              podAffinity: {
                requiredDuringSchedulingIgnoredDuringExecution: [
                  { labelSelector: { matchLabels: { app: 'cache' } }, topologyKey: 'kubernetes.io/hostname' },
                ],
              },
            },
          },
        },
        { Node: [node('n-a')] },
      ),
      ['no pod that its pod affinity requires in the same kubernetes.io/hostname'],
    ],
    [
      'for a volume on one node and a selector to another',
      waiting(
        { claim: 'data', spec: { nodeSelector: { disk: 'ssd' } } },
        {
          Node: [node('n-a'), node('n-b', { labels: { disk: 'ssd' } })],
          PersistentVolumeClaim: [claim('data', { volumeName: 'pv' })],
          PersistentVolume: [
            volume('pv', {
              claimRef: { namespace: 'shop', name: 'data', uid: 'uid-data' },
              ...reaches('kubernetes.io/hostname', 'n-a'),
            }),
          ],
        },
      ),
      ['label disk=ssd is missing', 'the volume pv of data cannot be used there'],
    ],
  ];

  it.each(cases)('%s', (_, fields, sentence) => {
    const finding = detected(unsatisfiablePlacement, fields);
    const all = renderFinding(finding, text) + JSON.stringify(finding?.advice);

    expect(finding).toMatchObject({
      cause: 'unsatisfiable-placement',
      confidence: 'proven',
      severity: 'critical',
    });
    expect(finding?.remediations).toEqual([]);
    for (const part of sentence) expect(all).toContain(part);
  });

  it('and it sums different reasons over different nodes, each node once', () => {
    const finding = detected(
      unsatisfiablePlacement,
      waiting(
        { requests: { cpu: '6' } },
        { Node: [node('n-a', tainted), node('n-b'), node('n-c'), node('n-d')] },
      ),
    );

    expect(renderFinding(finding, text)).toContain(
      '3 of 4 nodes (n-b, n-c and n-d) cannot run the pod: less allocatable cpu than requested.',
    );
    expect(renderFinding(finding, text)).toContain(
      '1 of 4 nodes (n-a) cannot run the pod: untolerated taint dedicated=gpu:NoSchedule',
    );
  });

  it('and it names the one node of a pod that a DaemonSet created for it', () => {
    const pinned = {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n-b'] }] }],
          },
        },
      },
    };
    const finding = detected(
      unsatisfiablePlacement,
      waiting({ requests: { cpu: '6' }, spec: pinned }, { Node: [node('n-a'), node('n-b')] }),
    );

    expect(finding?.nodes).toEqual(['n-b']);
    expect(finding?.summary.key).toBe('summary-pinned');
  });

  it('and it recommends a rollback only while pods of the previous revision run', () => {
    const fields = waiting({ spec: { nodeSelector: { disk: 'ssd' } } }, { Node: [node('n-a')] });
    const former = buildReplicaSet({ revision: 1, replicas: 1, available: 1 });
    const mid = detected(unsatisfiablePlacement, {
      ...fields,
      ReplicaSet: [...(fields.ReplicaSet ?? []), former],
      Pod: [...(fields.Pod ?? []), ownedPod('web-old', 1, { on: 'n-a' })],
    });

    expect(mid?.remediations.map(({ kind }) => kind)).toEqual(['undo-rollout']);
    expect(mid?.withheld.map(({ kind }) => kind)).toEqual(['restart-rollout', 'patch-strategy']);
    expect(detected(unsatisfiablePlacement, fields)?.remediations).toEqual([]);
  });

  it('and it has a sentence in both languages for every statement', () => {
    const finding = detected(
      unsatisfiablePlacement,
      waiting(
        { requests: { cpu: '6' } },
        { Node: [node('n-a'), node('n-b', tainted), node('n-c'), node('n-d')] },
      ),
    );
    for (const { en, ko } of renderStatements(finding, text)) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });
});

describe('an unsatisfiable placement is not reported', () => {
  const near: readonly (readonly [string, Fields])[] = [
    [
      'when one node matches and is merely full',
      waiting(
        { requests: { cpu: '3' } },
        {
          Node: [node('n-a', tainted), node('n-b')],
          Pod: [ownedPod('other', 1, { on: 'n-b', requests: { cpu: '3' } }, 'other')],
        },
      ),
    ],
    [
      'when the only matching node is cordoned',
      waiting({}, { Node: [node('n-a', { unschedulable: true })] }),
    ],
    ['when a node can run it: the status is old', waiting({}, { Node: [node('n-a')] })],
    [
      'when the claim has no volume yet: that is volume-unbound',
      waiting({ claim: 'data' }, { Node: [node('n-a')], PersistentVolumeClaim: [claim('data')] }),
    ],
    [
      'when the pod is gated',
      waiting(
        { spec: { schedulingGates: [{ name: 'g' }], nodeSelector: { a: 'b' } } },
        { Node: [node('n-a')] },
      ),
    ],
    [
      'when no pod is pending',
      {
        ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
        Pod: [ownedPod('web-new', 2, { on: 'n-a' })],
        Node: [node('n-a', tainted)],
      },
    ],
    [
      'while an autoscaler adds a node',
      waiting(
        { spec: { nodeSelector: { disk: 'ssd' } } },
        {
          Node: [node('n-a')],
          Event: [
            event({
              about: { kind: 'Pod', name: 'web-new', uid: 'web-new' },
              reason: 'TriggeredScaleUp',
              message: 'pod triggered scale-up: [{ssd 0->1 (max: 3)}]',
              component: 'cluster-autoscaler',
            }),
          ],
        },
      ),
    ],
  ];

  it.each(near)('%s', (_, fields) => {
    expect(detected(unsatisfiablePlacement, fields)).toBeUndefined();
  });
});

describe('an unsatisfiable placement is less certain', () => {
  it('when the scheduler gives another reason, which is stated', () => {
    const finding = detected(
      unsatisfiablePlacement,
      waiting(
        {
          spec: { nodeSelector: { disk: 'ssd' } },
          message:
            '0/1 nodes are available: 1 Insufficient cpu. preemption: 0/1 nodes are available: 1 No preemption victims found for incoming pod.',
        },
        { Node: [node('n-a')] },
      ),
    );

    expect(finding?.confidence).toBe('likely');
    expect(renderFinding(finding, text)).toContain('Scheduler: 0/1 nodes are available: 1 Insufficient cpu');
  });

  it('when the scheduler counts nodes that were not read', () => {
    const finding = detected(
      unsatisfiablePlacement,
      waiting(
        {
          spec: { nodeSelector: { disk: 'ssd' } },
          message: "0/9 nodes are available: 9 node(s) didn't match Pod's node affinity/selector.",
        },
        { Node: [node('n-a')] },
      ),
    );

    expect(finding?.confidence).toBe('likely');
  });

  it('when pods could not be read and the node appears free, and then follows the scheduler only', () => {
    const finding = detected(unsatisfiablePlacement, {
      ...waiting(
        { message: '0/1 nodes are available: 1 node(s) had untolerated taint {a: b}.' },
        { Node: [node('n-a')] },
      ),
      unseen: [{ what: 'Node', namespace: '', because: 'forbidden', message: '' }],
    });

    expect(finding?.confidence).toBe('possible');
  });
});
