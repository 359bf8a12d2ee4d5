import type { Statement } from '../language/statement.js';
import type { RemediationKind, RemediationOf, Withheld } from './remediation.js';

/** What a kind has to say for a finding: remediations to offer, best first, or why it must not be used here. */
export interface Offer<Kind extends RemediationKind> {
  readonly remediations: readonly RemediationOf<Kind>[];
  readonly withheld: readonly Withheld[];
}

export function offered<Kind extends RemediationKind>(remediation: RemediationOf<Kind>): Offer<Kind> {
  return { remediations: [remediation], withheld: [] };
}

/** Neither an offer nor a reason that is worth a line. */
export const nothingOffered = { remediations: [], withheld: [] } as const;

export function withheld<Kind extends RemediationKind>(kind: Kind, because: Statement): Offer<Kind> {
  return { remediations: [], withheld: [{ kind, because }] };
}
