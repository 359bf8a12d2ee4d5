import { describe, expect, it } from 'vitest';
import { proposeDeletePod } from '#src/doctor/fixes/kinds/delete-pod.js';
import { proposeExcludeNodes } from '#src/doctor/fixes/kinds/exclude-nodes/propose.js';
import { proposePatchStrategy } from '#src/doctor/fixes/kinds/patch-strategy/propose.js';
import { proposeRestartRollout } from '#src/doctor/fixes/kinds/restart-rollout/kind.js';
import { proposeResumeRollout } from '#src/doctor/fixes/kinds/resume-rollout.js';
import { proposeScaleDownOld } from '#src/doctor/fixes/kinds/scale-down-old.js';
import { proposeUndoRollout } from '#src/doctor/fixes/kinds/undo-rollout/propose.js';
import type { Remediation } from '#src/doctor/fixes/remediation.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import type { DeploymentState } from '#src/engine/workloads/rollout-state.js';
import { type PodShape, pod } from '../../../support/placement-builders.js';
import {
  examined,
  gpuNode,
  type RolloutFields,
  stuckOnGpu,
  waitingIn,
} from '../../../support/remediation-builders.js';

const gpu = 'nvidia.com/gpu';

/** A pod of another workload that waits for a GPU. */
function rival(shape: PodShape = {}, name = 'rival', creationTimestamp = '2026-11-20T09:00:00Z'): Pod {
  const waiting = pod(name, { namespace: 'ml', requests: { [gpu]: '1' }, ...shape });
  return { ...waiting, metadata: { ...waiting.metadata, creationTimestamp } };
}

function patch(fields: RolloutFields, snapshot: Snapshot = stuckOnGpu(fields)): Remediation {
  const [remediation] = proposePatchStrategy(examined<DeploymentState>(snapshot)).remediations;
  if (remediation === undefined) throw new Error('it should be offered');
  return remediation;
}

const host = (name: string) => ({ 'kubernetes.io/hostname': name });

const namesOf = ({ prediction }: Remediation) => prediction.competitors.map(({ name }) => name);

/** The same with more fields of the spec of each pod of `shop/web`. */
function withSpec(snapshot: Snapshot, fields: Partial<Pod['spec']>): Snapshot {
  const { objects } = snapshot.index;
  const pods = objects.Pod.map((each) =>
    each.metadata.namespace === 'shop' ? { ...each, spec: { ...each.spec, ...fields } } : each,
  );
  return { ...snapshot, index: indexObjects({ ...objects, Pod: pods }) };
}

describe('a fix that frees a resource another workload waits for', () => {
  it.each<readonly [string, Pod]>([
    ['an older pod of the same priority', rival({}, 'rival', '2026-11-01T00:00:00Z')],
    [
      'a younger pod of the same priority: its last attempt may be older',
      rival({}, 'rival', '2026-11-20T09:29:00Z'),
    ],
    ['a pod of higher priority', rival({ priority: 1000 })],
    [
      'a pod of higher priority that never preempts',
      rival({ priority: 1000, spec: { preemptionPolicy: 'Never' } }),
    ],
    ['a pod of another scheduler', rival({ spec: { schedulerName: 'volcano' } })],
  ])('names %s and does not promise that the rollout completes', (_, other) => {
    const { prediction, price } = patch({ others: [other] });

    expect(prediction.ends).toBe('contested');
    expect(prediction.competitors).toEqual([{ kind: 'Pod', namespace: 'ml', name: 'rival' }]);
    expect(price.downtime).toMatchObject({ kind: 'gap', readyAtLeast: 0 });
    expect(price.downtime.seconds).toBeUndefined();
  });

  it.each<readonly [string, Pod]>([
    ['does not fit into the freed resources', rival({ requests: { [gpu]: '2' } })],
    ['waits for another resource', rival({ requests: { cpu: '1000' } })],
    ['may not use the node', rival({ spec: { nodeSelector: { pool: 'other' } } })],
    ['has a scheduling gate', rival({ spec: { schedulingGates: [{ name: 'kueue.x-k8s.io/admission' }] } })],
    ['is being deleted', rival({ terminating: true })],
    ['has ended', rival({ phase: 'Failed' })],
    ['has a lower priority, so that the new pod may preempt it', rival({ priority: -1 })],
  ])('completes where the other pod %s', (_, other) => {
    const { prediction } = patch({ others: [other] });

    expect(prediction).toMatchObject({ ends: 'complete', competitors: [] });
  });

  it('counts a pod of lower priority where the new pod may not preempt', () => {
    const snapshot = stuckOnGpu({ others: [rival({ priority: -1 })] });
    const remediation = patch({}, withSpec(snapshot, { preemptionPolicy: 'Never' }));

    expect(remediation.prediction.ends).toBe('contested');
    expect(namesOf(remediation)).toEqual(['rival']);
  });

  it('sums pods that only together leave too little', () => {
    const roomy = { oldNeeds: 3, newNeeds: 1, nodes: [gpuNode('gpu-a', 3)] };
    const three = ['a', 'b', 'c'].map((name) => rival({}, name));
    expect(patch({ ...roomy, others: three.slice(0, 2) }).prediction.ends).toBe('complete');
    expect(namesOf(patch({ ...roomy, others: three }))).toEqual(['a', 'b', 'c']);
  });

  it('lists the pods that could take the resource in the order of the scheduling queue', () => {
    const others = [
      rival({}, 'younger', '2026-11-02T00:00:00Z'),
      rival({}, 'older', '2026-11-01T00:00:00Z'),
      rival({ priority: 5 }, 'first', '2026-11-03T00:00:00Z'),
    ];
    const fields = { replicas: 3, old: ['gpu-a', 'gpu-a', 'gpu-a'], nodes: [gpuNode('gpu-a', 3)] };

    expect(namesOf(patch({ ...fields, others }))[0]).toBe('first');
  });

  it('names each pod that precedes, since no object shows which of them is in its back-off', () => {
    const others = [
      rival({}, 'older', '2026-11-01T00:00:00Z'),
      rival({ priority: 5 }, 'first', '2026-11-03T00:00:00Z'),
      rival({ priority: 5 }, 'second', '2026-11-04T00:00:00Z'),
      rival({ priority: -1 }, 'lower', '2026-11-01T00:00:00Z'),
    ];

    expect(namesOf(patch({ others }))).toEqual(['first', 'second', 'older']);
  });

  it('counts the place of a later pod as taken, when pods are replaced one after another', () => {
    const fields = {
      replicas: 2,
      old: ['gpu-a', 'gpu-b'],
      nodes: [gpuNode('gpu-a', 1), gpuNode('gpu-b', 1)],
    };
    const onB = rival({ spec: { nodeSelector: host('gpu-b') } });

    expect(patch({ ...fields, others: [onB] }).prediction.ends).toBe('contested');
  });

  it('counts a host port as taken', () => {
    const other = rival({ requests: {}, hostPort: 8443 });
    const snapshot = stuckOnGpu({ oldNeeds: 0, newNeeds: 0, others: [other] });

    expect(patch({}, withSpec(snapshot, { containers: other.spec.containers })).prediction.ends).toBe(
      'contested',
    );
  });

  it('counts a pod slot as taken', () => {
    const full = gpuNode('gpu-a', 0);
    const allocatable = { ...full.status.allocatable, pods: '1' };
    const nodes = [{ ...full, status: { ...full.status, allocatable } }];
    const snapshot = stuckOnGpu({ oldNeeds: 0, newNeeds: 0, nodes, others: [rival({ requests: {} })] });

    expect(patch({}, snapshot).prediction.ends).toBe('contested');
  });
});

