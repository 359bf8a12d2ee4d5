import { describe, expect, it } from 'vitest';
import { Deployment } from '#src/core/cluster/workload.js';
import { capacityContention } from '#src/core/diagnosis/causes/capacity-contention/rule.js';
import { text } from '#src/core/diagnosis/causes/capacity-contention/text.js';
import { node } from '#support/placement-builders.js';
import {
  buildDeployment,
  buildReplicaSet,
  detected,
  type Fields,
  foreignPod,
  type OwnedShape,
  ownedPod,
  renderFinding,
  renderStatements,
} from '../../waiting/build.js';

const gpu = { requests: { 'nvidia.com/gpu': '1' } };
const gpuNode = node('gpu-a', { allocatable: { 'nvidia.com/gpu': '1' } });

/** The first rollout of revision 2 with one waiting pod. */
function waiting(shape: OwnedShape, fields: Fields): Fields {
  return {
    ReplicaSet: [buildReplicaSet({ revision: 2, replicas: 1 })],
    ...fields,
    Pod: [ownedPod('web-new', 2, shape), ...(fields.Pod ?? [])],
  };
}

describe('contention names as holders of the resource', () => {
  it('a Job, which may end', () => {
    const finding = detected(
      capacityContention,
      waiting(gpu, {
        Node: [gpuNode],
        Pod: [foreignPod('train-x1', 'Job', 'train', { on: 'gpu-a', ...gpu })],
      }),
    );
    const rendered = renderFinding(finding, text);

    expect(finding).toMatchObject({ confidence: 'proven', severity: 'critical', resource: 'nvidia.com/gpu' });
    expect(finding?.holders).toEqual([{ kind: 'Pod', namespace: 'shop', name: 'train-x1' }]);
    expect(rendered).toContain('shop/train (Job, priority 0) uses nvidia.com/gpu: train-x1 on gpu-a.');
    expect(rendered).toContain('Without shop/train-x1, the pod web-new fits on gpu-a.');
    expect(rendered).toContain('Its pods end when their work is done');
    expect(rendered).toContain('Both sides have priority 0');
  });

  it('a Deployment of another namespace whose ReplicaSet was not read', () => {
    const holder = ownedPod('api-7-x', 7, { on: 'n-a', requests: { cpu: '3' }, namespace: 'pay' }, 'api');
    const finding = detected(
      capacityContention,
      waiting({ requests: { cpu: '2' } }, { Node: [node('n-a')], Pod: [holder] }),
    );

    expect(renderFinding(finding, text)).toContain('pay/api (Deployment, priority 0) uses cpu');
  });

  it('a DaemonSet that binds the port on every node', () => {
    const on = (name: string) =>
      foreignPod(`exporter-${name}`, 'DaemonSet', 'exporter', { on: name, hostPort: 9100 });
    const finding = detected(
      capacityContention,
      waiting({ hostPort: 9100 }, { Node: [node('n-a'), node('n-b')], Pod: [on('n-a'), on('n-b')] }),
    );

    expect(finding?.resource).toBe('hostPort');
    expect(finding?.holders.map(({ name }) => name)).toEqual(['exporter-n-a', 'exporter-n-b']);
    expect(renderFinding(finding, text)).toContain('shop/exporter uses 9100/TCP');
  });

  it('several workloads by priority, the highest first', () => {
    const finding = detected(
      capacityContention,
      waiting(gpu, {
        Node: [gpuNode, node('gpu-b', { allocatable: { 'nvidia.com/gpu': '1' } })],
        Pod: [
          foreignPod('low-0', 'StatefulSet', 'low', { on: 'gpu-a', ...gpu, priority: 10 }),
          foreignPod('high-0', 'StatefulSet', 'high', { on: 'gpu-b', ...gpu, priority: 900 }),
        ],
      }),
    );
    const held = finding?.reasoning.filter(({ key }) => key === 'held-by').map(({ values }) => values);

    expect(held).toMatchObject([{ holder: { workload: 'shop/high' } }, { holder: { workload: 'shop/low' } }]);
    expect(renderFinding(finding, text)).toContain(
      'The pending pod has priority 0, the other pods have 10 or higher',
    );
    expect(finding?.advice.map(({ snippet }) => snippet ?? '').join()).toContain('value: 901');
  });

  it('pods of lower priority, when the pod may not preempt', () => {
    const finding = detected(
      capacityContention,
      waiting(
        { ...gpu, priority: 1000, spec: { preemptionPolicy: 'Never' } },
        {
          Node: [gpuNode],
          Pod: [foreignPod('low-0', 'StatefulSet', 'low', { on: 'gpu-a', ...gpu, priority: 10 })],
        },
      ),
    );

    expect(renderFinding(finding, text)).toContain('preemptionPolicy: Never, so it preempts no other pod');
  });

  it('and own old pods too, when neither of them alone would be enough', () => {
    const two = node('gpu-a', { allocatable: { 'nvidia.com/gpu': '2' } });
    const finding = detected(capacityContention, {
      ReplicaSet: [
        buildReplicaSet({ revision: 1, replicas: 1, available: 1 }),
        buildReplicaSet({ revision: 2, replicas: 1 }),
      ],
      Node: [two],
      Pod: [
        ownedPod('web-old', 1, { on: 'gpu-a', ...gpu }),
        ownedPod('web-new', 2, { requests: { 'nvidia.com/gpu': '2' } }),
        foreignPod('train-x1', 'Job', 'train', { on: 'gpu-a', ...gpu }),
      ],
    });

    expect(renderFinding(finding, text)).toContain("the workload's own web-old would have to stop as well");
    expect(finding?.holders.map(({ name }) => name)).toEqual(['train-x1']);
  });

  it('pods, with text in both languages', () => {
    const finding = detected(
      capacityContention,
      waiting(gpu, {
        Node: [gpuNode],
        Pod: [foreignPod('train-x1', 'Job', 'train', { on: 'gpu-a', ...gpu })],
      }),
    );
    for (const { en, ko } of renderStatements(finding, text)) {
      expect(en).not.toBe('');
      expect(ko).toMatch(/[가-힣]/);
    }
  });
});

