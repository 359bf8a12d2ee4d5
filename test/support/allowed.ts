import type { Demands } from '#src/doctor/policy/policy.js';
import type { Allowed } from '#src/service/approve/may-approve.js';

/** What the policy answers for somebody with one id. */
export function allowed(by: string, demands: Demands): Allowed {
  return { type: 'allowed', demands, idsAmong: async (ids) => new Set(ids.filter((id) => id === by)) };
}
