/** Why a request is turned away; the closed list is also a metric's label. */
export const refusalReasons = [
  'unknown-path',
  'method',
  'unauthorized',
  'signature',
  'content-type',
  'encoding',
  'too-large',
  'overloaded',
  'incomplete',
  'json',
  'schema',
  'unavailable',
  'failed-inside',
] as const;
export type RefusalReason = (typeof refusalReasons)[number];

/** A request that is not taken: a status, a reason, and words for who set the sender up. No word of the request's. */
export interface RequestRefusal {
  readonly type: 'refused';
  readonly status: 400 | 401 | 404 | 405 | 413 | 415 | 500 | 503;
  readonly reason: RefusalReason;
  readonly message: string;
}

export function refuse(
  status: RequestRefusal['status'],
  reason: RefusalReason,
  message: string,
): RequestRefusal {
  return { type: 'refused', status, reason, message };
}