describe('the kinds of change that free a resource', () => {
  const others = [rival()];

  it('scale-down-old is contested', () => {
    const snapshot = stuckOnGpu({ others });
    const [offer] = proposeScaleDownOld({
      ...examined<DeploymentState>(snapshot),
      waiting: waitingIn(snapshot),
    }).remediations;
    expect(offer?.prediction).toMatchObject({ ends: 'contested', competitors: [{ name: 'rival' }] });
  });

  it('undo-rollout is not contested where no old pod stops', () => {
    const [offer] = proposeUndoRollout(examined<DeploymentState>(stuckOnGpu({ others }))).remediations;
    expect(offer?.prediction).toMatchObject({ ends: 'complete', competitors: [] });
  });

  it('restart-rollout, resume-rollout and delete-pod are contested', () => {
    const inPlace = { maxSurge: 0, maxUnavailable: 1, image: 'web:1' };
    const healthy: RolloutFields = { waiting: 0, others, deployment: inPlace };
    const running = examined<DeploymentState>(stuckOnGpu(healthy));
    const restart = proposeRestartRollout(running).remediations[0];
    expect(restart?.prediction).toMatchObject({ ends: 'contested', competitors: [{ name: 'rival' }] });

    const paused = examined<DeploymentState>(
      stuckOnGpu({ ...healthy, deployment: { ...inPlace, image: 'web:2', paused: true } }),
    );
    const resume = proposeResumeRollout({ ...paused, revision: '2' }).remediations[0];
    expect(resume?.prediction).toMatchObject({ ends: 'contested', competitors: [{ name: 'rival' }] });

    const [old] = running.state.pods;
    if (old === undefined) throw new Error('an old pod runs');
    const deletion = proposeDeletePod({ ...running, pod: old, purpose: 'experiment' });
    expect(deletion.remediations[0]?.prediction.competitors ?? deletion.withheld).toMatchObject([
      { name: 'rival' },
    ]);
  });

  it.each<readonly [string, string, 'contested' | 'complete']>([
    ['contested by a pod that may use the other node', 'gpu-b', 'contested'],
    ['not contested by a pod that may use the excluded node only', 'gpu-a', 'complete'],
  ])('exclude-nodes is %s', (_, onNode, ends) => {
    const input = examined<DeploymentState>(
      stuckOnGpu({
        replicas: 2,
        old: ['gpu-a', 'gpu-b'],
        waiting: 0,
        deployment: { maxSurge: 0, maxUnavailable: 1, image: 'web:1' },
        nodes: ['gpu-a', 'gpu-b', 'gpu-c'].map((name) => gpuNode(name, 1)),
        others: [rival({ spec: { nodeSelector: host(onNode) } })],
      }),
    );
    const { remediations, withheld } = proposeExcludeNodes({ ...input, nodes: ['gpu-a'] });
    expect(withheld).toEqual([]);
    expect(remediations[0]?.prediction.ends).toBe(ends);
  });
});
