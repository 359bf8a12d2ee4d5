import { readFileSync } from 'node:fs';
import type { Expected } from './expected.js';

/** A held-back sentence, what is in it, and statements that its explanation must have. */
export interface HeldBack extends Expected {
  readonly states: readonly string[];
}

/** Reads `held-back.txt`, or one of the files in its form; the head of the first describes the form. */
export function readHeldBack(name: 'held-back' | 'unseen' | 'further' | 'once-more'): readonly HeldBack[] {
  return readFileSync(new URL(`${name}.txt`, import.meta.url), 'utf8')
    .split(/\n\n+/)
    .filter((block) => block.includes('says: '))
    .map((block) => {
      const fields = new Map(
        block
          .split('\n')
          .filter((line) => !line.startsWith('#') && line.includes(': '))
          .map((line) => [line.slice(0, line.indexOf(': ')), line.slice(line.indexOf(': ') + 2)] as const),
      );
      const list = (name: string, between: string): readonly string[] =>
        (fields.get(name) ?? '').split(between).filter((each) => each !== '');
      const nodes = fields.get('nodes');
      const preemption = list('preemption', ' | ');
      return {
        says: (fields.get('says') ?? '').replaceAll('\\n', '\n'),
        ...(nodes === undefined ? {} : { nodes }),
        reasons: list('reasons', ' | '),
        ...(preemption.length === 0 ? {} : { preemption }),
        states: list('states', ' '),
      };
    });
}
