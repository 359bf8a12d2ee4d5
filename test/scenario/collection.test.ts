import { readdirSync } from 'node:fs';
import { join, parse } from 'node:path';
import { describe, expect, it } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { causesWanted } from '../support/scenarios/compare-answer.js';
import { scenarios } from '../support/scenarios/expectation.js';
import { scenarioFolders } from '../support/scenarios/scenario-folders.js';

const all = scenarios();

/** Every resource that a workload's own old pods can block (`surge-deadlock`). */
const resourceClasses = [
  'nvidia.com/gpu',
  'cpu',
  'memory',
  'ephemeral-storage',
  'pods',
  'hostPort',
  'ReadWriteOncePod',
  'csiVolumeLimit',
  'podAntiAffinity',
  'topologySpread',
  'deviceClaim',
];

describe('the collection', () => {
  it('has at least 280 incidents, at most two of them without an expected cause', () => {
    const withCause = all.filter(({ expect: expected }) => causesWanted(expected) !== undefined);

    expect(all.length).toBeGreaterThanOrEqual(280);
    expect(all.length - withCause.length).toBeLessThanOrEqual(2);
  });

  it.each(causes.map(({ id }) => id))('expects %s somewhere', (cause) => {
    const expecting = all.filter(
      ({ expect: expected }) =>
        causesWanted(expected)?.includes(cause) || expected.informational?.includes(cause),
    );

    expect(expecting).not.toEqual([]);
  });

  it.each(resourceClasses)('has a surge deadlock over %s', (resource) => {
    const found = all.filter(
      ({ expect: { cause, detail } }) => cause === 'surge-deadlock' && detail?.resource === resource,
    );

    expect(found).not.toEqual([]);
  });

  it('has three healthy workloads for four problems at least, so that false alarms would show', () => {
    const wanted = all.map(({ expect: expected }) => causesWanted(expected));
    const healthy = wanted.filter((each) => each?.length === 0).length;
    const problems = wanted.filter((each) => each !== undefined && each.length > 0).length;

    expect(healthy / problems).toBeGreaterThan(0.75);
  });

  it('has every file of reviewed facts and of reviewed differences', () => {
    const known = new Set(scenarioFolders().map((path) => path.split('/')[0]));
    const kept = ['facts', 'seen-otherwise'].flatMap((folder) =>
      readdirSync(join(import.meta.dirname, folder)).map((file) => parse(file).name),
    );
    expect(kept.filter((name) => !known.has(name))).toEqual([]);
  });
});
