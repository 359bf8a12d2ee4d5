import { afterAll } from 'vitest';
import type { Verdict } from '#src/engine/owners/field-drift.js';
import type { WorkloadOwner } from './owner.js';

/**
 * What one field really is after the owner acted: our value, or another one. `conflict`: the owner's act was
 * refused with a conflict, and the field changed when the owner forced it.
 */
export type Fate = 'kept' | 'reverted' | 'conflict';

/** One changed field: what was predicted, and what happened. */
export interface FieldResult {
  readonly path: string;
  readonly fate: Fate;
  readonly verdict: Verdict;
}

/** Whether the verdict says what happened; `unknown` says nothing. */
export function judge(
  { verdict, fate }: FieldResult,
  { reverts }: Pick<WorkloadOwner, 'reverts'>,
): 'right' | 'wrong' | 'unknown' {
  switch (verdict.type) {
    case 'unknown':
      return 'unknown';
    case 'stays':
      return fate === 'kept' ? 'right' : 'wrong';
    case 'next-upgrade-conflicts':
      return fate === 'conflict' ? 'right' : 'wrong';
    default:
      return fate === 'reverted' && reverts.includes(verdict.type) ? 'right' : 'wrong';
  }
}

interface Tally {
  /** Counts the fields of one case. */
  count(owner: WorkloadOwner, title: string, fields: readonly FieldResult[]): void;
}

/** Counts the predictions of a file by owner, and prints them at its end. */
export function startTally(): Tally {
  const counts = new Map<string, { cases: number; fields: number; right: number; unknown: number }>();
  const unknownFields: string[] = [];
  afterAll(() => {
    for (const line of unknownFields) process.stdout.write(`${line}\n`);
    for (const [name, { cases, fields, right, unknown }] of counts) {
      process.stdout.write(
        `${name}: ${cases} cases, ${fields} fields, ${right} predictions right, ${unknown} unknown, ${fields - right - unknown} wrong\n`,
      );
    }
  });
  return {
    count(owner, title, fields) {
      for (const { path, verdict } of fields) {
        if (verdict.type !== 'unknown') continue;
        unknownFields.push(`unknown (${verdict.because}): ${owner.name}: ${title}: ${path}`);
      }
      const before = counts.get(owner.name) ?? { cases: 0, fields: 0, right: 0, unknown: 0 };
      const results = fields.map((field) => judge(field, owner));
      const number = (wanted: string): number => results.filter((result) => result === wanted).length;
      counts.set(owner.name, {
        cases: before.cases + 1,
        fields: before.fields + fields.length,
        right: before.right + number('right'),
        unknown: before.unknown + number('unknown'),
      });
    },
  };
}
