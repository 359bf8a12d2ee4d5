import { format } from 'node:util';
import type { Logger } from 'pino';

/** Different texts that are remembered; a library warns of few things. */
const maxTexts = 100;
const maxLength = 500;

/**
 * Sends what libraries write to the console to the log, each text once. BullMQ repeats its warnings for each
 * of its connections.
 */
export function logConsole(log: Pick<Logger, 'warn'>): void {
  const written = new Set<string>();
  const once = (...values: readonly unknown[]): void => {
    const text = format(...values).slice(0, maxLength);
    if (written.has(text) || written.size >= maxTexts) return;
    written.add(text);
    log.warn({ text }, 'a library writes a warning');
  };
  console.warn = once;
  console.error = once;
  console.log = once;
  console.info = once;
}
