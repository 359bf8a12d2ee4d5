import { expect, it } from 'vitest';
import { safestFirst } from '#src/doctor/findings/diagnose.js';
import { buildPatchStrategy } from '../../../support/records.js';

it('fixes that another pending pod could turn into an outage are ranked last, in the same order', () => {
  const [contested, safe, other] = ['contested', 'safe', 'other'].map((id) => buildPatchStrategy({ id }));
  if (contested === undefined || safe === undefined || other === undefined)
    throw new Error('three are built');
  const competitors = [{ kind: 'Pod', namespace: 'ml', name: 'rival' }];
  const named = { ...contested, prediction: { ...contested.prediction, competitors } };

  expect(safestFirst([named, safe, other]).map(({ id }) => id)).toEqual(['safe', 'other', 'contested']);
});

it.each([
  [3600, ['outage', 'safe']],
  [3601, ['safe', 'outage']],
])(
  'a fix that leaves no pod ready for %d s is ranked behind others when that is more than an hour',
  (seconds, order) => {
    const outage = buildPatchStrategy({ id: 'outage' });
    const long = { ...outage, price: { ...outage.price, downtime: { kind: 'gap' as const, seconds } } };
    const none = buildPatchStrategy({ id: 'safe' });
    const safe = { ...none, price: { ...none.price, downtime: { kind: 'none' as const, seconds: 0 } } };

    expect(safestFirst([long, safe]).map(({ id }) => id)).toEqual(order);
  },
);
