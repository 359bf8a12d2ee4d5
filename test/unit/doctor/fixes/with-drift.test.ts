import { describe, expect, it } from 'vitest';
import { downtimeAfterWaiting } from '#src/doctor/findings/diagnose.js';
import { canonicalPlan, type Plan } from '#src/doctor/fixes/plan.js';
import { byRecommendation, lastingFirst } from '#src/doctor/fixes/with-drift.js';
import type { FieldDrift, Verdict } from '#src/engine/owners/field-drift.js';
import { buildApproval, buildRemediation } from '../../../support/slack-builders.js';

function survival(verdict: Verdict): FieldDrift {
  return { path: 'spec.paused', verdict, restsOn: [] };
}

const verdicts: readonly Verdict[] = [
  { type: 'operator-reverts' },
  { type: 'reverted-at-once' },
  { type: 'reverted-within', seconds: 30 },
  { type: 'reverted-within', seconds: 600 },
  { type: 'unknown', because: 'operator' },
  { type: 'next-upgrade-conflicts', event: 'upgrade' },
  { type: 'reverted-at-next', event: 'sync' },
  { type: 'stays' },
];
const fixes = verdicts.map((verdict, at) =>
  buildRemediation({ id: `patch-strategy-${at}`, survival: survival(verdict) }),
);

function ids(remediations: readonly { readonly id: string }[]): readonly string[] {
  return remediations.map(({ id }) => id.replace('patch-strategy-', ''));
}

describe('the fixes of a finding', () => {
  it('are ordered by how long they last', () => {
    expect(ids(lastingFirst(fixes))).toEqual(['7', '6', '5', '4', '2', '3', '1', '0']);
  });

  it.each(['other-manager', 'merged-managers'] as const)(
    'keep their order where nobody is known who would revert them (%s)',
    (because) => {
      const [patch, scale] = [{ type: 'unknown', because } as const, { type: 'stays' } as const].map(
        (verdict, at) => buildRemediation({ id: `patch-strategy-${at}`, survival: survival(verdict) }),
      );
      if (patch === undefined || scale === undefined) throw new Error('two fixes are compared');

      expect(ids(lastingFirst([patch, scale]))).toEqual(['0', '1']);
    },
  );

  it('are not recommended where an owner reverts them before they can help', () => {
    const { lead, others, reverted } = byRecommendation(fixes);

    expect(ids([lead].flatMap((each) => each ?? []))).toEqual(['3']);
    expect(ids(others)).toEqual(['4', '5', '6', '7']);
    expect(ids(reverted)).toEqual(['0', '1', '2']);
  });

  it('leave no pod ready only behind those that do not, and never first, while waiting may end the incident', () => {
    const gap = { downtime: { kind: 'gap' }, drift: 'none', blastRadius: { pods: 1, others: [] } } as const;
    const none = { ...gap, downtime: { kind: 'none' } } as const;
    const [patch, other] = [gap, none].map((price, at) => buildRemediation({ id: `fix-${at}`, price }));
    if (patch === undefined || other === undefined) throw new Error('two fixes are compared');

    const both = byRecommendation(downtimeAfterWaiting([patch, other]));
    expect([both.lead?.id, both.others.map(({ id }) => id)]).toEqual(['fix-1', ['fix-0']]);
    const one = byRecommendation(downtimeAfterWaiting([patch]));
    expect([one.lead, one.others.map(({ id }) => id)]).toEqual([undefined, ['fix-0']]);
  });
});

describe('the text of a plan that is digested', () => {
  const { plan } = buildApproval();
  const withVerdict = (verdict: Verdict): Plan => ({ ...plan, survival: [survival(verdict)] });

  it('differs after another verdict', () => {
    expect(canonicalPlan(withVerdict({ type: 'stays' }))).not.toBe(
      canonicalPlan(withVerdict({ type: 'reverted-at-once' })),
    );
  });

  it('is the same by other evidence', () => {
    const restsOn: FieldDrift['restsOn'] = [{ type: 'last-applied' }];

    expect(canonicalPlan({ ...plan, survival: [{ ...survival({ type: 'stays' }), restsOn }] })).toBe(
      canonicalPlan(withVerdict({ type: 'stays' })),
    );
  });
});
