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
