import { needsConfirmation } from '../fixes/needs-confirmation.js';
import type { Approval } from './approval.js';

/**
 * Whether an approval counts only with the workload's name typed, whatever the policy demands: a person asked
 * for the change, and its forecast does not complete or interrupts the service.
 */
export function mustConfirmByName({
  requested,
  undoes,
  remediation,
}: Pick<Approval, 'requested' | 'undoes' | 'remediation'>): boolean {
  return requested !== undefined && !undoes && needsConfirmation(remediation);
}
