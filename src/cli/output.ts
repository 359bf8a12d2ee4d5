import { stringify } from 'yaml';
import type { Paint } from '../adapters/terminal/paint.js';

export const outputs = ['text', 'json', 'yaml', 'markdown'] as const;
export type Output = (typeof outputs)[number];

/** Where a command writes; tests give their own. */
export interface Streams {
  readonly out: (text: string) => void;
  /** Progress and errors; never part of the answer. */
  readonly err: (text: string) => void;
  readonly paint: Paint;
  /** True when a person watches `err`. */
  readonly watched: boolean;
}

const defaultWidth = 80;
const widest = 120;

/** The process's own streams: colours and width of the terminal, plain text in a pipe or with NO_COLOR. */
export function processStreams(): Streams {
  const { stdout, stderr, env } = process;
  const colour = stdout.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
  return {
    out: (text) => stdout.write(text),
    err: (text) => stderr.write(text),
    paint: { colour, width: Math.min(widest, stdout.columns ?? defaultWidth) },
    watched: stderr.isTTY === true,
  };
}

/** A value as JSON or YAML with a line end. */
export function structured(output: 'json' | 'yaml', value: unknown): string {
  return output === 'json' ? `${JSON.stringify(value, undefined, 2)}\n` : stringify(value);
}
