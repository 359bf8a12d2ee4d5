import type { FieldDrift, Verdict } from './field-drift.js';

/** Worst first, as fields with several owners and plans with several fields are judged. */
const order: readonly Verdict['type'][] = [
  'operator-reverts',
  'reverted-at-once',
  'reverted-within',
  'next-upgrade-conflicts',
  'reverted-at-next',
  'unknown',
  'stays',
];

export function worstFirst(fields: readonly FieldDrift[]): readonly FieldDrift[] {
  return [...fields].sort((a, b) => rank(a.verdict) - rank(b.verdict));
}

function rank(verdict: Verdict): number {
  // A change that stays only under a condition comes before one that always stays.
  return order.indexOf(verdict.type) + (verdict.type === 'stays' && verdict.while === undefined ? 1 : 0);
}
