import { describe } from 'vitest';
import { rolloutAborted } from '#src/doctor/causes/rollout-aborted.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { buildArgoReplicaSet, buildArgoRollout } from '../../../../support/argo-rollout-builders.js';
import { ago, buildDeployment, buildPods } from '../../../../support/rollout-builders.js';
import { expectFindings, type Row, snapshotOf } from '../run-rule.js';

function aborted(status: object = {}, spec: object = {}, available = 2): Snapshot {
  const sets = [
    buildArgoReplicaSet({ hash: 'new', replicas: 0, desired: 2 }),
    buildArgoReplicaSet({ hash: 'stable', replicas: 2, available }),
  ];
  const bad = { type: 'Progressing', status: 'False', reason: 'RolloutAborted', message: 'it was *bad*' };
  return snapshotOf(
    buildArgoRollout({
      replicas: 2,
      spec,
      status: { abort: true, abortedAt: ago(120), conditions: [bad], ...status },
    }),
    { ReplicaSet: sets, Pod: sets.flatMap((set) => buildPods(set, set.spec.replicas, 0)) },
  );
}

const failed = { name: 'a', status: 'Failed' };
const analyses: readonly (readonly [string, object])[] = [
  ['step', { canary: { currentStepAnalysisRunStatus: failed } }],
  ['background', { canary: { currentBackgroundAnalysisRunStatus: { name: 'a', status: 'Error' } } }],
  ['pre-promotion', { blueGreen: { prePromotionAnalysisRunStatus: failed } }],
  ['post-promotion', { blueGreen: { postPromotionAnalysisRunStatus: failed } }],
];

describe('an aborted update of a Rollout', () => {
  expectFindings<Snapshot>(rolloutAborted, (snapshot) => snapshot, [
    [
      'is a note with the revision that serves and the time, and recommends no retry by itself',
      aborted(),
      {
        confidence: 'proven',
        severity: 'info',
        facts: { revision: '9', stable: '1', abortedSeconds: 120 },
        standing: { values: { stable: { available: 2, wanted: 2 } } },
        fixes: [],
        withheld: [],
        reasoning: ['aborted', 'no-analysis-failed'],
      },
    ],
    ...analyses.map(
      ([failedAnalysis, status]): Row<Snapshot> => [
        `names the analysis that failed: ${failedAnalysis}`,
        aborted(status),
        { facts: { failedAnalysis }, withheld: ['retry-rollout'], becauseOf: ['analysis-first'] },
      ],
    ),
    ['may have no time', aborted({ abortedAt: undefined }), { facts: { abortedSeconds: undefined } }],
    ['may have its template elsewhere', aborted({}, { workloadRef: { name: 'x' } }), {}],
    [
      'counts no available pod',
      aborted({}, {}, 0),
      { standing: { values: { stable: { available: 0, wanted: 2 } } } },
    ],
    [
      'counts none of a revision that was not read',
      aborted({ stableRS: 'other' }),
      { standing: { values: { stable: undefined } } },
    ],
    ['is none while it is in progress', aborted({ abort: false })],
    ['is none where the revision is promoted', aborted({ stableRS: 'new' })],
    ['is none of a Deployment', snapshotOf(buildDeployment(), {})],
  ]);
});
