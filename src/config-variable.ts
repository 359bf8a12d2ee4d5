import * as z from 'zod';
import { ChannelId } from './core/authorization/channel-id.js';
import { Language } from './core/language/language.js';
import type { Expected } from './usecases/inspect/setting-problem.js';

/** One environment variable: what it means, for docs/configuration.md and `--help`, and how it is read. */
export interface Variable<Schema extends z.ZodType = z.ZodType> {
  readonly name: string;
  readonly means: string;
  readonly expects: Expected;
  readonly schema: Schema;
}

export function variable<Schema extends z.ZodType>(
  name: string,
  means: string,
  expects: Expected,
  schema: Schema,
): Variable<Schema> {
  return { name, means, expects, schema };
}

/** The names in a list that commas separate. */
export function namesIn(value: string): string[] {
  return value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** `C0123456789=ko` */
export const ChannelLanguage = z
  .string()
  .transform((text) => text.split('=').map((part) => part.trim()))
  .pipe(z.tuple([ChannelId, Language]))
  .transform(([channel, language]) => ({ channel, language }));

export const seconds = z.coerce.number().int().min(1).max(86_400);
export const port = z.coerce.number().int().min(0).max(65_535);
