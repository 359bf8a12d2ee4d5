import { basename, dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { nowOf, type Snapshot } from '#src/core/cluster/snapshot.js';
import { scenarios, scenariosFolder } from '#support/scenarios/expectation.js';
import { snapshotOf } from '#support/scenarios/snapshot-of.js';
import { outlineOfSnapshot } from './facts.js';
import { readKinds, without } from './unread.js';

const minute = 60_000;

const at = (snapshot: Snapshot, later: number): Snapshot => ({
  ...snapshot,
  takenAt: new Date(nowOf(snapshot) + later).toISOString(),
});

/** The same objects with one kind unread, or at a later time. */
function variantsOf(snapshot: Snapshot): readonly (readonly [string, Snapshot])[] {
  return [
    ...readKinds(snapshot).map((kind) => [`without reading ${kind}`, without(snapshot, kind)] as const),
    ['two minutes later', at(snapshot, 2 * minute)],
    ['an hour later', at(snapshot, 60 * minute)],
    ['a day later', at(snapshot, 24 * 60 * minute)],
  ];
}

/** The added lines, a note about missing lines, or nothing when both are equal. */
function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  if (after.length === 0) return before.length === 0 ? [] : ['  nothing is found'];
  const come = after.filter((line) => !before.includes(line)).map((line) => `  ${line}`);
  return come.length === 0 && before.length > after.length ? ['  less is said'] : come;
}

/** The incidents without their variants, which would have the same differences. */
const incidents = scenarios().filter(({ folder }) => dirname(folder) === scenariosFolder);

describe('the difference of the diagnosis with fewer reads or at a later time', () => {
  it.each(incidents.map((scenario) => [basename(scenario.folder), scenario] as const))(
    'is the reviewed one for %s',
    async (name, scenario) => {
      const snapshot = await snapshotOf(scenario);
      const plain = outlineOfSnapshot(snapshot);
      const lines = variantsOf(snapshot).flatMap(([how, other]) => {
        const changes = difference(plain, outlineOfSnapshot(other));
        return changes.length === 0 ? [] : [how, ...changes];
      });
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`seen-otherwise/${name}.txt`);
    },
  );
});
