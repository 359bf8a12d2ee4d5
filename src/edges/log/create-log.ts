import { format } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import { redact, redactValue } from '../../doctor/redaction/redact.js';
import { traceFields } from '../telemetry/traced.js';

/**
 * Structured lines on standard output, or `destination`. Secrets are redacted in every text of a line, since
 * messages of errors quote what others sent; fields that carry credentials whole are left out.
 */
export function createLog(level: string, name: string, destination?: DestinationStream): Logger {
  const options = {
    name,
    level,
    redact: ['token', '*.token', 'authorization', '*.authorization', 'headers', '*.headers', 'err.config'],
    hooks: { streamWrite: redactLine },
    mixin: traceFields,
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function redactLine(line: string): string {
  const redacted = JSON.stringify(JSON.parse(line), (name, value: unknown) =>
    typeof value === 'string' ? (name === '' ? redact(value) : redactValue(name, value)) : value,
  );
  return `${redacted}\n`;
}

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
