import { once } from 'node:events';
import { fstatSync } from 'node:fs';
import { type Fault, plainFault } from '../../doctor/input/input-error.js';
import { tooLarge } from '../files/regular-file.js';
import type { Paint } from '../terminal/paint.js';
import { exitStatus, failure } from './exit-status.js';

/** Standard input. */
interface Input {
  readonly bytes: AsyncIterable<Uint8Array | string>;
  /** True when it is a person's keyboard, and nothing was piped in. */
  readonly typed: boolean;
}

/** Where a command reads and writes; tests give their own. */
export interface Streams {
  /** A promise where the reader is behind: a writer that never ends waits for it. */
  readonly out: (text: string) => void | Promise<void>;
  /** Left out: nothing is piped in. */
  readonly input?: Input;
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
    out: (text) => (stdout.write(text) ? undefined : once(stdout, 'drain').then(() => undefined)),
    input: { bytes: standardInput(), typed: process.stdin.isTTY === true },
    err: (text) => stderr.write(text),
    paint: { colour, width: Math.min(widest, stdout.columns ?? defaultWidth) },
    watched: stderr.isTTY === true,
  };
}

/** Node takes a folder for an empty stream; it is refused here as the file system refuses to read it. */
async function* standardInput(): AsyncGenerator<Uint8Array | string> {
  if (fstatSync(process.stdin.fd).isDirectory()) {
    throw Object.assign(new Error('standard input is a folder'), { code: 'EISDIR' });
  }
  yield* process.stdin;
}

/** A value as JSON with a line end. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The same, or as YAML. */
export async function structured(output: 'json' | 'yaml', value: unknown): Promise<string> {
  if (output === 'json') return jsonText(value);
  const { stringify } = await import('yaml');
  return stringify(value);
}

/**
 * A value as JSON on one line. What a terminal would act on or hide (C1 controls, zero-width and direction
 * characters) is escaped as JSON allows, so that the value stays the same.
 */
export function onOneLine(value: unknown): string {
  return `${JSON.stringify(value).replace(unprintable, escaped)}\n`;
}

const unprintable = /[\u007f-\u009f\u2028\u2029]|\p{Default_Ignorable_Code_Point}/gu;

function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`)
    .join('');
}

/** One line that is written over while somebody watches, and wiped at the end. */
export function progressOn({ err, watched }: Streams): (text: string | undefined) => void {
  if (!watched) return () => undefined;
  return (text) => err(text === undefined ? '\r\u001b[K' : `\r\u001b[K${text} …`);
}

/**
 * All bytes of standard input.
 *
 * @throws CommandFailure when there are more than `maxBytes`, or when it cannot be read
 */
export async function inputBytes(
  input: AsyncIterable<Uint8Array | string>,
  maxBytes: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of readable(input)) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxBytes) {
      throw failure(exitStatus.unseen, 'input-unusable', { fault: tooLarge(maxBytes) });
    }
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

/** Standard input may be a folder or end with an error. Both become a failure with a sentence. */
export async function* readable<Chunk>(input: AsyncIterable<Chunk>): AsyncGenerator<Chunk> {
  try {
    yield* input;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'EIO';
    const fault: Fault = code === 'EISDIR' ? plainFault('folder') : { key: 'unreadable', values: { code } };
    throw failure(exitStatus.unseen, 'input-unusable', { fault });
  }
}
