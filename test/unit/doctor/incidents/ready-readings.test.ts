import { describe, expect, it } from 'vitest';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { type ReadyReadings, withReading } from '#src/doctor/incidents/ready-readings.js';
import { buildDiagnosis } from '../../../support/diagnosis.js';
import { buildChange } from '../../../support/slack-builders.js';

const appliedAt = '2026-11-20T09:31:14Z';
const second = (number: number) => new Date(Date.parse(appliedAt) + number * 1000).toISOString();

/** Ready pods by seconds after the change. */
function readingsOf(
  found: Readonly<Record<number, number>>,
  before: { readonly pods: number; readonly wanted: number } = { pods: 1, wanted: 1 },
): ReadyReadings | undefined {
  const diagnosis = buildDiagnosis({ ready: before });
  let incident: Pick<Incident, 'change' | 'diagnosis'> = { diagnosis, change: buildChange({ appliedAt }) };
  for (const [at, readyPods] of Object.entries(found)) {
    const readings = withReading(incident, { at: second(Number(at)), readyPods });
    incident = { ...incident, change: buildChange({ appliedAt, readings }) };
  }
  return incident.change?.readings;
}

describe('the downtime that readings show', () => {
  it.each<[string, Readonly<Record<number, number>>, number, number]>([
    ['is none where each reading found a ready pod', { 1: 1, 6: 1, 11: 1 }, 0, 0],
    ['has no lower bound where one reading found none', { 1: 1, 6: 0, 11: 1 }, 0, 10],
    ['lasts at least from the first reading without one to the last', { 1: 1, 6: 0, 11: 0, 16: 1 }, 5, 15],
    ['may have begun with the change', { 4: 0, 9: 0, 14: 1 }, 5, 14],
    ['adds up', { 1: 0, 2: 0, 3: 1, 4: 0, 5: 0, 6: 1 }, 2, 6],
  ])('%s', (_, found, atLeast, atMost) => {
    expect(readingsOf(found)).toMatchObject({ atLeastMs: atLeast * 1000, atMostMs: atMost * 1000 });
  });

  it('states how many readings there were, and the longest time between two', () => {
    expect(readingsOf({ 1: 1, 6: 1, 18: 1 })).toMatchObject({ count: 3, longestPauseMs: 12_000 });
  });

  it('is not measured where no pod was ready before the change', () => {
    expect(readingsOf({ 1: 0, 6: 1 }, { pods: 0, wanted: 1 })).toBeUndefined();
  });

  it('ignores a reading older than the last one or than the change', () => {
    const incident = { diagnosis: buildDiagnosis({}), change: buildChange({ appliedAt }) };
    expect(withReading(incident, { at: second(-1), readyPods: 0 })).toBeUndefined();
    const readings = readingsOf({ 6: 1 });
    const later = { ...incident, change: buildChange({ appliedAt, readings }) };
    expect(withReading(later, { at: second(3), readyPods: 0 })).toEqual(readings);
  });
});
