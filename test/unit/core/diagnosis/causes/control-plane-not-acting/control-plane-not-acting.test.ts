import { describe, expect, it } from 'vitest';
import type { Pod } from '#src/core/cluster/pod.js';
import type { Deployment } from '#src/core/cluster/workload.js';
import { controlPlaneNotActing } from '#src/core/diagnosis/causes/control-plane-not-acting/rule.js';
import { text } from '#src/core/diagnosis/causes/control-plane-not-acting/text.js';
import {
  ago,
  buildDeployment,
  buildPod,
  buildReplicaSet,
  type PodFields,
} from '#support/rollout-builders.js';
import { buildSet } from '#support/stateful-set-builders.js';
import { foundBy, keysOf, mustFind, podEvent, renderFinding, snapshotOf } from '../run-rule.js';

interface Unobserved {
  /** Seconds since the spec was written; absent where the time is unknown. */
  readonly changed?: number;
  readonly observed?: number;
  /** Age of the one pod: the newest thing in the namespace. */
  readonly podAge?: number;
  readonly by?: object;
}

function unobserved({ changed, observed = 1, podAge = 3600, by = {} }: Unobserved) {
  const base = buildDeployment({ status: { observedGeneration: observed, readyReplicas: 1 } });
  const entry = {
    manager: 'kubectl',
    operation: 'Update',
    apiVersion: 'apps/v1',
    subresource: '',
    fieldsV1: { 'f:spec': {} },
    ...by,
  };
  const managedFields = changed === undefined ? [] : [{ ...entry, time: ago(changed) }];
  const workload: Deployment = { ...base, metadata: { ...base.metadata, managedFields } };
  const first = buildReplicaSet({ revision: 1, replicas: 1, available: 1 });
  return snapshotOf(workload, { ReplicaSet: [first], Pod: [buildPod({ name: 'old-0', age: podAge })] });
}

function untried(
  fields: Partial<PodFields> & { readonly schedulerName?: string } = {},
  others: readonly Pod[] = [],
) {
  const { schedulerName = 'default-scheduler', spec = {}, ...pod } = fields;
  const second = buildReplicaSet({ revision: 2, replicas: 1 });
  const waiting = buildPod({
    name: 'new-0',
    owner: { name: 'web-2', uid: 'web-2-uid' },
    node: undefined,
    spec: { schedulerName, ...spec },
    status: { conditions: [] },
    age: 600,
    ...pod,
  });
  return snapshotOf(buildDeployment(), { ReplicaSet: [second], Pod: [waiting, ...others] });
}

describe('a change that no controller has observed', () => {
  it('is reported with the generations and the time of the change', () => {
    const finding = mustFind(controlPlaneNotActing, unobserved({ changed: 600 }));

    expect(finding).toMatchObject({
      confidence: 'likely',
      severity: 'warning',
      remediations: [],
      standing: { values: { forSeconds: 600 } },
    });
    expect(keysOf(finding.reasoning)).toEqual(['not-observed', 'changed-at', 'runs-in-manager']);
    const { en, ko } = renderFinding(finding, text);
    expect(en).toContain('shop/web: the Deployment controller has not acted on the last change');
    expect(ko).toHaveLength(en.length);
  });

  it('is only possible where the time of the change is unknown', () => {
    const finding = mustFind(controlPlaneNotActing, unobserved({}));

    expect(finding.confidence).toBe('possible');
    expect(keysOf(finding.reasoning)).toContain('changed-unknown');
  });

  it('is reported for a ReplicaSet too, which has created no pods', () => {
    const second = buildReplicaSet({
      revision: 2,
      replicas: 1,
      exist: 0,
      status: { observedGeneration: 0 },
      metadata: { creationTimestamp: ago(400) },
    });
    const finding = mustFind(controlPlaneNotActing, snapshotOf(buildDeployment(), { ReplicaSet: [second] }));

    expect(finding.summary.values).toMatchObject({ controller: 'ReplicaSet' });
    expect(finding.severity).toBe('critical');
  });

  it('is reported for a StatefulSet', () => {
    const set = buildSet({ status: { observedGeneration: 1 } });
    const pod = buildPod({ name: 'db-0', owner: { kind: 'StatefulSet', name: 'db', uid: 'db-uid' } });
    const finding = mustFind(controlPlaneNotActing, snapshotOf(set, { Pod: [pod] }));

    expect(finding.summary.values).toMatchObject({ controller: 'StatefulSet' });
  });

  it.each<[string, Unobserved]>([
    ['it is a minute old', { changed: 60 }],
    ['it is observed', { changed: 600, observed: 2 }],
    ['the time of the change is unknown and another field has just changed', { podAge: 60 }],
  ])('is not reported while %s', (_, fields) => {
    expect(foundBy(controlPlaneNotActing, unobserved(fields))).toBeUndefined();
  });

  it('does not count a status write as a change of the spec', () => {
    const snapshot = unobserved({ changed: 600, by: { subresource: 'status' }, podAge: 60 });

    expect(foundBy(controlPlaneNotActing, snapshot)).toBeUndefined();
  });
});

