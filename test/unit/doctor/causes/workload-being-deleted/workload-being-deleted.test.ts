import { describe, expect, it } from 'vitest';
import { crashLoopAfterRollout } from '#src/doctor/causes/crash-loop-after-rollout.js';
import { workloadBeingDeleted } from '#src/doctor/causes/workload-being-deleted/rule.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { AnyRule } from '#src/doctor/findings/rule.js';
import { forecastRequested } from '#src/doctor/requested/with-requested.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { buildDetected } from '../../../../support/diagnosis.js';
import { build, leaving } from '../../../../support/kubernetes-objects.js';
import { ago, buildDeployment, buildPod, buildReplicaSet } from '../../../../support/rollout-builders.js';
import { expectFindings, has, snapshotOf, told } from '../run-rule.js';

interface Deleted {
  /** Since the deletion; left out: it is not deleted. */
  readonly seconds?: number;
  readonly finalizers?: readonly string[];
  readonly pods?: readonly Pod[];
  /** Conditions of its namespace, which is deleted. */
  readonly conditions?: readonly {
    readonly type: string;
    readonly status: string;
    readonly message: string;
  }[];
}

function deleted({ seconds, finalizers = [], pods = [], conditions }: Deleted) {
  const base = buildDeployment({ status: { readyReplicas: 1 } });
  const deletionTimestamp = seconds === undefined ? undefined : ago(seconds);
  return snapshotOf(
    { ...base, metadata: { ...base.metadata, deletionTimestamp, finalizers } },
    {
      ReplicaSet: [buildReplicaSet({ revision: 1, replicas: 1, available: 1 })],
      Pod: pods,
      Namespace:
        conditions === undefined
          ? []
          : [build('Namespace', 'shop', leaving(900), { status: { conditions: [...conditions] } })],
    },
  );
}
const foreground = { seconds: 100, finalizers: ['foregroundDeletion'] };

describe('a workload that is being deleted', () => {
  expectFindings<Deleted>(workloadBeingDeleted, deleted, [
    [
      'is reported with its finalizers, and without a fix',
      { seconds: 600, finalizers: ['foregroundDeletion', 'example.com/cleanup', 'hold'] },
      {
        confidence: 'proven',
        severity: 'warning',
        fixes: [],
        reasoning: ['deleted', 'foreground', 'finalizer', 'finalizer', 'no-rollout'],
        withheld: ['restart-rollout', 'patch-strategy', 'undo-rollout'],
      },
    ],
    [
      'is informational within the first minute',
      { seconds: 20, finalizers: ['example.com/cleanup'] },
      { severity: 'info' },
    ],
    [
      'is informational while its pods are within their grace period',
      { ...foreground, pods: [buildPod({ name: 'old-0', terminating: true })] },
      { severity: 'info' },
    ],
    [
      'is a warning while its pods run on',
      { ...foreground, pods: [buildPod({ name: 'old-0' })] },
      { severity: 'warning' },
    ],
    [
      'may be deleted with its namespace, and has the status of its controller then',
      {
        conditions: [
          { type: 'NamespaceFinalizersRemaining', status: 'True', message: 'hold in 1 resource instances' },
          { type: 'NamespaceContentRemaining', status: 'False', message: 'nothing' },
        ],
      },
      {
        summary: 'summary-namespace',
        reasoning: ['deleted', 'namespace-condition', 'no-new-objects'],
        steps: has(
          expect.objectContaining({
            key: 'namespace-condition',
            values: expect.objectContaining({ message: 'hold in 1 resource instances' }),
          }),
        ),
      },
    ],
    ['is not reported where nothing is deleted', {}],
  ]);

  it('has no fix in any other finding, and no forecast of a change that a person requests', () => {
    const detect = () => buildDetected({ cause: 'crash-loop-after-rollout' });
    const other: AnyRule = { ...crashLoopAfterRollout, detect, detectFurther: () => [] };
    const [finding] = diagnose(deleted({ seconds: 600 }), [other]).findings;

    expect(finding && told(finding)).toMatchObject({ fixes: [], becauseOf: has('no-fix') });
    expect(forecastRequested({ kind: 'restart-rollout' }, deleted({ seconds: 600 }))).toMatchObject({
      type: 'impossible',
      because: { key: 'no-fix' },
    });
  });
});
