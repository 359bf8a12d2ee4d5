import type { z } from 'zod';
import { DoctorError, type DoctorErrorOptions } from '../../service/errors.js';
import { notice } from '../../service/notices/notices.js';

/** Runs a Redis command; any failure becomes `redis-unavailable`, retryable. */
export async function guarded<Value>(command: () => Promise<Value>): Promise<Value> {
  try {
    return await command();
  } catch (cause) {
    if (cause instanceof DoctorError) throw cause;
    throw new DoctorError({
      code: 'redis-unavailable',
      message: 'Redis did not carry out a command',
      retryable: true,
      cause,
      ...refusalOf(cause),
    });
  }
}

/** Codes of a Redis that answers and accepts no writes, for which a person can be told the reason. */
const refusals: ReadonlySet<string> = new Set(['OOM', 'READONLY', 'MISCONF', 'NOREPLICAS']);

function refusalOf(cause: unknown): Pick<DoctorErrorOptions, 'tells'> {
  const code = redisCode(cause);
  if (code === 'NOPERM') return { tells: notice('redis-denies-command') };
  if (code === undefined || !refusals.has(code)) return {};
  return { tells: notice('redis-refuses-writes', { code }) };
}

/** The code with which Redis begins an error: READONLY, OOM, MISCONF, LOADING, NOAUTH, NOPERM. */
export function redisCode(error: unknown): string | undefined {
  return error instanceof Error ? /^[A-Z]{2,20}(?= )/u.exec(error.message)?.[0] : undefined;
}

/** Parses a stored record; one that does not fit its schema is not guessed at. */
export function parseRecord<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw malformed(cause);
  }
}

/** Reads a stored record. Under a key that holds another type of Redis, a later attempt finds the same. */
export function guardedRead<Value>(read: () => Promise<Value>): Promise<Value> {
  return guarded(async () => {
    try {
      return await read();
    } catch (cause) {
      throw redisCode(cause) === 'WRONGTYPE' ? malformed(cause) : cause;
    }
  });
}

/** The record under a key of text; undefined where there is none. */
export async function readRecord<Schema extends z.ZodType>(
  schema: Schema,
  read: () => Promise<string | null>,
): Promise<z.output<Schema> | undefined> {
  const text = await guardedRead(read);
  return text === null ? undefined : parseRecord(schema, text);
}

function malformed(cause: unknown): DoctorError {
  return new DoctorError({
    code: 'record-malformed',
    message: 'a stored record could not be read',
    retryable: false,
    cause,
  });
}
