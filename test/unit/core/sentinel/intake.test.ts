import { describe, expect, it } from 'vitest';
import type { Candidate } from '../../../../src/core/sentinel/candidate.js';
import { createIntake } from '../../../../src/core/sentinel/intake.js';

const candidate = (name: string, says = 'Insufficient cpu', since?: string): Candidate => ({
  owner: { kind: 'ReplicaSet', namespace: 'shop', name },
  key: name,
  reason: 'FailedScheduling',
  since,
  says,
});
const minute = 60_000;
const namesOf = (taken: readonly { readonly candidate: Candidate; readonly changed: boolean }[]) =>
  taken.map(({ candidate: { key }, changed }) => `${key}${changed ? ' changed' : ''}`);

describe('the intake', () => {
  it('takes each revision once, however often it is told of', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    for (const name of ['a', 'b', 'a', 'a']) intake.see(candidate(name), 0);
    expect(namesOf(intake.take(10))).toEqual(['a', 'b']);
    intake.see(candidate('a'), 60 * minute);
    expect(intake.take(10)).toEqual([]);
  });

  it('takes it again when something else is said of it, at most every five minutes', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    intake.see(candidate('a'), 0);
    intake.take(10);
    intake.see(candidate('a', 'untolerated taint'), 4 * minute);
    expect(intake.waiting).toBe(0);
    intake.see(candidate('a', 'untolerated taint'), 5 * minute);
    expect(namesOf(intake.take(10))).toEqual(['a changed']);
  });

  it('takes it again when another pod of it is refused later, and not for one that was refused before', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    const at = (since: string) => candidate('a', 'Insufficient cpu', since);
    intake.see(at('2026-11-20T09:00:00Z'), 0);
    intake.take(10);
    intake.see(at('2026-11-20T08:59:00Z'), 6 * minute);
    intake.see(at('2026-11-20T09:00:00Z'), 6 * minute);
    expect(intake.waiting).toBe(0);
    intake.see(at('2026-11-20T09:30:00Z'), 30 * minute);
    expect(namesOf(intake.take(10))).toEqual(['a changed']);
  });

  it('is not kept busy by two pods of which two things are said in turn', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    let taken = 0;
    for (let at = 0; at < 10; at += 1) {
      for (const says of ['one', 'other']) intake.see(candidate('a', says), at * 10 * minute);
      taken += intake.take(10).length;
    }
    expect(taken).toBe(2);
  });

  it('gives what could not be queued once more', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    intake.see(candidate('a'), 0);
    intake.putBack(intake.take(1));
    expect(namesOf(intake.take(10))).toEqual(['a']);
  });

  it('stays within its limits, counts what it drops, and takes that when it is told again', () => {
    const intake = createIntake({ known: 3, waiting: 2 });
    for (const name of ['a', 'b', 'c', 'd']) intake.see(candidate(name), 0);
    expect([intake.waiting, intake.dropped, intake.known]).toEqual([2, 2, 2]);
    expect(namesOf(intake.take(10))).toEqual(['a', 'b']);
    for (const name of ['c', 'd', 'a']) intake.see(candidate(name), 0);
    expect(namesOf(intake.take(10))).toEqual(['c', 'd']);
    intake.see(candidate('a'), 0);
    expect(namesOf(intake.take(10))).toEqual(['a']);
    expect([intake.dropped, intake.known]).toEqual([3, 3]);
  });
});
