import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { progressDeadlineExceeded as rule } from '#src/doctor/causes/progress-deadline-exceeded.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { buildDetected } from '../../../../support/diagnosis.js';
import { node } from '../../../../support/placement-builders.js';
import {
  ago,
  buildDeployment,
  buildPods,
  buildReplicaSet,
  type DeploymentFields,
} from '../../../../support/rollout-builders.js';
import { expectFindings, snapshotOf, step } from '../run-rule.js';

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

interface Late extends DeploymentFields {
  readonly unread?: 'Event' | 'ReplicaSet';
}

/** `shop/web` of two replicas, past its deadline with one new pod that is not ready. */
function late({ unread, ...fields }: Late): Snapshot {
  const annotations = {
    'deployment.kubernetes.io/desired-replicas': '2',
    'deployment.kubernetes.io/max-replicas': '3',
  };
  const old = buildReplicaSet({ revision: 1, replicas: 2, available: 2, annotations });
  const fresh = buildReplicaSet({ revision: 2, replicas: 1, annotations });
  const Pod = [...buildPods(old, 2), ...buildPods(fresh, 0, 1)];
  const owned = unread === 'ReplicaSet' ? {} : { ReplicaSet: [old, fresh], Pod };
  const unseen =
    unread === undefined
      ? []
      : [{ what: unread, namespace: 'shop', because: 'forbidden', message: '' } as const];
  const Node = [node('n-0'), node('n-1')];
  return snapshotOf(buildDeployment({ replicas: 2, status, ...fields }), { ...owned, Node }, { unseen });
}

const unreadSets: Late = { unread: 'ReplicaSet', annotations: { 'deployment.kubernetes.io/revision': '2' } };

/** Notes about the future explain nothing that is stuck now, and neither does a resize of a pod that runs. */
const notes: readonly string[] = [
  'fragile-strategy',
  'probe-configuration',
  'resource-configuration',
  'resize-pending',
  'scaled-to-zero',
];

describe('a rollout past its deadline', () => {
  expectFindings<Late>(rule, late, [
    [
      'is reported with its state and that no known cause explains it, and may be rolled back',
      {},
      {
        confidence: 'possible',
        severity: 'warning',
        standing: { values: { revision: '2', forSeconds: 900, ready: 2, wanted: 2 } },
        steps: [
          step('no-progress', { deadlineSeconds: 600, since: new Date(ago(1500)).toISOString() }),
          step('counts', { updated: 1, available: 2, old: 2, wanted: 2 }),
          step('not-ready', { pods: [{ pod: 'web-2-0', reason: 'Unschedulable', container: undefined }] }),
          step('unexplained', {}),
          step('goes-on', {}),
        ],
        fixes: ['undo-rollout'],
      },
    ],
    ['names the unread kinds, since the cause may be there', { unread: 'Event' }, { doubts: ['unread'] }],
    [
      'keeps its revision by the note on the Deployment where its ReplicaSets could not be read',
      unreadSets,
      { standing: { values: { revision: '2' } } },
    ],
    [
      'is none within its deadline',
      { status: { ...status, conditions: [{ ...condition, status: 'True', reason: 'ReplicaSetUpdated' }] } },
    ],
    ['is none where it completed after all', { status: { ...status, replicas: 2, updatedReplicas: 2 } }],
    ['is none by a condition about an earlier spec', { status: { ...status, observedGeneration: 1 } }],
    ['is none while it is paused', { paused: true }],
    ['is none of a Deployment that is being deleted', { deleted: true }],
  ]);

  it('keeps that revision in the diagnosis', () => {
    expect(diagnose(late(unreadSets), [rule]).revision).toBe('2');
  });

  it('is replaced by every cause that explains it', () => {
    const serious = causes.filter((each) => {
      const other = { ...each, detect: () => buildDetected({ cause: each.id, severity: 'warning' }) };
      const found = diagnose(late({}), [rule, other]).findings.map(({ cause }) => cause);
      return each.appliesTo.includes('Deployment') && each.id !== rule.id && found.includes(rule.id);
    });

    expect(serious.map(({ id }) => id).filter((id) => !notes.includes(id))).toEqual([]);
  });
});
