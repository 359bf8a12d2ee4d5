import { describe, expect, it } from 'vitest';
import type { Candidate } from '#src/doctor/sentinel/candidate.js';
import { createIntake } from '#src/doctor/sentinel/intake.js';

const candidate = (name: string, refusalText = 'Insufficient cpu', since?: string): Candidate => ({
  owner: { kind: 'ReplicaSet', namespace: 'shop', name },
  key: name,
  reason: 'FailedScheduling',
  since,
  says: refusalText,
});
const minute = 60_000;
const namesOf = (taken: readonly { readonly candidate: Candidate; readonly changed: boolean }[]) =>
  taken.map(({ candidate: { key }, changed }) => `${key}${changed ? ' changed' : ''}`);

describe('the candidate intake', () => {
  it('accepts each revision once, however often it is reported', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    for (const name of ['a', 'b', 'a', 'a']) intake.see(candidate(name), 0);
    expect(namesOf(intake.take(10, 0))).toEqual(['a', 'b']);
    intake.see(candidate('a'), 60 * minute);
    expect(intake.take(10, 90 * minute)).toEqual([]);
  });

  it('accepts it again with another reason, at most once a minute', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    intake.see(candidate('a'), 0);
    intake.take(10, 0);
    intake.see(candidate('a', 'untolerated taint'), 0.4 * minute);
    intake.see(candidate('a', 'untolerated taint'), 0.5 * minute);
    expect(intake.take(10, 0.9 * minute)).toEqual([]);
    expect(namesOf(intake.take(10, minute))).toEqual(['a changed']);
    expect(intake.waiting).toBe(0);
  });

  it('accepts it again after a later refusal of another pod, and not after an earlier refusal', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    const at = (since: string) => candidate('a', 'Insufficient cpu', since);
    intake.see(at('2026-11-20T09:00:00Z'), 0);
    intake.take(10, 0);
    intake.see(at('2026-11-20T08:59:00Z'), 6 * minute);
    intake.see(at('2026-11-20T09:00:00Z'), 6 * minute);
    expect(intake.waiting).toBe(0);
    intake.see(at('2026-11-20T09:30:00Z'), 30 * minute);
    expect(namesOf(intake.take(10, 30 * minute))).toEqual(['a changed']);
  });

  it('is not kept busy by two pods with alternating reasons', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    let taken = 0;
    for (let at = 0; at < 10; at += 1) {
      for (const [number, refusalText] of ['one', 'other'].entries()) {
        const now = (at * 10 + number * 5) * minute;
        intake.see(candidate('a', refusalText), now);
        taken += intake.take(10, now).length;
      }
    }
    expect(taken).toBe(2);
  });

  it('offers a candidate again that could not be queued', () => {
    const intake = createIntake({ known: 10, waiting: 10 });
    intake.see(candidate('a'), 0);
    intake.putBack(intake.take(1, 0));
    expect(namesOf(intake.take(10, 0))).toEqual(['a']);
  });

  it('stays within its limits, counts dropped candidates, and accepts them when they are reported again', () => {
    const intake = createIntake({ known: 3, waiting: 2 });
    for (const name of ['a', 'b', 'c', 'd']) intake.see(candidate(name), 0);
    expect([intake.waiting, intake.dropped, intake.known]).toEqual([2, 2, 2]);
    expect(namesOf(intake.take(10, 0))).toEqual(['a', 'b']);
    for (const name of ['c', 'd', 'a']) intake.see(candidate(name), 0);
    expect(namesOf(intake.take(10, 0))).toEqual(['c', 'd']);
    intake.see(candidate('a'), 0);
    expect(namesOf(intake.take(10, 0))).toEqual(['a']);
    expect([intake.dropped, intake.known]).toEqual([3, 3]);
  });
});
