import type { Snapshot } from '../cluster/snapshot.js';
import type { FieldSurvival, Verdict } from '../survival/field-survival.js';
import { worstFirst } from '../survival/worst-verdict.js';
import { planRemediation } from './plan-remediation.js';
import type { Remediation } from './remediation.js';

/** Adds what becomes of the change: the worst verdict of its fields. A change that has no plan has none. */
export function withSurvival(remediation: Remediation, snapshot: Snapshot): Remediation {
  const plan = planRemediation(remediation, snapshot);
  const [survival] = plan.type === 'plan' ? worstFirst(plan.survival ?? []) : [];
  return survival === undefined ? remediation : { ...remediation, survival };
}

const order: readonly Verdict['type'][] = [
  'stays',
  'reverted-at-next',
  'next-upgrade-conflicts',
  'unknown',
  'reverted-within',
  'reverted-at-once',
  'operator-reverts',
];

/** The same remediations, those that stay first; the order is kept otherwise. */
export function lastingFirst(remediations: readonly Remediation[]): readonly Remediation[] {
  const rank = ({ survival }: Remediation): number =>
    survival === undefined || hasNoKnownOwner(survival.verdict) ? 0 : order.indexOf(survival.verdict.type);
  return [...remediations].sort((a, b) => rank(a) - rank(b));
}

/** Whether nobody is known who would write the field again: a person's own client, or entries that were merged. */
function hasNoKnownOwner(verdict: Verdict): boolean {
  return (
    verdict.type === 'unknown' &&
    (verdict.because === 'other-manager' || verdict.because === 'merged-managers')
  );
}

/** Seconds in which a controller observes a change and acts on it. */
const toActSeconds = 60;

/** Whether an owner reverts the change before it can help. */
export function isRevertedTooEarly({ survival, price }: Pick<Remediation, 'survival' | 'price'>): boolean {
  switch (survival?.verdict.type) {
    case 'reverted-at-once':
    case 'operator-reverts':
      return true;
    case 'reverted-within': {
      const { seconds } = survival.verdict;
      return seconds !== undefined && seconds < toActSeconds + (price.downtime.seconds ?? 0);
    }
    default:
      return false;
  }
}

/** Fixes to put forward, best first, and those that an owner reverts before they can help. */
export function byRecommendation<Each extends Pick<Remediation, 'survival' | 'price'>>(
  remediations: readonly Each[],
): {
  readonly recommended: readonly Each[];
  readonly reverted: readonly (Each & { readonly survival?: FieldSurvival | undefined })[];
} {
  return {
    recommended: remediations.filter((each) => !isRevertedTooEarly(each)),
    reverted: remediations.filter(isRevertedTooEarly),
  };
}