describe('a wait cycle of two rollouts', () => {
  const isA = { nodeSelector: { pool: 'a' } };
  const isB = { nodeSelector: { pool: 'b' } };
  const of = (name: string, revision: number) =>
    buildReplicaSet({
      revision,
      replicas: 1,
      available: revision === 1 ? 1 : 0,
      name: `${name}-${revision}`,
      metadata: { ownerReferences: [{ kind: 'Deployment', name, uid: `${name}-uid`, controller: true }] },
    });
  const other = Deployment.parse({
    ...structuredClone(buildDeployment()),
    metadata: { ...buildDeployment().metadata, name: 'api', uid: 'api-uid' },
  });
  /** Each new revision selects the node pool that the other one's old pod uses. */
  const crossed: Fields = {
    Node: [
      node('n-a', { labels: { pool: 'a' }, allocatable: { 'nvidia.com/gpu': '1' } }),
      node('n-b', { labels: { pool: 'b' }, allocatable: { 'nvidia.com/gpu': '1' } }),
    ],
    ReplicaSet: [of('web', 1), of('web', 2), of('api', 1), of('api', 2)],
    Deployment: [other],
    Pod: [
      ownedPod('web-old', 1, { on: 'n-a', ...gpu }),
      ownedPod('web-new', 2, { ...gpu, spec: isB }),
      ownedPod('api-old', 1, { on: 'n-b', ...gpu }, 'api'),
      ownedPod('api-new', 2, { ...gpu, spec: isA }, 'api'),
    ],
  };

  it('is reported, with both new pods and the resources that each holds', () => {
    const finding = detected(capacityContention, crossed);
    const rendered = renderFinding(finding, text);

    expect(finding?.confidence).toBe('proven');
    expect(rendered).toContain('its new pod api-new would fit on n-a without web-old');
    expect(rendered).toContain('the two workloads are deadlocked');
    expect(finding?.advice[0]?.snippet).toContain('maxSurge: 0');
    expect(finding?.withheld.map(({ kind }) => kind)).not.toContain('patch-strategy');
  });

  it('is likely only when the other Deployment was not read', () => {
    const finding = detected(capacityContention, {
      ...crossed,
      Deployment: [],
      ReplicaSet: [of('web', 1), of('web', 2)],
    });

    expect(finding?.confidence).toBe('likely');
    expect(renderFinding(finding, text)).toContain('shop/api could not be read in full');
  });

  it('is not reported when the other new pod fits on another node', () => {
    const finding = detected(capacityContention, {
      ...crossed,
      Node: [
        ...(crossed.Node ?? []),
        node('n-c', { labels: { pool: 'a' }, allocatable: { 'nvidia.com/gpu': '1' } }),
      ],
    });

    expect(finding?.reasoning.map(({ key }) => key)).not.toContain('cycle');
  });

  it('is not reported when the controller may still stop the old pod of the other rollout', () => {
    const moving = {
      ...other,
      spec: { ...other.spec, strategy: buildDeployment({ maxSurge: 1, maxUnavailable: 1 }).spec.strategy },
    };
    const finding = detected(capacityContention, { ...crossed, Deployment: [moving] });

    expect(finding?.reasoning.map(({ key }) => key)).not.toContain('cycle');
  });
});

describe('contention is not reported', () => {
  it.each<readonly [string, Fields]>([
    [
      'when preemption will free enough',
      waiting(
        { ...gpu, priority: 1000 },
        { Node: [gpuNode], Pod: [foreignPod('low-0', 'StatefulSet', 'low', { on: 'gpu-a', ...gpu })] },
      ),
    ],
    [
      'when the holder terminates in time',
      waiting(gpu, {
        Node: [gpuNode],
        Pod: [foreignPod('train-x1', 'Job', 'train', { on: 'gpu-a', ...gpu })].map((pod) => ({
          ...pod,
          metadata: { ...pod.metadata, deletionTimestamp: '2026-11-20T09:30:10Z' },
        })),
      }),
    ],
    [
      'when its own old pod alone is the reason',
      waiting(gpu, {
        ReplicaSet: [
          buildReplicaSet({ revision: 1, replicas: 1 }),
          buildReplicaSet({ revision: 2, replicas: 1 }),
        ],
        Node: [node('gpu-a', { allocatable: { 'nvidia.com/gpu': '2' } })],
        Pod: [
          ownedPod('web-old', 1, { on: 'gpu-a', ...gpu }),
          foreignPod('train-x1', 'Job', 'train', { on: 'gpu-a', ...gpu }),
        ],
      }),
    ],
    [
      'for cpu that every node gives its DaemonSets',
      waiting(
        { requests: { cpu: '3500m' } },
        {
          Node: [node('n-a')],
          Pod: [foreignPod('agent-a', 'DaemonSet', 'agent', { on: 'n-a', requests: { cpu: '1' } })],
        },
      ),
    ],
    [
      'for cpu that many share',
      waiting(
        { requests: { cpu: '1' } },
        {
          Node: [node('n-a')],
          Pod: Array.from({ length: 8 }, (_, position) =>
            foreignPod(`s-${position}`, 'StatefulSet', `s-${position}`, {
              on: 'n-a',
              requests: { cpu: '500m' },
            }),
          ),
        },
      ),
    ],
  ])('%s', (_, fields) => {
    expect(detected(capacityContention, fields)).toBeUndefined();
  });
});
