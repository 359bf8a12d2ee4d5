import { describe, expect, it } from 'vitest';
import { rolloutAborted } from '#src/core/diagnosis/causes/rollout-aborted/rule.js';
import { text } from '#src/core/diagnosis/causes/rollout-aborted/text.js';
import { buildArgoReplicaSet, buildArgoRollout } from '#support/argo-rollout-builders.js';
import { ago, buildDeployment, buildPods } from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

function aborted(status: object = {}, spec: object = {}, available = 2) {
  const sets = [
    buildArgoReplicaSet({ hash: 'new', replicas: 0, desired: 2 }),
    buildArgoReplicaSet({ hash: 'stable', replicas: 2, available }),
  ];
  const conditions = [
    { type: 'Progressing', status: 'False', reason: 'RolloutAborted', message: 'it was *bad*' },
  ];
  const workload = buildArgoRollout({
    replicas: 2,
    spec,
    status: { abort: true, abortedAt: ago(120), conditions, ...status },
  });
  const Pod = sets.flatMap((set) => buildPods(set, set.spec.replicas, 0));
  return snapshotOf(workload, { ReplicaSet: sets, Pod });
}

describe('an aborted update of a Rollout', () => {
  it('is a note with the revision that serves and the time, and recommends no retry by itself', () => {
    const finding = mustFind(rolloutAborted, aborted());

    expect(finding).toMatchObject({
      confidence: 'proven',
      severity: 'info',
      facts: { revision: '9', stable: '1', abortedSeconds: 120 },
      withheld: [],
    });
    expect(finding.remediations ?? []).toEqual([]);
    expect(keysOf(finding.reasoning)).toEqual(['aborted', 'no-analysis-failed']);
  });

  it.each([
    ['step', { canary: { currentStepAnalysisRunStatus: { name: 'a', status: 'Failed' } } }],
    ['background', { canary: { currentBackgroundAnalysisRunStatus: { name: 'a', status: 'Error' } } }],
    ['pre-promotion', { blueGreen: { prePromotionAnalysisRunStatus: { name: 'a', status: 'Failed' } } }],
    ['post-promotion', { blueGreen: { postPromotionAnalysisRunStatus: { name: 'a', status: 'Failed' } } }],
  ])('names the analysis that failed: %s', (failedAnalysis, status) => {
    const finding = mustFind(rolloutAborted, aborted(status));

    expect(finding.facts).toMatchObject({ failedAnalysis });
    expect(finding.withheld).toMatchObject([{ kind: 'retry-rollout', because: { key: 'analysis-first' } }]);
  });

  it('has sentences in English and Korean, also without a time', () => {
    for (const snapshot of [
      aborted(),
      aborted({ abortedAt: undefined }),
      aborted({}, { workloadRef: { name: 'x' } }),
    ]) {
      const { en, ko } = renderFinding(mustFind(rolloutAborted, snapshot), text);
      expect(ko).toHaveLength(en.length);
      expect(en.join(' ')).not.toContain('undefined');
    }
  });
});

it('states how many pods of the stable revision are available, as far as it was read', () => {
  const [two, none, unread] = [aborted(), aborted({}, {}, 0), aborted({ stableRS: 'other' })].map(
    (snapshot) => renderFinding(mustFind(rolloutAborted, snapshot), text).en.join(' '),
  );

  expect(two).toContain('2 of 2 pods of revision 1 are available.');
  expect(none).toContain('0 of 2 pods of revision 1 are available.');
  expect(unread).toContain('The controller keeps the stable revision.');
});

describe('no aborted update is reported for', () => {
  it.each([
    ['an update in progress', aborted({ abort: false })],
    ['a revision that is promoted', aborted({ stableRS: 'new' })],
    ['a Deployment', snapshotOf(buildDeployment(), {})],
  ])('%s', (_, snapshot) => {
    expect(foundBy(rolloutAborted, snapshot)).toBeUndefined();
  });
});
