import type { ApiCall } from './api-call.js';

/**
 * Whether the cluster serves an API group. A refused read does not tell: the API server refuses a kind before
 * it looks for it. Every authenticated client may ask for groups (ClusterRole `system:discovery`). No answer
 * counts as not served.
 */
export async function isServed(call: ApiCall, group: string, signal: AbortSignal): Promise<boolean> {
  try {
    return (await call({ path: `/apis/${group}`, signal })).status === 200;
  } catch {
    return false;
  }
}
