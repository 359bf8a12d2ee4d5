import type { Remediation } from './remediation.js';

/**
 * The same remediations with those behind that another waiting pod could turn into an outage: what becomes free may then
 * go to that pod. The order is kept otherwise.
 */
export function safestFirst(remediations: readonly Remediation[]): Remediation[] {
  const isContested = ({ prediction }: Remediation): boolean => prediction.competitors.length > 0;
  return [...remediations.filter((each) => !isContested(each)), ...remediations.filter(isContested)];
}
