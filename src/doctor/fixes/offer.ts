import type { Statement } from '../../engine/language/statement.js';
import type { OfferedRemediation } from './offered-fields.js';

/**
 * What a kind has to say for a finding: remediations to offer, best first, or why it must not be used here.
 */
export interface Offer<Remediation extends OfferedRemediation> {
  readonly remediations: readonly Remediation[];
  readonly withheld: readonly { readonly kind: Remediation['kind']; readonly because: Statement }[];
}

export function offered<Remediation extends OfferedRemediation>(
  remediation: Remediation,
): Offer<Remediation> {
  return { remediations: [remediation], withheld: [] };
}

/** Neither an offer nor a reason that is worth a line. */
export const nothingOffered = { remediations: [], withheld: [] } as const;

export function notRecommended<Remediation extends OfferedRemediation>(
  kind: Remediation['kind'],
  because: Statement,
): Offer<Remediation> {
  return { remediations: [], withheld: [{ kind, because }] };
}
