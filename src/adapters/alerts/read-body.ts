import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BodyBudget, createBodyBudget } from '../../http/body-budget.js';
import { readBody } from '../../http/read-body.js';
import { type RequestRefusal, refuse } from './refusal.js';

/** One body whose sender has proved who it is. A thousand alerts of ordinary size fit. */
export const maxBodyBytes = 2_000_000;
/**
 * One body whose signature can only be checked once it is here. PagerDuty's and Grafana's have some
 * kilobytes.
 */
export const maxUnsignedBodyBytes = 512_000;
/** All bodies in memory at the same time, over all connections. */
const maxBytesInFlight = { authenticated: 32_000_000, unauthenticated: 8_000_000 } as const;

export interface AlertBodies {
  readonly authenticated: BodyBudget;
  readonly unauthenticated: BodyBudget;
}

export function createAlertBodies(): AlertBodies {
  return {
    authenticated: createBodyBudget(maxBytesInFlight.authenticated),
    unauthenticated: createBodyBudget(maxBytesInFlight.unauthenticated),
  };
}

export type AlertBody = { readonly type: 'read'; readonly bytes: Buffer; readonly release: () => void };

/** Reads the raw body, which signatures need. */
export async function readAlertBody(
  request: IncomingMessage,
  response: ServerResponse,
  bodies: AlertBodies,
  isAuthenticated: boolean,
): Promise<AlertBody | RequestRefusal> {
  const [maxBytes, budget] = isAuthenticated
    ? [maxBodyBytes, bodies.authenticated]
    : [maxUnsignedBodyBytes, bodies.unauthenticated];
  const body = await readBody(request, response, { maxBytes, budget });
  switch (body.type) {
    case 'read':
      return body;
    case 'too-large':
      return refuse(413, 'too-large', 'too-large', { maxBytes });
    case 'incomplete':
      return refuse(400, 'incomplete', 'incomplete', {});
    case 'overloaded':
      return refuse(503, 'overloaded', 'too-many-bodies', {});
  }
}
