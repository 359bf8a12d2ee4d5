import { join } from 'node:path';
import { describe, expect, inject, it } from 'vitest';
import { scenarios } from '../support/scenarios/expectation.js';
import { outlineOf } from './outline.js';
import { properties } from './properties.js';
import { diagnosisOf, type Recorded, recordedOf } from './recorded.js';
import { createTally, type Tally } from './tally.js';

/** Shards of the recordings, a test file each, so that every core of the machine has work. */
const shards = 4;

/**
 * One test for each recording, with every property. The recording is read and diagnosed once for each way of
 * reading it. Variants in one folder stay together, because some reviewed files describe a whole folder.
 *
 * @param shard which of the shards, from 1
 */
export function examineRecordings(shard: number): void {
  const tally = createTally(inject('scenarioTally'), shard, shards);
  const all = ofShard(shard);
  for (const recorded of all) if (recorded.group === undefined) examine(recorded, tally);
  for (const group of new Set(all.flatMap((each) => each.group ?? []))) {
    const variants = all.filter((each) => each.group === group);
    describe(group, () => {
      for (const variant of variants) examine(variant, tally);
      it('has, in outline, the reviewed facts', async () => {
        const lines: string[] = [];
        for (const variant of variants) {
          const outline = outlines.get(variant.folder) ?? outlineOf(await diagnosisOf(variant));
          lines.push(`${variant.name}:`, ...outline.map((line) => `  ${line}`));
        }
        const file = join(import.meta.dirname, 'facts', `${group}.txt`);
        await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(file);
      }, 300_000);
    });
  }

  const whole = properties.filter((property) => property.whole !== undefined);
  describe('all recordings together', () => {
    it.each(whole.map((property) => [property.name, property] as const))(
      'show that each %s',
      (_, property) => {
        // Only the shard that ends last has everything. Where tests were left out, nobody has.
        const seen = tally.ofAllShards(property.name);
        if (seen !== undefined) property.whole?.(seen);
      },
    );
  });
}

/** Of the variants that were examined, by folder. */
const outlines = new Map<string, readonly string[]>();

/** One test with all properties: fifty thousand tests cost more than what most of them check. */
function examine(recorded: Recorded, tally: Tally): void {
  const { id, title } = recorded.expect;
  const asked = properties.filter(({ of }) => of === undefined || of(recorded));
  it(`${id} (${title})`, { timeout: 300_000 }, async () => {
    const failed: { readonly name: string; readonly error: unknown }[] = [];
    try {
      for (const { name, check } of asked) {
        try {
          await check(recorded, (what) => tally.add(name, what));
          tally.examined(name);
        } catch (error) {
          failed.push({ name, error });
        }
      }
      if (recorded.group !== undefined) outlines.set(recorded.folder, outlineOf(await diagnosisOf(recorded)));
    } finally {
      // The snapshots of all recordings together do not fit in memory.
      recorded.readings.clear();
    }
    refuseFailures(failed);
  });
  tally.expects(asked.map(({ name }) => name));
}

/** The first failure with its values, named by its property; the message names the others. */
function refuseFailures(failed: readonly { readonly name: string; readonly error: unknown }[]): void {
  const [first, ...others] = failed;
  if (first === undefined) return;
  const error = first.error instanceof Error ? first.error : new Error(String(first.error));
  const more = others.map(({ name }) => `\nfails too: ${name}`).join('');
  error.message = `${first.name}: ${error.message}${more}`;
  throw error;
}

function ofShard(shard: number): readonly Recorded[] {
  const all = scenarios().map(recordedOf);
  const groups = [...new Set(all.map(({ group, name }) => group ?? name))];
  const sizes = groups.map((group) => all.filter((each) => (each.group ?? each.name) === group).length);
  const largestFirst = groups
    .map((group, index) => ({ group, size: sizes[index] ?? 0 }))
    .sort((one, other) => other.size - one.size);
  const loads = Array.from({ length: shards }, () => 0);
  const shardOf = new Map<string, number>();
  for (const { group, size } of largestFirst) {
    const lightest = loads.indexOf(Math.min(...loads));
    loads[lightest] = (loads[lightest] ?? 0) + size;
    shardOf.set(group, lightest + 1);
  }
  return all.filter(({ group, name }) => shardOf.get(group ?? name) === shard);
}
