import { describe, expect, it } from 'vitest';
import type { Approval, Decision } from '#src/doctor/incidents/approval.js';
import { nextDryRunAsk } from '#src/doctor/incidents/approval.js';
import { decided, isExpired, missingApprovers, movedTo } from '#src/doctor/incidents/approval-transitions.js';
import { buildApproval, buildDryRun } from '../../../support/records.js';

const expiresAt = '2026-11-20T09:45:00.000Z';
const intime = Date.parse(expiresAt) - 1;
const rules = { notRequester: false, now: intime };

function decision(by: string, fields: Partial<Decision> = {}): Decision {
  return { by, at: '2026-11-20T09:31:00.000Z', decision: 'approve', reason: '', ...fields };
}

const open = (fields: Partial<Approval> = {}) =>
  buildApproval({ initiators: ['U0DANA'], expiresAt, ...fields });

describe('a dry run', () => {
  const because = { catalogue: 'notices', key: 'failed-inside', values: {} };
  const digest = open().digest;

  it.each([
    ['missing', undefined],
    ['refused', { type: 'refused', ask: 1, at: '', digest, because }],
    ['unanswered', { type: 'unknown', ask: 1, at: '', digest, because }],
    ['accepted for another plan', buildDryRun({ digest: 'e'.repeat(64) })],
  ] as const)('that is %s allows nobody to approve, and anybody to reject', (_, dryRun) => {
    const before = open({ dryRun });

    expect(decided(before, decision('U0ERIN'), rules)).toEqual({ type: 'uncounted', because: 'dry-run' });
    expect(decided(before, decision('U0ERIN', { decision: 'reject' }), rules)).toMatchObject({
      state: 'rejected',
    });
  });

  it('is requested under the number after the last answer', () => {
    expect(nextDryRunAsk(open({ dryRun: undefined }))).toBe(1);
    expect(nextDryRunAsk(open({ dryRun: buildDryRun({ ask: 4 }) }))).toBe(5);
  });
});

describe('a decision', () => {
  it.each<[string, Partial<Approval>, Decision, string, number]>([
    ['of one person approves a change that one must approve', {}, decision('U0ERIN'), 'approved', 1],
    ['of one person keeps a change open that two must approve', { needs: 2 }, decision('U0ERIN'), 'open', 1],
    [
      'of the second person approves a change that two must approve',
      { needs: 2, decisions: [decision('U0ERIN')] },
      decision('U0FINN'),
      'approved',
      2,
    ],
    [
      'of the second person keeps a change open that three must approve',
      { needs: 3, decisions: [decision('U0ERIN')] },
      decision('U0FINN'),
      'open',
      2,
    ],
    ['to reject closes it at once', { needs: 2 }, decision('U0ERIN', { decision: 'reject' }), 'rejected', 1],
    [
      'to reject closes it after approvals too, also by one who approved',
      { needs: 2, decisions: [decision('U0ERIN')] },
      decision('U0ERIN', { decision: 'reject' }),
      'rejected',
      2,
    ],
    ['of the requester counts where four eyes are not required', {}, decision('U0DANA'), 'approved', 1],
    [
      'of one person counts where the requester is unknown',
      { initiators: [] },
      decision('U0ERIN'),
      'approved',
      1,
    ],
  ])('%s', (_, fields, by, state, decisions) => {
    const before = open(fields);
    const after = decided(before, by, rules);

    expect(after).toEqual({
      ...before,
      version: before.version + 1,
      state,
      decisions: [...before.decisions, by],
    });
    expect(after).toHaveProperty('decisions.length', decisions);
  });

  it.each<[string, Partial<Approval>, Decision, Partial<typeof rules>, object]>([
    [
      'of the requester does not count under four eyes',
      {},
      decision('U0DANA'),
      { notRequester: true },
      { because: 'own-request' },
    ],
    [
      'of the same person twice counts once',
      { needs: 2, decisions: [decision('U0ERIN')] },
      decision('U0ERIN'),
      {},
      { because: 'same-person' },
    ],
    [
      'at the moment of expiry is too late',
      {},
      decision('U0ERIN'),
      { now: intime + 1 },
      { because: 'expired' },
    ],
    [
      'to reject is too late after that too',
      {},
      decision('U0ERIN', { decision: 'reject' }),
      { now: intime + 1 },
      { because: 'expired' },
    ],
    [
      'after another one names who decided first, though it has expired since',
      { state: 'approved', decisions: [decision('U0ERIN'), decision('U0FINN', { at: 'later' })] },
      decision('U0GUS'),
      { now: intime + 1 },
      { because: 'already', state: 'approved', by: 'U0FINN', at: 'later' },
    ],
    [
      'on an undecided, superseded approval names nobody',
      { state: 'superseded' },
      decision('U0GUS'),
      {},
      { because: 'already', state: 'superseded', by: undefined, at: undefined },
    ],
  ])('%s', (_, fields, by, given, expected) => {
    expect(decided(open(fields), by, { ...rules, ...given })).toEqual({ type: 'uncounted', ...expected });
  });

  it('to reject is allowed for the requester under four eyes', () => {
    const rejected = decided(open(), decision('U0DANA', { decision: 'reject' }), {
      ...rules,
      notRequester: true,
    });
    expect(rejected).toMatchObject({ state: 'rejected' });
  });
});

describe('an approval', () => {
  it.each<[Approval['state'], number, boolean]>([
    ['open', intime, false],
    ['open', intime + 1, true],
    ['open', intime + 2, true],
    ['approved', intime + 1, false],
    ['done', intime + 1, false],
  ])('that is %s has expired at %d: %s', (state, now, expired) => {
    expect(isExpired(open({ state }), now)).toBe(expired);
  });

  it('increments its version and keeps the other fields', () => {
    expect(movedTo(open({ version: 4 }), 'running')).toEqual(open({ version: 5, state: 'running' }));
  });

  it.each<[string, Partial<Approval>, number]>([
    ['one', {}, 1],
    ['three of three', { needs: 3 }, 3],
    ['one of two', { needs: 2, decisions: [decision('U0ERIN')] }, 1],
    [
      'one of two, when a person approves twice',
      { needs: 2, decisions: [decision('U0ERIN'), decision('U0ERIN')] },
      1,
    ],
    ['no approver', { needs: 2, decisions: [decision('U0ERIN'), decision('U0FINN')] }, 0],
    [
      'no approver when more than needed approved',
      { decisions: [decision('U0ERIN'), decision('U0FINN')] },
      0,
    ],
    ['one, since a rejection is no approval', { decisions: [decision('U0ERIN', { decision: 'reject' })] }, 1],
  ])('lacks %s', (_, fields, missing) => {
    expect(missingApprovers(open(fields))).toBe(missing);
  });
});
