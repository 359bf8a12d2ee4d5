import { readFileSync } from 'node:fs';

/**
 * A message and its parts. `nodes` is `feasible/nodes`, either missing where the message omits it. Reasons
 * are `count id detail`, count and detail missing where the sentence gives none.
 */
export interface Expected {
  readonly says: string;
  readonly nodes?: string;
  readonly reasons: readonly string[];
  readonly preemption?: readonly string[];
}

/** A sentence, what is in it, and statements that its explanation must have. */
interface Described extends Expected {
  readonly states: readonly string[];
}

/**
 * Reads `<name>.txt`: a line with the sentence, then an indented one with what is in it. `#` begins a
 * comment.
 */
export function readSentences(name: string): readonly Described[] {
  const text = readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8');
  return [...text.matchAll(/^(?![#\s])(.+)(?:\n {2}(.*))?$/gm)].map(([, says = '', described = '']) => {
    const parts = new Map(
      described.split(/ {2}(?=\w+: )/).map((part) => {
        const [, name = '', value = ''] = /^\s*(\w+): (.*)$/.exec(part) ?? [];
        return [name, value] as const;
      }),
    );
    const list = (part: string, between: string) => parts.get(part)?.split(between) ?? [];
    const nodes = parts.get('nodes');
    const preemption = list('preemption', ' | ');
    return {
      says: says.replaceAll('\\n', '\n'),
      ...(nodes === undefined ? {} : { nodes }),
      reasons: list('reasons', ' | '),
      ...(preemption.length === 0 ? {} : { preemption }),
      states: list('states', ' '),
    };
  });
}

/** Sentences whose explanations are reviewed as a whole, by what they are from. */
export const reviewed: readonly (readonly [string, readonly Expected[]])[] = [
  'kube-scheduler',
  'volumes',
  'others',
].map((name) => [name, readSentences(name).map(({ states: _none, ...expected }) => expected)]);
export const reviewedSentences = reviewed.flatMap(([, sentences]) => sentences);
