import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createCollector } from '#src/doctor/crash-history/collector.js';
import { mergePodRecords } from '#src/doctor/crash-history/merge-records.js';
import { type Observation, observePod } from '#src/doctor/crash-history/observe-pod.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { isBadEnd, type PodRecord } from '#src/engine/objects/pod-record.js';
import { at, type End, ended, running, start, waiting, watched } from './pods.js';

/** The course of one container: its runs with duration and exit, and the wait after each. */
interface Course {
  readonly number: number;
  readonly node: string;
  readonly runs: readonly { readonly seconds: number; readonly exitCode: number; readonly pause: number }[];
  readonly deleted: boolean;
}

const course: fc.Arbitrary<Omit<Course, 'number'>> = fc.record({
  node: fc.constantFrom('n-a', 'n-b'),
  runs: fc.array(
    fc.record({
      seconds: fc.integer({ min: 1, max: 900 }),
      exitCode: fc.constantFrom(0, 1, 137, 139),
      pause: fc.integer({ min: 0, max: 300 }),
    }),
    { maxLength: 12 },
  ),
  deleted: fc.boolean(),
});

interface State {
  readonly pod: Pod;
  readonly gone: boolean;
}

/** Every state of the pod object in its course. */
function statesOf({ number, node, runs, deleted }: Course): readonly State[] {
  const uid = `11111111-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const shape = { uid, name: `web-${number}`, node };
  const states: State[] = [{ pod: watched(shape), gone: false }];
  let [time, former] = [5, undefined as End | undefined];
  runs.forEach(({ seconds, exitCode, pause }, n) => {
    const end = { from: time, to: time + seconds, exitCode };
    states.push({ pod: watched({ ...shape, statuses: [ended(n, end, former)] }), gone: false });
    if (pause > 0) states.push({ pod: watched({ ...shape, statuses: [waiting(n, end)] }), gone: false });
    time = end.to + pause;
    former = end;
    states.push({ pod: watched({ ...shape, statuses: [running(n + 1, time, end)] }), gone: false });
  });
  if (deleted) {
    const metadata = { deletionTimestamp: at(time + 40), deletionGracePeriodSeconds: 30 };
    const last = ended(runs.length, { from: time, to: time + 20, exitCode: 143 }, former);
    states.push({ pod: watched({ ...shape, metadata, statuses: [last] }), gone: true });
  }
  return states;
}

function observationsOf(states: readonly State[]): readonly Observation[] {
  return states.flatMap(({ pod, gone }) => observePod(pod, gone, start + 100_000) ?? []);
}

/** As the store does it: one record a uid, each merged with what is there. */
function stored(
  observations: readonly Observation[],
  before = new Map<string, PodRecord>(),
): Map<string, PodRecord> {
  const records = new Map(before);
  for (const { record } of observations) {
    const known = records.get(record.uid);
    records.set(record.uid, known === undefined ? record : mergePodRecords(known, record));
  }
  return records;
}

/** A record with the default fields. */
function sortRecords(records: ReadonlyMap<string, PodRecord>): readonly PodRecord[] {
  return [...records.values()]
    .map((record) => mergePodRecords(record, record))
    .sort((a, b) => (a.uid < b.uid ? -1 : 1));
}

const courses = fc
  .array(course, { minLength: 1, maxLength: 4 })
  .map((all) => all.map((one, number): Course => ({ ...one, number })));

describe('records of observed crashes', () => {
  it('are the same in any order, with any repetition, and from several watchers', () => {
    const shuffled = courses.chain((all) => {
      const observations = observationsOf(all.flatMap(statesOf));
      return fc.record({
        observations: fc.constant(observations),
        order: fc.array(fc.nat(observations.length - 1), { maxLength: 60 }),
        again: fc.shuffledSubarray([...observations], { minLength: observations.length }),
      });
    });
    fc.assert(
      fc.property(shuffled, ({ observations, order, again }) => {
        const once = sortRecords(stored(observations));
        const replayed = order.flatMap((index) => observations[index] ?? []);
        const others = sortRecords(stored(again, stored([...replayed, ...again.slice(0, 3)])));

        expect(others).toEqual(once);
      }),
      { numRuns: 150, seed: 3 },
    );
  });

  it('merge in any grouping', () => {
    const three = courses.map((all) =>
      observationsOf(all.slice(0, 1).flatMap(statesOf)).map(({ record }) => record),
    );
    fc.assert(
      fc.property(three, fc.nat(), fc.nat(), fc.nat(), (records, x, y, z) => {
        const pick = (index: number): PodRecord => records[index % records.length] as PodRecord;
        const [a, b, c] = [pick(x), pick(y), pick(z)];
        expect(mergePodRecords(mergePodRecords(a, b), c)).toEqual(mergePodRecords(a, mergePodRecords(b, c)));
        expect(mergePodRecords(a, b)).toEqual(mergePodRecords(b, a));
      }),
      { numRuns: 150, seed: 4 },
    );
  });

  it('count every run once, whichever states a watcher observed, as long as it observed the last', () => {
    fc.assert(
      fc.property(courses, fc.array(fc.boolean(), { minLength: 60, maxLength: 60 }), (all, seen) => {
        for (const each of all) {
          const states = statesOf(each);
          const some = states.filter((_, i) => seen[i] === true || i === states.length - 1);
          const [record] = sortRecords(stored(observationsOf(some)));
          const kept = record?.containers[0];
          expect(kept?.restarts ?? 0).toBe(each.runs.length);
          const bad = each.runs.filter(({ exitCode }) => exitCode !== 0).length;
          expect((kept?.runs ?? []).filter(isBadEnd).length).toBeLessThanOrEqual(bad);
        }
      }),
      { numRuns: 100, seed: 5 },
    );
  });

  it('keep the last runs, the first crash, and the number of all runs', () => {
    const runs = Array.from({ length: 20 }, () => ({ seconds: 30, exitCode: 139, pause: 10 }));
    const records = sortRecords(
      stored(observationsOf(statesOf({ number: 1, node: 'n-a', runs, deleted: false }))),
    );

    expect(records[0]?.containers[0]?.runs.map(({ n }) => n)).toEqual([12, 13, 14, 15, 16, 17, 18, 19]);
    expect(records[0]?.containers[0]?.firstBad).toEqual({ finishedAt: start + 35, seconds: 30 });
    expect(records[0]?.containers[0]?.restarts).toBe(20);
  });
});

describe('a crash collector', () => {
  const limits = { pods: 100, waiting: 100 };

  /** All that it hands over, as the store would keep it. */
  function collected(states: readonly (readonly State[])[]): readonly PodRecord[] {
    const collector = createCollector(limits);
    const observations: Observation[] = [];
    for (const list of states) {
      for (const { pod, gone } of list) collector.see(pod, gone, start + 100_000);
      observations.push(...collector.take(1_000));
    }
    return sortRecords(stored(observations));
  }

  it('returns the same records when lists repeat the events of the watch', () => {
    fc.assert(
      fc.property(courses, fc.nat(30), (all, cut) => {
        const states = all.flatMap(statesOf);
        const expected = collected([states]);
        const twice = collected([states.slice(0, cut), states.filter(({ gone }) => !gone), states, states]);
        expect(twice).toEqual(expected);
      }),
      { numRuns: 100, seed: 6 },
    );
  });

  const crashing = watched({ statuses: [waiting(1, { from: 1, to: 9 })] });

  it('records the same state once, and again after a change', () => {
    const collector = createCollector(limits);
    collector.see(crashing, false, start);
    collector.see(crashing, false, start);
    expect(collector.take(10)).toHaveLength(1);
    collector.see(crashing, false, start);
    expect(collector.take(10)).toEqual([]);
    collector.see(watched({ statuses: [waiting(2, { from: 20, to: 30 })] }), false, start);
    expect(collector.take(10)).toHaveLength(1);
  });

  it('records a pod that a list no longer contains as ended, no earlier than its last observation', () => {
    const collector = createCollector(limits);
    collector.beginList();
    collector.see(watched(), false, start);
    collector.see(watched({ uid: 'not-a-uuid' }), false, start);
    collector.endList(start);
    collector.beginList();
    collector.see(watched(), false, start + 500);
    collector.endList(start + 400);

    expect(collector.take(10)).toMatchObject([
      {
        owner: 'rs-1',
        record: { uid: 'not-a-uuid', node: 'n-a', revision: '1', startedAt: start, endedAt: start + 400 },
      },
    ]);
    expect(collector.followed).toBe(1);
  });

  it('drops and counts records beyond its limit, and records them when they are observed again', () => {
    const collector = createCollector({ pods: 100, waiting: 1 });
    const other = watched({ uid: 'other', statuses: [waiting(1, { from: 1, to: 9 })] });
    collector.see(crashing, false, start);
    collector.see(other, false, start);
    expect([collector.waiting, collector.dropped]).toEqual([1, 1]);
    collector.take(10);
    collector.see(other, false, start);
    expect(collector.take(10)).toHaveLength(1);
  });

  it('continues to record when there are more pods than it can follow', () => {
    const collector = createCollector({ pods: 1, waiting: 100 });
    collector.see(watched(), false, start);
    collector.see(watched({ uid: 'other', statuses: [waiting(1, { from: 1, to: 9 })] }), false, start);
    expect(collector.followed).toBe(1);
    expect(collector.take(10)).toMatchObject([{ record: { uid: 'other' } }]);
  });

  it('merges a record that could not be written with a newer one', () => {
    const collector = createCollector(limits);
    collector.see(crashing, false, start);
    const taken = collector.take(10);
    collector.see(watched({ statuses: [waiting(2, { from: 20, to: 30 })] }), false, start);
    collector.putBack(taken);
    const [{ record } = { record: undefined }] = collector.take(10);
    expect(record?.containers[0]?.runs.map(({ n }) => n)).toEqual([1, 2]);
  });
});
