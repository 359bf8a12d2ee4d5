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

/** The same objects, looked at by somebody who may read less, or a while later though nothing has changed. */
function waysToLook(snapshot: Snapshot): readonly (readonly [string, Snapshot])[] {
  return [
    ...readKinds(snapshot).map((kind) => [`without reading ${kind}`, without(snapshot, kind)] as const),
    ['two minutes later', at(snapshot, 2 * minute)],
    ['an hour later', at(snapshot, 60 * minute)],
    ['a day later', at(snapshot, 24 * 60 * minute)],
  ];
}

/** What is said instead of something else or besides; where it is all the same, nothing. */
function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  if (after.length === 0) return before.length === 0 ? [] : ['  nothing is found'];
  const come = after.filter((line) => !before.includes(line)).map((line) => `  ${line}`);
  return come.length === 0 && before.length > after.length ? ['  less is said'] : come;
}

/** The incidents themselves; their variants below a folder would say the same. */
const incidents = scenarios().filter(({ folder }) => dirname(folder) === scenariosFolder);

describe('what is said otherwise, when less is seen or later, of', () => {
  it.each(incidents.map((scenario) => [basename(scenario.folder), scenario] as const))(
    '%s is what was reviewed',
    async (name, scenario) => {
      const snapshot = await snapshotOf(scenario);
      const plain = outlineOfSnapshot(snapshot);
      const lines = waysToLook(snapshot).flatMap(([how, other]) => {
        const changes = difference(plain, outlineOfSnapshot(other));
        return changes.length === 0 ? [] : [how, ...changes];
      });
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`seen-otherwise/${name}.txt`);
    },
  );
});
