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

/** argo-rollouts issue 4898: ten replicas, of which the weight of the first step leaves nine to the stable set. */
function unfinished(
  canary: object,
  {
    status = {},
    sizes = [5, 9],
    available = sizes,
  }: {
    readonly status?: object;
    /** Of the canary and of the stable ReplicaSet. */
    readonly sizes?: readonly [number, number];
    readonly available?: readonly [number, number];
  } = {},
): Snapshot {
  const sets = (['new', 'stable'] as const).map((hash, at) =>
    buildArgoReplicaSet({ hash, replicas: sizes[at] ?? 0, available: available[at] ?? 0, desired: 10 }),
  );
  const weights = {
    canary: { weight: 10, podTemplateHash: 'new' },
    stable: { weight: 90, podTemplateHash: 'stable' },
  };
  return snapshotOf(
    buildArgoRollout({
      replicas: 10,
      canary: {
        ...{ canaryService: 'canary', stableService: 'main', trafficRouting: { nginx: {} } },
        ...{ dynamicStableScale: true, steps: [{ setWeight: 10 }, { setWeight: 50 }], ...canary },
      },
      status: { abort: true, abortedAt: ago(120), canary: { weights }, ...status },
    }),
    { ReplicaSet: sets, Pod: sets.flatMap((set) => buildPods(set, set.status.availableReplicas, 0)) },
  );
}
const complete: Row<Snapshot>[2] = { severity: 'info', facts: { canaryWeight: undefined } };

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
    [
      'keeps traffic where the delayed canary and the stable pods wait for each other',
      unfinished({ abortScaleDownDelaySeconds: 30 }),
      {
        severity: 'warning',
        facts: { canaryWeight: 10 },
        reasoning: ['aborted', 'no-analysis-failed', 'unfinished', 'versions-unfinished'],
        advice: ['advice-unfinished-title', 'advice-retry-title'],
      },
    ],
    ['continues where no delay is set', unfinished({}), complete],
    [
      'may still continue shortly after the abort',
      unfinished({ abortScaleDownDelaySeconds: 30 }, { status: { abortedAt: ago(119) } }),
      complete,
    ],
    [
      'continues once a stable pod is available',
      unfinished({ abortScaleDownDelaySeconds: 30 }, { available: [5, 8] }),
      complete,
    ],
    [
      'continues where the weight is due to fall',
      unfinished({ abortScaleDownDelaySeconds: 30 }, { sizes: [1, 9] }),
      complete,
    ],
    ['is none while it is in progress', aborted({ abort: false })],
    ['is none where the revision is promoted', aborted({ stableRS: 'new' })],
    ['is none of a Deployment', snapshotOf(buildDeployment(), {})],
  ]);
});
