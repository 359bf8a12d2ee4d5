import type { Statement } from '../engine/language/statement.js';

const errorCodes = [
  'config-invalid',
  'policy-invalid',
  'redis-unavailable',
  'record-malformed',
  'record-conflict',
  'job-malformed',
  'job-stalled',
  'cluster-unknown',
  'cluster-unavailable',
  'cluster-forbidden',
  'event-not-recorded',
  'slack-refused',
  'slack-throttled',
  'slack-unavailable',
  'input-malformed',
  'diagnosis-ended',
  'diagnosis-busy',
  'git-refused',
  'git-unavailable',
  'note-unavailable',
] as const;
type ErrorCode = (typeof errorCodes)[number];

export interface DoctorErrorOptions {
  readonly code: ErrorCode;
  /** For the log: static words, no values from outside. */
  readonly message: string;
  /** Whether the same attempt may succeed later. */
  readonly retryable: boolean;
  /** Milliseconds to wait before the next attempt, where the other side said so. */
  readonly retryAfterMs?: number;
  /** What a person is told. */
  readonly tells?: Statement;
  readonly cause?: unknown;
}

/** A surprise with a code. Expected outcomes are values, not errors. */
export class DoctorError extends Error {
  override readonly name = 'DoctorError';
  readonly code: ErrorCode;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly tells: Statement | undefined;

  constructor(options: DoctorErrorOptions) {
    super(options.message, { cause: options.cause });
    this.code = options.code;
    this.retryable = options.retryable;
    this.retryAfterMs = options.retryAfterMs;
    this.tells = options.tells;
  }
}

/** In a list, one record that cannot be read does not hide the others. */
export function ignoreMalformed(error: unknown): undefined {
  if (error instanceof DoctorError && error.code === 'record-malformed') return undefined;
  throw error;
}
