import { describe, expect, it } from 'vitest';
import { schedulingGated } from '#src/core/diagnosis/causes/scheduling-gated/rule.js';
import { text } from '#src/core/diagnosis/causes/scheduling-gated/text.js';
import { buildDeployment, buildPod, buildReplicaSet, type PodFields } from '#support/rollout-builders.js';
import { buildSet } from '#support/stateful-set-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

const condition = {
  type: 'PodScheduled',
  status: 'False',
  reason: 'SchedulingGated',
  message: 'Scheduling is blocked due to non-empty scheduling gates',
};

const gates = (...names: readonly string[]) => ({
  containers: [{ name: 'app', image: 'web:2' }],
  schedulingGates: names.map((name) => ({ name })),
});

function gated(pod: Partial<PodFields> = {}, ready = 1) {
  const workload = buildDeployment({ replicas: 1, status: { readyReplicas: ready } });
  const second = buildReplicaSet({ revision: 2, replicas: 1 });
  const owner = { name: 'web-2', uid: 'web-2-uid' };
  const spec = gates('kueue.x-k8s.io/admission');
  const fields = { name: 'new-0', owner, node: undefined, spec, status: { conditions: [condition] }, ...pod };
  return snapshotOf(workload, { ReplicaSet: [second], Pod: [buildPod(fields)] });
}

describe('a pod with a scheduling gate', () => {
  it('is reported with the gate and its owner', () => {
    const finding = mustFind(
      schedulingGated,
      gated({ labels: { 'kueue.x-k8s.io/queue-name': 'gpu-queue' } }),
    );

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'warning',
      summary: { values: { workload: 'shop/web', pods: 1, gates: ['kueue.x-k8s.io/admission'] } },
      standing: { values: { forSeconds: 3600 } },
      remediations: [],
    });
    expect(finding.reasoning.map(({ key, values }) => [key, values])).toEqual([
      ['gated', { pods: ['new-0'], gates: ['kueue.x-k8s.io/admission'] }],
      ['from-webhook', { gates: ['kueue.x-k8s.io/admission'] }],
      ['kueue', { queue: 'gpu-queue' }],
    ]);
    expect(finding.withheld.map(({ kind }) => kind)).toEqual([
      'restart-rollout',
      'patch-strategy',
      'undo-rollout',
    ]);
  });

  it('is described in both languages', () => {
    const { en, ko } = renderFinding(mustFind(schedulingGated, gated()), text);

    expect(en).toContain('1 pod of shop/web is held back by scheduling gate kueue.x-k8s.io/admission');
    expect(ko).toHaveLength(en.length);
  });

  it('may have gates of several owners, one of them unknown', () => {
    const finding = mustFind(schedulingGated, gated({ spec: gates('queue.example/admission', 'hold') }));

    expect(keysOf(finding.reasoning)).toEqual(['gated', 'from-webhook', 'own-gate', 'removed-by']);
    expect(keysOf(finding.advice.map(({ title }) => title))).toEqual(['advice-owner-title']);
  });

  it('may have it from the template, of a StatefulSet too, which is critical with no pod ready', () => {
    const set = buildSet({ replicas: 1 });
    const { template } = set.spec;
    const named = { ...template, spec: { ...template.spec, schedulingGates: [{ name: 'hold' }] } };
    const workload = { ...set, spec: { ...set.spec, template: named } };
    const pod = buildPod({
      name: 'db-0',
      owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' },
      node: undefined,
      spec: gates('hold'),
    });
    const finding = mustFind(schedulingGated, snapshotOf(workload, { Pod: [pod] }));

    expect(finding.severity).toBe('critical');
    expect(keysOf(finding.reasoning)).toContain('from-template');
    expect(finding.withheld.map(({ kind }) => kind)).toEqual(['restart-rollout', 'undo-rollout']);
  });
});

describe('no scheduling gate is reported for', () => {
  it.each<[string, Partial<PodFields>]>([
    ['a gate of a few seconds, as queues use them', { age: 20 }],
    ['a pod without gates that finds no node', { spec: gates() }],
    ['a pod that has its node', { node: 'n-a' }],
    ['a gated pod that is being deleted', { terminating: true }],
  ])('%s', (_, fields) => {
    expect(foundBy(schedulingGated, gated(fields))).toBeUndefined();
  });
});
