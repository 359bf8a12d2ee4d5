import { describe, expect, it } from 'vitest';
import {
  fencepostsOf,
  resolveFenceposts,
  rollingBounds,
  scaledValue,
} from '#src/engine/workloads/fenceposts.js';
import { buildDeployment } from '../../../support/rollout-builders.js';

type Bound = number | string | undefined;

describe('resolveFenceposts', () => {
  it.each<[string, Bound, Bound, number, number, number]>([
    ['the default of one replica surges and allows no unavailable pod', '25%', '25%', 1, 1, 0],
    ['the default of two replicas surges and allows no unavailable pod', '25%', '25%', 2, 1, 0],
    ['the default of three replicas surges and allows no unavailable pod', '25%', '25%', 3, 1, 0],
    ['the default of four replicas is the first that allows an unavailable pod', '25%', '25%', 4, 1, 1],
    ['five replicas round the surge up and the rest down', '25%', '25%', 5, 2, 1],
    ['seven replicas round the surge up and the rest down', '25%', '25%', 7, 2, 1],
    ['eight replicas divide evenly', '25%', '25%', 8, 2, 2],
    ['ten replicas round both', '25%', '25%', 10, 3, 2],
    ['no surge and a quarter of one replica still allow one unavailable pod', 0, '25%', 1, 0, 1],
    ['no surge and a quarter of three replicas still allow one unavailable pod', 0, '25%', 3, 0, 1],
    ['no surge and a quarter of five replicas allow one unavailable pod', 0, '25%', 5, 0, 1],
    ['no surge and a quarter of eight replicas gives two up', 0, '25%', 8, 0, 2],
    ['a tenth of one replica surges by one', '10%', '10%', 1, 1, 0],
    ['a tenth of eight replicas surges by one', '10%', '10%', 8, 1, 0],
    ['a tenth of ten replicas moves both', '10%', '10%', 10, 1, 1],
    ['two replicas, one percent and no surge allow one unavailable pod', '0%', '1%', 2, 0, 1],
    ['two replicas, one percent of surge rounds up to one', '1%', '25%', 2, 1, 0],
    ['absent values are zero, and both zero allow one unavailable pod', undefined, undefined, 4, 0, 1],
    [
      'no replicas resolve to no surge, and one unavailable pod only by the rule of both zero',
      '25%',
      '25%',
      0,
      0,
      1,
    ],
    ['integers are unchanged for any number of replicas', 7, 9, 2, 7, 9],
  ])('%s', (_sentence, surge, unavailable, replicas, maxSurge, maxUnavailable) => {
    expect(resolveFenceposts(surge, unavailable, replicas)).toEqual({
      kind: 'resolved',
      maxSurge,
      maxUnavailable,
    });
  });

  it.each<[string, Bound, Bound, string, string]>([
    ['text without a percent sign is refused, even a whole number', '1', 0, 'maxSurge', '1'],
    ['a fraction of a percent is refused', 0, '12.5%', 'maxUnavailable', '12.5%'],
    ['a fraction of a pod is refused', 0.5, 0, 'maxSurge', '0.5'],
    ['empty text is refused', 0, '', 'maxUnavailable', ''],
    ['words are refused', 'a lot', 1, 'maxSurge', 'a lot'],
    ['an infinite number is refused', 0, Number.POSITIVE_INFINITY, 'maxUnavailable', 'Infinity'],
  ])('%s', (_sentence, surge, unavailable, field, text) => {
    expect(resolveFenceposts(surge, unavailable, 3)).toEqual({ kind: 'invalid', field, text });
  });
});

describe('scaledValue', () => {
  it('rounds a percentage in the given direction', () => {
    expect(scaledValue('25%', 5, 'up')).toEqual({ kind: 'value', value: 2 });
    expect(scaledValue('25%', 5, 'down')).toEqual({ kind: 'value', value: 1 });
  });
});

describe('rollingBounds', () => {
  it('never allows more unavailable pods than replicas', () => {
    expect(rollingBounds(buildDeployment({ replicas: 2, maxUnavailable: 5 }))).toEqual({
      maxSurge: 1,
      maxUnavailable: 2,
      minAvailable: 0,
    });
  });

  it('allows no unavailable pod when no replica is wanted', () => {
    expect(rollingBounds(buildDeployment({ replicas: 0, maxUnavailable: 2 }))).toMatchObject({
      maxUnavailable: 0,
      minAvailable: 0,
    });
  });

  it('has no bounds under Recreate', () => {
    const deployment = buildDeployment({ replicas: 3, recreate: true });
    expect(rollingBounds(deployment)).toEqual({ maxSurge: 0, maxUnavailable: 0, minAvailable: 0 });
    expect(fencepostsOf(deployment)).toEqual({ kind: 'resolved', maxSurge: 0, maxUnavailable: 0 });
  });

  it('counts an invalid value as zero, as the controller does', () => {
    expect(rollingBounds(buildDeployment({ replicas: 3, maxSurge: 'half' }))).toEqual({
      maxSurge: 0,
      maxUnavailable: 0,
      minAvailable: 3,
    });
  });
});
