import { type DestinationStream, pino } from 'pino';
import type { StoredLink } from './core/audit/decision-chain.js';
import { traceFields } from './tracing/traced.js';

/**
 * The second place where decisions are kept: one JSON line each on standard output, whatever the log level.
 * `hash` is that of the link in Redis, so that the lines show what Redis held when the decision was recorded.
 */
export function createDecisionLog(
  processName: string,
  destination: DestinationStream = process.stdout,
): (link: StoredLink) => void {
  const log = pino({ name: `rollout-doctor-${processName}`, level: 'info', mixin: traceFields }, destination);
  return ({ text, hash }) => log.info({ decision: JSON.parse(text), hash }, 'decision recorded');
}
