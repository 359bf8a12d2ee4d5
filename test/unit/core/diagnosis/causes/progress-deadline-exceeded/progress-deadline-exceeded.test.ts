import { describe, expect, it } from 'vitest';
import { causes } from '#src/core/diagnosis/causes/causes.js';
import { progressDeadlineExceeded } from '#src/core/diagnosis/causes/progress-deadline-exceeded/rule.js';
import { text } from '#src/core/diagnosis/causes/progress-deadline-exceeded/text.js';
import { diagnose } from '#src/core/diagnosis/diagnose.js';
import { buildDetected } from '#support/diagnosis.js';
import { node } from '#support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPods,
  buildReplicaSet,
  type DeploymentFields,
} from '#support/rollout-builders.js';
import { foundBy, keysOf, mustFind, renderFinding, snapshotOf } from '../run-rule.js';

const condition = {
  type: 'Progressing',
  status: 'False',
  reason: 'ProgressDeadlineExceeded',
  message: 'ReplicaSet "web-2" has timed out progressing.',
  lastUpdateTime: ago(900),
};
const status = {
  replicas: 3,
  updatedReplicas: 1,
  readyReplicas: 2,
  availableReplicas: 2,
  conditions: [condition],
};

/** `shop/web` of two replicas, past its deadline with one new pod that is not ready. */
function late(fields: DeploymentFields = {}, unseen: Parameters<typeof snapshotOf>[2] = {}) {
  const workload = buildDeployment({ replicas: 2, status, ...fields });
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': '2',
    'deployment.kubernetes.io/max-replicas': '3',
  };
  const old = buildReplicaSet({ revision: 1, replicas: 2, available: 2, annotations });
  const fresh = buildReplicaSet({ revision: 2, replicas: 1, annotations });
  const Pod = [...buildPods(old, 2), ...buildPods(fresh, 0, 1)];
  return snapshotOf(workload, { ReplicaSet: [old, fresh], Pod, Node: [node('n-0'), node('n-1')] }, unseen);
}

describe('a rollout past its deadline', () => {
  it('is reported with its state and that no known cause explains it', () => {
    const finding = mustFind(progressDeadlineExceeded, late());

    expect(finding).toMatchObject({
      confidence: 'possible',
      severity: 'warning',
      standing: { values: { revision: '2', forSeconds: 900, ready: 2, wanted: 2 } },
    });
    expect(finding.reasoning.map(({ key, values }) => [key, values])).toEqual([
      ['no-progress', { deadlineSeconds: 600, since: new Date(ago(1500)).toISOString() }],
      ['counts', { updated: 1, available: 2, old: 2, wanted: 2 }],
      ['not-ready', { pods: [{ pod: 'web-2-0', reason: 'Unschedulable', container: undefined }] }],
      ['unexplained', {}],
      ['goes-on', {}],
    ]);
  });

  it('may be rolled back to the serving revision', () => {
    expect(mustFind(progressDeadlineExceeded, late()).remediations.map(({ kind }) => kind)).toEqual([
      'undo-rollout',
    ]);
  });

  it('is described in both languages', () => {
    const { en, ko } = renderFinding(mustFind(progressDeadlineExceeded, late()), text);

    expect(en).toContain('The rollout of shop/web is past its progress deadline, and no cause was found');
    expect(ko).toHaveLength(en.length);
  });

  it('names the unread kinds, since the cause may be there', () => {
    const unseen = [{ what: 'Event', namespace: 'shop', because: 'forbidden', message: '' }] as const;
    const finding = mustFind(progressDeadlineExceeded, late({}, { unseen }));

    expect(keysOf(finding.weakenedBy)).toEqual(['unread']);
    expect(renderFinding(finding, text).en.join(' ')).not.toContain('no cause was found');
  });

  it('keeps its revision by the note on the Deployment when its ReplicaSets could not be read', () => {
    const annotations = { 'deployment.kubernetes.io/revision': '2' };
    const workload = buildDeployment({ replicas: 2, status, annotations });
    const unseen = [{ what: 'ReplicaSet', namespace: 'shop', because: 'timeout', message: '' }] as const;
    const snapshot = snapshotOf(workload, { Node: [node('n-0')] }, { unseen });

    expect(mustFind(progressDeadlineExceeded, snapshot).standing).toMatchObject({
      values: { revision: '2' },
    });
    expect(diagnose(snapshot, [progressDeadlineExceeded]).revision).toBe('2');
  });

  it('is replaced by every cause that explains it', () => {
    const ofDeployments = causes.filter(({ appliesTo }) => appliesTo.includes('Deployment'));
    const serious = ofDeployments.filter((rule) => {
      const other = { ...rule, detect: () => buildDetected({ cause: rule.id, severity: 'warning' }) };
      const found = diagnose(late(), [progressDeadlineExceeded, other]).findings.map(({ cause }) => cause);
      return rule.id !== 'progress-deadline-exceeded' && found.includes('progress-deadline-exceeded');
    });

    expect(serious.map(({ id }) => id).filter((id) => !notes.includes(id))).toEqual([]);
  });
});

/** Notes about the future explain nothing that is stuck now, and neither does a resize of a pod that runs. */
const notes: readonly string[] = [
  'fragile-strategy',
  'probe-configuration',
  'resource-configuration',
  'resize-pending',
];

describe('no exceeded deadline is reported for', () => {
  it.each<[string, DeploymentFields]>([
    [
      'a rollout within its deadline',
      { status: { ...status, conditions: [{ ...condition, status: 'True', reason: 'ReplicaSetUpdated' }] } },
    ],
    ['a rollout that completed after all', { status: { ...status, replicas: 2, updatedReplicas: 2 } }],
    ['a condition about an earlier spec', { status: { ...status, observedGeneration: 1 } }],
    ['a paused rollout', { paused: true }],
    ['a Deployment that is being deleted', { deleted: true }],
  ])('%s', (_, fields) => {
    expect(foundBy(progressDeadlineExceeded, late(fields))).toBeUndefined();
  });
});
