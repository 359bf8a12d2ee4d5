import { describe, expect, it } from 'vitest';
import { Namespace } from '#src/core/cluster/policy.js';
import { crashLoopAfterRollout } from '#src/core/diagnosis/causes/crash-loop-after-rollout/rule.js';
import { workloadBeingDeleted } from '#src/core/diagnosis/causes/workload-being-deleted/rule.js';
import { text } from '#src/core/diagnosis/causes/workload-being-deleted/text.js';
import { diagnose } from '#src/core/diagnosis/diagnose.js';
import type { AnyRule } from '#src/core/diagnosis/rule.js';
import { forecastRequested } from '#src/core/requested/forecast-requested.js';
import { buildDetected } from '#support/diagnosis.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

interface Deleted {
  readonly seconds: number;
  readonly finalizers?: readonly string[];
  readonly pods?: readonly ReturnType<typeof buildPod>[];
}

function deleted({ seconds, finalizers = [], pods = [] }: Deleted) {
  const base = buildDeployment({ status: { readyReplicas: 1 } });
  const metadata = { ...base.metadata, deletionTimestamp: ago(seconds), finalizers };
  const first = buildReplicaSet({ revision: 1, replicas: 1, available: 1 });
  return snapshotOf({ ...base, metadata }, { ReplicaSet: [first], Pod: pods });
}

describe('a workload that is being deleted', () => {
  it('is reported with its finalizers, and without a fix', () => {
    const finding = mustFind(
      workloadBeingDeleted,
      deleted({ seconds: 600, finalizers: ['foregroundDeletion', 'example.com/cleanup', 'hold'] }),
    );

    expect(finding).toMatchObject({ confidence: 'proven', severity: 'warning', remediations: [] });
    expect(keysOf(finding.reasoning)).toEqual([
      'deleted',
      'foreground',
      'finalizer',
      'finalizer',
      'no-rollout',
    ]);
    expect(finding.withheld.map(({ kind }) => kind)).toEqual([
      'restart-rollout',
      'patch-strategy',
      'undo-rollout',
    ]);
    const { en, ko } = renderFinding(finding, text);
    expect(en.join(' ')).toContain('the controller of example.com has not removed this finalizer');
    expect(ko).toHaveLength(en.length);
  });

  it.each<[string, Deleted, string]>([
    ['informational within the first minute', { seconds: 20, finalizers: ['example.com/cleanup'] }, 'info'],
    [
      'informational while its pods are within their grace period',
      {
        seconds: 100,
        finalizers: ['foregroundDeletion'],
        pods: [buildPod({ name: 'old-0', terminating: true })],
      },
      'info',
    ],
    [
      'a warning while its pods run on',
      { seconds: 100, finalizers: ['foregroundDeletion'], pods: [buildPod({ name: 'old-0' })] },
      'warning',
    ],
  ])('is %s', (_, fields, severity) => {
    expect(mustFind(workloadBeingDeleted, deleted(fields)).severity).toBe(severity);
  });

  it('is not reported for another workload', () => {
    expect(foundBy(workloadBeingDeleted, snapshotOf(buildDeployment(), {}))).toBeUndefined();
  });

  it('removes the fixes from every other finding', () => {
    const other: AnyRule = {
      ...crashLoopAfterRollout,
      detect: () => buildDetected({ cause: 'crash-loop-after-rollout' }),
      detectFurther: () => [],
    };
    const [finding] = diagnose(deleted({ seconds: 600 }), [other]).findings;

    expect(finding?.remediations).toEqual([]);
    expect(finding?.withheld.map(({ because }) => because.key)).toContain('no-fix');
  });

  it('has no forecast of a change that a person requests', () => {
    const forecast = forecastRequested({ kind: 'restart-rollout' }, deleted({ seconds: 600 }));

    expect(forecast).toMatchObject({ type: 'impossible', because: { key: 'no-fix' } });
  });
});

describe('a namespace that is being deleted', () => {
  it('is reported with the status of its controller', () => {
    const namespace = Namespace.parse({
      metadata: { name: 'shop', deletionTimestamp: ago(900) },
      status: {
        conditions: [
          { type: 'NamespaceFinalizersRemaining', status: 'True', message: 'hold in 1 resource instances' },
          { type: 'NamespaceContentRemaining', status: 'False', message: 'nothing' },
        ],
      },
    });
    const snapshot = snapshotOf(buildDeployment({ status: { readyReplicas: 1 } }), {
      Namespace: [namespace],
    });
    const finding = mustFind(workloadBeingDeleted, snapshot);

    expect(finding.summary.key).toBe('summary-namespace');
    expect(keysOf(finding.reasoning)).toEqual(['deleted', 'namespace-condition', 'no-new-objects']);
    expect(renderFinding(finding, text).en.join(' ')).toContain('hold in 1 resource instances');
  });
});
