import type { Demands } from '#src/core/authorization/authorize.js';
import type { Allowed } from '#src/usecases/approve/may-approve.js';

/** What the policy answers for somebody with one id. */
export function allowed(by: string, demands: Demands): Allowed {
  return { type: 'allowed', demands, idsAmong: async (ids) => new Set(ids.filter((id) => id === by)) };
}
