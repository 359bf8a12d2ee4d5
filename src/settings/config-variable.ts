import * as z from 'zod';
import { ChannelId } from '../doctor/policy/group-names.js';
import { Language } from '../engine/language/language.js';
import type { Expected } from '../service/inspect/setting-problem.js';

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

/** A number within limits. @param usual when it is not set */
export function wholeNumber(
  name: string,
  means: string,
  { from, to, usual }: { from: number; to: number; usual: number },
) {
  const expects = { en: `${from} to ${to}`, ko: `${from}~${to}` };
  return variable(name, means, expects, z.coerce.number().int().min(from).max(to).default(usual));
}

/** A time of at most a day. */
export function seconds(name: string, means: string, usual: number) {
  return wholeNumber(name, means, { from: 1, to: 86_400, usual });
}

export function port(name: string, means: string, usual: number) {
  return wholeNumber(name, means, { from: 0, to: 65_535, usual });
}

/** A file that need not be named. */
export function path(name: string, means: string, expects: Expected = { en: 'a path', ko: '파일 경로' }) {
  return variable(name, means, expects, z.string().min(1).optional());
}

/** @param page of the documentation */
export function yamlFile(name: string, means: string, page: string) {
  return path(name, means, { en: `a path to a YAML file, see ${page}`, ko: `YAML 파일 경로(${page} 참고)` });
}

/** One of two words or more. @param usual when it is not set */
export function choice<const Words extends readonly [string, ...string[]]>(
  name: string,
  means: string,
  words: Words,
  usual: Words[number],
) {
  const quoted = words.map((word) => `\`${word}\``);
  const joined = (or: string): string => `${quoted.slice(0, -1).join(', ')} ${or} ${quoted.at(-1)}`;
  return variable(name, means, { en: joined('or'), ko: joined('또는') }, z.enum(words).default(usual));
}

/** Variables of a process or of an env file. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The value of a variable. A line such as `SLACK_APP_TOKEN=` in an env file sets none, nor does one of
 * blanks.
 */
export function givenValue(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}
