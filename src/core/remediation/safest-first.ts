import type { Remediation } from './remediation.js';

/**
 * The same remediations with those behind that another waiting pod could turn into an outage: what becomes
 * free may then go to that pod. The order is kept otherwise.
 */
export function safestFirst(remediations: readonly Remediation[]): Remediation[] {
  const isContested = ({ prediction }: Remediation): boolean => prediction.competitors.length > 0;
  return [...remediations.filter((each) => !isContested(each)), ...remediations.filter(isContested)];
}

/**
 * Where waiting may end the incident, changes that leave no pod ready for a time come last, and are marked.
 */
export function downtimeAfterWaiting(remediations: readonly Remediation[]): Remediation[] {
  const leavesNoneReady = ({ price }: Remediation): boolean => price.downtime.kind === 'gap';
  return [
    ...remediations.filter((each) => !leavesNoneReady(each)),
    ...remediations.filter(leavesNoneReady).map((each) => ({ ...each, afterWaiting: true as const })),
  ];
}
