import type { z } from 'zod';
import { DoctorError } from '../../errors.js';

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
    });
  }
}

/** Parses a stored record; one that does not fit its schema is not guessed at. */
export function parseRecord<Schema extends z.ZodType>(schema: Schema, text: string): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new DoctorError({
      code: 'record-malformed',
      message: 'a stored record could not be read',
      retryable: false,
      cause,
    });
  }
}
