import { join } from 'node:path';
import { expect } from 'vitest';
import { causes } from '#src/doctor/causes/causes.js';
import { diagnose } from '#src/doctor/findings/diagnose.js';
import type { Diagnosis } from '#src/doctor/findings/diagnosis.js';
import { conclusionOf } from '#src/doctor/findings/main-finding.js';
import { occasionsOf, readingPlans } from '#src/edges/kubernetes/reading-plans.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { type ResourceKind, resourceKinds } from '#src/engine/objects/cluster-objects.js';
import { nowOf, type Snapshot } from '#src/engine/objects/snapshot.js';
import { rolloutStateOf } from '#src/engine/workloads/rollout-state.js';
import { outlineOf } from '../outline.js';
import type { Property } from '../property.js';
import { diagnosisOf, engine, reading, snapshotOf } from '../recorded.js';
import { dishonestiesOf } from '../withheld-kind.js';

/** Kinds of which the snapshot contains objects, except that of the workload. */
function readKinds({ workload, index }: Snapshot): readonly ResourceKind[] {
  return resourceKinds.filter((kind) => kind !== workload.kind && index.objects[kind].length > 0);
}

/** The same snapshot without the right to read that kind. */
function without(snapshot: Snapshot, kind: ResourceKind): Snapshot {
  const refused = { what: kind, namespace: '', because: 'forbidden', message: 'not allowed' } as const;
  return {
    ...snapshot,
    index: indexObjects({ ...snapshot.index.objects, [kind]: [] }),
    unseen: [...snapshot.unseen.filter(({ what }) => what !== kind), refused],
  };
}

/** Kinds that the question about the workload does not need, of which the recording has objects. */
function kindsLeftOut(snapshot: Snapshot): readonly ResourceKind[] {
  const { workload, index } = snapshot;
  const occasions = occasionsOf(workload, rolloutStateOf(snapshot).pods, index.objects.ReplicaSet);
  return readingPlans.flatMap(({ kind, when }) =>
    when === undefined ||
    when.some((each) => occasions.has(each)) ||
    index.objects[kind].every((each) => each === workload)
      ? []
      : [kind],
  );
}

const withoutEachKind = reading(async (recorded): Promise<ReadonlyMap<ResourceKind, Diagnosis>> => {
  const snapshot = await snapshotOf(recorded);
  return new Map(readKinds(snapshot).map((kind) => [kind, diagnose(without(snapshot, kind), causes)]));
});

/** The proven causes above informational. */
function provenIn({ findings, defects }: Diagnosis): readonly string[] {
  expect(defects).toEqual([]);
  return findings
    .filter(({ severity, confidence }) => severity !== 'info' && confidence === 'proven')
    .map(({ cause }) => cause);
}

const minute = 60_000;
const later = [
  ['two minutes later', 2 * minute],
  ['an hour later', 60 * minute],
  ['a day later', 24 * 60 * minute],
] as const;

const at = (snapshot: Snapshot, by: number): Snapshot => ({
  ...snapshot,
  takenAt: new Date(nowOf(snapshot) + by).toISOString(),
});

/** The added lines, a note about missing lines, or nothing when both are equal. */
function difference(before: readonly string[], after: readonly string[]): readonly string[] {
  if (after.length === 0) return before.length === 0 ? [] : ['  nothing is found'];
  const come = after.filter((line) => !before.includes(line)).map((line) => `  ${line}`);
  return come.length === 0 && before.length > after.length ? ['  less is said'] : come;
}

export const unread: readonly Property[] = [
  {
    name: 'finds no lack of problems where fewer pods are ready than wanted and the time is not known',
    async check(recorded) {
      const snapshot = await snapshotOf(recorded);
      const diagnosis = diagnose({ ...snapshot, isTimeUnknown: true }, causes);
      const { pods, wanted } = diagnosis.ready;
      expect(pods < wanted && conclusionOf(diagnosis) === 'nothing').toBe(false);
    },
  },
  {
    name: 'gets the same answer from a reader that leaves out what its question does not need',
    async check(recorded, saw) {
      const snapshot = await snapshotOf(recorded);
      const { objects, podsReadOn, serverVersion } = snapshot.index;
      const kinds = kindsLeftOut(snapshot);
      for (const kind of kinds) saw(kind);
      const own = kinds.map((kind) => [kind, objects[kind].filter((each) => each === snapshot.workload)]);
      const index = indexObjects({ ...objects, ...Object.fromEntries(own) }, podsReadOn, serverVersion);
      expect(engine.diagnose({ ...snapshot, index })).toEqual(await diagnosisOf(recorded));
    },
    whole(seen) {
      const leftOut = readingPlans.flatMap(({ kind, when }) => (when === undefined ? [] : [kind]));
      expect([...seen.keys()].sort()).toEqual(
        expect.arrayContaining(['Deployment', 'Lease', 'PriorityClass']),
      );
      expect([...seen.keys()].every((kind) => leftOut.some((each) => each === kind))).toBe(true);
    },
  },
  {
    name: 'proves nothing more when a kind of object could not be read',
    async check(recorded) {
      const snapshot = await snapshotOf(recorded);
      const proven = provenIn(await diagnosisOf(recorded));
      // A better explanation that replaced this cause may be missing now.
      const wasProven = (cause: string) => {
        const alone = causes.filter(({ id }) => id === cause);
        return proven.includes(cause) || provenIn(diagnose(snapshot, alone)).includes(cause);
      };
      for (const [kind, diagnosis] of await withoutEachKind(recorded)) {
        const fresh = provenIn(diagnosis).filter((cause) => !wasProven(cause));
        expect({ unread: kind, proven: fresh }).toEqual({ unread: kind, proven: [] });
      }
    },
  },
  {
    name: 'stays honest when a kind of object could not be read',
    async check(recorded) {
      const full = await diagnosisOf(recorded);
      const dishonest = [...(await withoutEachKind(recorded))].flatMap(([kind, partial]) =>
        dishonestiesOf({ full, partial, kind }),
      );
      expect(dishonest).toEqual([]);
    },
  },
  {
    name: 'has the reviewed differences with fewer reads and at a later time',
    // Variants would have the same differences.
    of: ({ group }) => group === undefined,
    async check(recorded) {
      const snapshot = await snapshotOf(recorded);
      const plain = outlineOf(await diagnosisOf(recorded));
      const others: readonly (readonly [string, Diagnosis])[] = [
        ...[...(await withoutEachKind(recorded))].map(
          ([kind, diagnosis]) => [`without reading ${kind}`, diagnosis] as const,
        ),
        ...later.map(([how, by]) => [how, diagnose(at(snapshot, by), causes)] as const),
      ];
      const lines = others.flatMap(([how, other]) => {
        const changes = difference(plain, outlineOf(other));
        return changes.length === 0 ? [] : [how, ...changes];
      });
      const file = join(import.meta.dirname, '../seen-otherwise', `${recorded.name}.txt`);
      await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(file);
    },
  },
];
