import { describe, expect, it } from 'vitest';
import { budgetsOn } from '#src/doctor/fixes/considered.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';
import { buildDeployment } from '../../../support/rollout-builders.js';

const pod = (status: object = {}, metadata: object = {}) =>
  schemas.Pod.parse({
    metadata: { name: 'web-1', namespace: 'shop', labels: { app: 'web' }, ...metadata },
    spec: {},
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }], ...status },
  });
const unready = pod({ conditions: [{ type: 'Ready', status: 'False' }] });

interface Budget {
  readonly name?: string;
  readonly namespace?: string;
  readonly app?: string;
  readonly policy?: string;
  readonly status?: object;
}

const budget = ({ name = 'web', namespace = 'shop', app = 'web', policy, status }: Budget = {}) =>
  schemas.PodDisruptionBudget.parse({
    metadata: { name, namespace },
    spec: { selector: { matchLabels: { app } }, unhealthyPodEvictionPolicy: policy },
    status: { disruptionsAllowed: 1, ...status },
  });

const none = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 };
const unseen = (because: 'forbidden' | 'not-served'): Partial<Snapshot> => ({
  unseen: [{ what: 'PodDisruptionBudget', namespace: 'shop', because, message: '' }],
});
const full = budget({ status: none });
const tooFew = { ...none, currentHealthy: 1 };
const noneNeeded = { ...none, currentHealthy: 0, desiredHealthy: 0 };
const unselective = schemas.PodDisruptionBudget.parse({
  metadata: { name: 'x', namespace: 'shop' },
  spec: {},
});
const terminating = pod({}, { deletionTimestamp: '2026-11-20T09:30:00Z' });
const pending = pod({ phase: 'Pending' });

describe('the loss of a pod', () => {
  it.each<[string, ReturnType<typeof pod>, readonly ReturnType<typeof budget>[], string, Partial<Snapshot>?]>(
    [
      ['is allowed without budgets', pod(), [], 'free'],
      ['is allowed by a budget with disruptions left', pod(), [budget()], 'allowed by web'],
      [
        'is allowed by all that select it',
        pod(),
        [budget(), budget({ name: 'web-too' })],
        'allowed by web,web-too',
      ],
      ['is refused by a budget without disruptions left', pod(), [full], 'refused by web'],
      [
        'is refused when one of two budgets has no disruptions left',
        pod(),
        [budget(), budget({ name: 'web-too', status: none })],
        'refused by web-too',
      ],
      [
        'is allowed despite budgets of other namespaces',
        pod(),
        [budget({ namespace: 'ml', status: none })],
        'free',
      ],
      ['is allowed despite budgets for other pods', pod(), [budget({ app: 'db', status: none })], 'free'],
      ['is no matter of a budget without a selector', pod(), [unselective], 'free'],
      ['is allowed while it is pending', pending, [full], 'free'],
      ['is allowed after it failed', pod({ phase: 'Failed' }), [full], 'free'],
      ['is allowed while it is terminating', terminating, [full], 'free'],
      ['is allowed while it is not ready and enough other pods are', unready, [full], 'free'],
      [
        'is refused while it is not ready and too few other pods are',
        unready,
        [budget({ status: tooFew })],
        'refused by web',
      ],
      [
        'is refused while it is not ready and none need be healthy',
        unready,
        [budget({ status: noneNeeded })],
        'refused by web',
      ],
      [
        'is allowed while it is not ready under AlwaysAllow',
        unready,
        [budget({ policy: 'AlwaysAllow', status: tooFew })],
        'free',
      ],
      [
        'is refused while it is ready under AlwaysAllow too',
        pod(),
        [budget({ policy: 'AlwaysAllow', status: none })],
        'refused by web',
      ],
      ['is undetermined when budgets were not read', pod(), [], 'unread', unseen('forbidden')],
      ['is free where the API has no budgets', pod(), [], 'free', unseen('not-served')],
      [
        'is allowed while it is pending, whether budgets were read or not',
        pending,
        [],
        'free',
        unseen('forbidden'),
      ],
    ],
  )('%s', (_, of, PodDisruptionBudget, expected, fields = {}) => {
    const answer = budgetsOn(buildSnapshot(buildDeployment({}), { PodDisruptionBudget }, fields), of);
    const by = answer.type === 'allowed' ? answer.budgets : answer.type === 'refused' ? [answer.budget] : [];
    expect(by.length === 0 ? answer.type : `${answer.type} by ${by}`).toBe(expected);
  });
});