describe('pods that no controller has counted', () => {
  const withPods = (ready: number, readyFor: number) => {
    const second = buildReplicaSet({ revision: 2, replicas: 2, available: ready });
    const owner = { name: 'web-2', uid: 'web-2-uid' };
    const pods = ['a', 'b'].map((name) => buildPod({ name, owner, readyFor }));
    return snapshotOf(buildDeployment({ replicas: 2 }), { ReplicaSet: [second], Pod: pods });
  };

  it('are reported once they have been ready for minutes', () => {
    const finding = mustFind(controlPlaneNotActing, withPods(1, 300));

    expect(finding.reasoning[0]).toMatchObject({
      key: 'not-counted-ready',
      values: { counted: 1, actual: 2, since: ago(300) },
    });
    expect(renderFinding(finding, text).en.join(' ')).toContain('counts 1 ready pod, but 2 are ready');
  });

  it('are not reported within normal reaction times, nor where all are counted', () => {
    expect(foundBy(controlPlaneNotActing, withPods(1, 30))).toBeUndefined();
    expect(foundBy(controlPlaneNotActing, withPods(2, 300))).toBeUndefined();
  });
});

describe('pods that no scheduler has tried', () => {
  it('are reported with the scheduler that they name', () => {
    const finding = mustFind(controlPlaneNotActing, untried());

    expect(finding.summary).toMatchObject({
      key: 'summary-scheduler',
      values: { scheduler: 'default-scheduler', pods: 1 },
    });
    expect(finding.advice[0]?.title.values).toEqual({ component: 'kube-scheduler' });
    const { en, ko } = renderFinding(finding, text);
    expect(ko).toHaveLength(en.length);
  });

  it('distinguish a scheduler that placed other pods from one without any trace', () => {
    const other = buildPod({ name: 'other', owner: { uid: 'x' }, spec: { schedulerName: 'volcano' } });

    expect(
      keysOf(mustFind(controlPlaneNotActing, untried({ schedulerName: 'volcano' }, [other])).reasoning),
    ).toContain('placed-some');
    const alone = mustFind(controlPlaneNotActing, untried({ schedulerName: 'volcano' }));
    expect(keysOf(alone.reasoning)).toContain('placed-none');
    expect(keysOf(alone.advice.map(({ title }) => title))).toEqual(['advice-name-title']);
  });

  it.each<[string, Partial<PodFields>]>([
    ['they are a minute old', { age: 60 }],
    ['they have a gate', { spec: { schedulingGates: [{ name: 'hold' }] } }],
    ['they have a node', { node: 'n-a' }],
    [
      'the scheduler has refused them',
      { status: { conditions: [{ type: 'PodScheduled', status: 'False' }] } },
    ],
  ])('are not reported while %s', (_, fields) => {
    expect(foundBy(controlPlaneNotActing, untried(fields))).toBeUndefined();
  });

  it.each<[string, string, string, boolean]>([
    ['a refusal, also of another component', 'FailedScheduling', 'cluster-autoscaler', true],
    ['the scheduler, whatever it says', 'Preempted', 'default-scheduler', true],
    ['another program', 'NotTriggerScaleUp', 'cluster-autoscaler', false],
  ])('were tried where an event is of %s', (_, reason, component, isTried) => {
    const snapshot = untried();
    const event = podEvent('new-0', reason, '0/1 nodes are available', component);
    const seen = snapshotOf(snapshot.workload, { ...snapshot.index.objects, Event: [event] });

    expect(foundBy(controlPlaneNotActing, seen) === undefined).toBe(isTried);
  });
});
