import { describe, expect, it } from 'vitest';
import { schemas } from '#src/core/cluster/cluster-objects.js';
import type { Snapshot } from '#src/core/cluster/snapshot.js';
import { budgetsOn } from '#src/core/remediation/disruption-budgets.js';
import { buildSnapshot } from '#support/remediation-builders.js';
import { buildDeployment } from '#support/rollout-builders.js';

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

const findRefusal = (
  of: ReturnType<typeof pod>,
  budgets: readonly ReturnType<typeof budget>[],
  fields: Partial<Snapshot> = {},
) => budgetsOn(buildSnapshot(buildDeployment({}), { PodDisruptionBudget: budgets }, fields), of);

const none = { disruptionsAllowed: 0, currentHealthy: 2, desiredHealthy: 2 };
const unseen = (because: 'forbidden' | 'not-served'): Partial<Snapshot> => ({
  unseen: [{ what: 'PodDisruptionBudget', namespace: 'shop', because, message: '' }],
});

describe('the loss of a pod', () => {
  it.each<[string, ReturnType<typeof findRefusal>, object]>([
    ['is allowed without budgets', findRefusal(pod(), []), { type: 'free' }],
    [
      'is allowed by a budget with disruptions left',
      findRefusal(pod(), [budget()]),
      { type: 'allowed', budgets: ['web'] },
    ],
    [
      'is allowed by all that select it',
      findRefusal(pod(), [budget(), budget({ name: 'web-too' })]),
      { type: 'allowed', budgets: ['web', 'web-too'] },
    ],
    [
      'is refused by a budget without disruptions left',
      findRefusal(pod(), [budget({ status: none })]),
      { type: 'refused', budget: 'web' },
    ],
    [
      'is refused when one of two budgets has no disruptions left',
      findRefusal(pod(), [budget(), budget({ name: 'web-too', status: none })]),
      { type: 'refused', budget: 'web-too' },
    ],
    [
      'is allowed despite budgets of other namespaces',
      findRefusal(pod(), [budget({ namespace: 'ml', status: none })]),
      { type: 'free' },
    ],
    [
      'is allowed despite budgets for other pods',
      findRefusal(pod(), [budget({ app: 'db', status: none })]),
      { type: 'free' },
    ],
    [
      'is no matter of a budget without a selector',
      findRefusal(pod(), [
        schemas.PodDisruptionBudget.parse({ metadata: { name: 'x', namespace: 'shop' }, spec: {} }),
      ]),
      { type: 'free' },
    ],
    [
      'is allowed while it is pending',
      findRefusal(pod({ phase: 'Pending' }), [budget({ status: none })]),
      { type: 'free' },
    ],
    [
      'is allowed after it failed',
      findRefusal(pod({ phase: 'Failed' }), [budget({ status: none })]),
      { type: 'free' },
    ],
    [
      'is allowed while it is terminating',
      findRefusal(pod({}, { deletionTimestamp: '2026-11-20T09:30:00Z' }), [budget({ status: none })]),
      { type: 'free' },
    ],
    [
      'is allowed while it is not ready and enough other pods are',
      findRefusal(unready, [budget({ status: none })]),
      { type: 'free' },
    ],
    [
      'is refused while it is not ready and too few other pods are',
      findRefusal(unready, [budget({ status: { ...none, currentHealthy: 1 } })]),
      { type: 'refused', budget: 'web' },
    ],
    [
      'is refused while it is not ready and none need be healthy',
      findRefusal(unready, [budget({ status: { ...none, currentHealthy: 0, desiredHealthy: 0 } })]),
      { type: 'refused', budget: 'web' },
    ],
    [
      'is allowed while it is not ready under AlwaysAllow',
      findRefusal(unready, [budget({ policy: 'AlwaysAllow', status: { ...none, currentHealthy: 1 } })]),
      { type: 'free' },
    ],
    [
      'is refused while it is ready under AlwaysAllow too',
      findRefusal(pod(), [budget({ policy: 'AlwaysAllow', status: none })]),
      { type: 'refused', budget: 'web' },
    ],
    [
      'is undetermined when budgets were not read',
      findRefusal(pod(), [], unseen('forbidden')),
      { type: 'unread' },
    ],
    ['is free where the API has no budgets', findRefusal(pod(), [], unseen('not-served')), { type: 'free' }],
    [
      'is allowed while it is pending, whether budgets were read or not',
      findRefusal(pod({ phase: 'Pending' }), [], unseen('forbidden')),
      { type: 'free' },
    ],
  ])('%s', (_, answer, expected) => {
    expect(answer).toEqual(expected);
  });
});
