import { describe, expect, it } from 'vitest';
import { predictDrift } from '#src/engine/owners/predict-drift.js';
import { deployment, entry, kustomization, kustomized, planOf, wholeStrategy } from './builders.js';

describe('the interval in which Flux restores a field', () => {
  const managedFields = [entry('kustomize-controller', 'Apply', wholeStrategy)];
  const verdictWith = (interval: string) =>
    predictDrift({
      workload: deployment({ labels: kustomized, managedFields }),
      plan: planOf(),
      owners: kustomization({ interval }),
    })[0]?.verdict;

  it.each([
    ['30s', 30],
    ['10m', 600],
    ['10m0s', 600],
    ['1h30m', 5_400],
    ['1.5h', 5_400],
    ['0.25m', 15],
    ['90000ms', 90],
  ])('%s is %d seconds', (interval, seconds) => {
    expect(verdictWith(interval)).toEqual({ type: 'reverted-within', seconds });
  });

  it.each(['', '10', '10 m', 'm', '1d', '-5m', '5m later', '1.m'])('%j has no known length', (interval) => {
    expect(verdictWith(interval)).toEqual({ type: 'reverted-within' });
  });
});
