import type { Statement } from '../../engine/language/statement.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { Verdict } from '../../engine/owners/field-drift.js';
import { worstFirst } from '../../engine/owners/predict-drift.js';
import { namedOwnerOf } from '../../engine/parents/parent-resource.js';
import type { Offer } from './offered-fields.js';
import { planRemediation, type Remediation } from './remediation.js';

/** Adds what becomes of the change: the worst verdict of its fields. A change that has no plan has none. */
export function withDrift(remediation: Remediation, snapshot: Snapshot): Remediation {
  const plan = planRemediation(remediation, snapshot);
  const [drift] = plan.type === 'plan' ? worstFirst(plan.survival ?? []) : [];
  return drift === undefined ? remediation : { ...remediation, survival: drift };
}

/**
 * The fixes that can be made, with what becomes of them, and those that the object above the workload has no
 * field for, or that must be made there and it was not read.
 */
export function throughOwner(remediations: readonly Remediation[], snapshot: Snapshot): Offer<Remediation> {
  if (namedOwnerOf(snapshot.workload) === undefined) {
    return { remediations: remediations.map((each) => withDrift(each, snapshot)), withheld: [] };
  }
  const refusals = remediations.map((each) => ownerRefusalOf(each, snapshot));
  return {
    remediations: remediations
      .filter((_, at) => refusals[at] === undefined)
      .map((each) => withDrift(each, snapshot)),
    withheld: remediations.flatMap(({ kind }, at) => {
      const because = refusals[at];
      return because === undefined ? [] : [{ kind, because }];
    }),
  };
}

/**
 * Why the change cannot be made in the object that people own above the workload; `undefined` where it can,
 * or there is none.
 */
export function ownerRefusalOf(remediation: Remediation, snapshot: Snapshot): Statement | undefined {
  if (namedOwnerOf(snapshot.workload) === undefined) return undefined;
  const plan = planRemediation(remediation, snapshot);
  return plan.type === 'refusal' && plan.reason === 'not-in-owner' ? plan.because : undefined;
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

/**
 * Whether nobody is known who would write the field again: a person's own client, or entries that were
 * merged.
 */
function hasNoKnownOwner(verdict: Verdict): boolean {
  return (
    verdict.type === 'unknown' &&
    (verdict.because === 'other-manager' || verdict.because === 'merged-managers')
  );
}

/** Seconds in which a controller observes a change and acts on it. */
const toActSeconds = 60;

/** Whether an owner reverts the change before it can help. */
function isRevertedTooEarly({ survival, price }: Pick<Remediation, 'survival' | 'price'>): boolean {
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

/** Whether a fix may be put forward before all others. */
export function mayLead(remediation: Pick<Remediation, 'survival' | 'price' | 'afterWaiting'>): boolean {
  return remediation.afterWaiting !== true && !isRevertedTooEarly(remediation);
}

/**
 * The fix to put forward, the other ones that help, best first, and those that an owner reverts before they
 * can help.
 */
export function byRecommendation<Each extends Pick<Remediation, 'survival' | 'price' | 'afterWaiting'>>(
  remediations: readonly Each[],
): { readonly lead: Each | undefined; readonly others: readonly Each[]; readonly reverted: readonly Each[] } {
  const lead = remediations.find(mayLead);
  return {
    lead,
    others: remediations.filter((each) => each !== lead && !isRevertedTooEarly(each)),
    reverted: remediations.filter(isRevertedTooEarly),
  };
}
