import * as z from 'zod';
import type { ContainerRecord, PodRecord, RunRecord } from '../../engine/objects/pod-record.js';
import { earlierTime, keptRuns } from '../../engine/objects/pod-record.js';
import type { Immutable } from '../../engine/objects/wire.js';

/**
 * What two observations of one pod say together. Associative, commutative and idempotent: a replay, a list
 * after a watch, a second watcher or a restart of the first, in any order, change nothing and count nothing
 * twice.
 */
export function mergePodRecords(a: PodRecord, b: PodRecord): PodRecord {
  const startedAt = earlierTime(a.startedAt, b.startedAt);
  const endedAt = earlierTime(a.endedAt, b.endedAt);
  return {
    v: 1,
    uid: a.uid,
    name: greater(a.name, b.name),
    node: greater(a.node, b.node),
    revision: greater(a.revision, b.revision),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    containers: mergeContainers(a.containers, b.containers),
  };
}

function mergeContainers(
  a: readonly ContainerRecord[],
  b: readonly ContainerRecord[],
): readonly ContainerRecord[] {
  const byName = new Map<string, ContainerRecord>();
  for (const one of [...a, ...b]) {
    const known = byName.get(one.name);
    byName.set(one.name, known === undefined ? normal(one) : mergeContainer(known, one));
  }
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

function mergeContainer(a: ContainerRecord, b: ContainerRecord): ContainerRecord {
  const firstBad = earlier(a.firstBad, b.firstBad);
  return normal({
    name: a.name,
    role: greater(a.role, b.role),
    restarts: Math.max(a.restarts, b.restarts),
    runs: [...a.runs, ...b.runs],
    ...(firstBad === undefined ? {} : { firstBad }),
  });
}

/** One entry a run, rising, and no more than the last ones: of what was ever seen the same ones stay. */
function normal(container: ContainerRecord): ContainerRecord {
  const byNumber = new Map<number, RunRecord>();
  for (const run of container.runs) {
    const known = byNumber.get(run.n);
    if (known === undefined || order(run) > order(known)) byNumber.set(run.n, run);
  }
  const runs = [...byNumber.values()].sort((one, other) => one.n - other.n).slice(-keptRuns);
  return { ...container, runs };
}

/** Two reports of one end: the one that explains it wins, then any fixed order will do. */
function order({ stopped, finishedAt, startedAt, exitCode, signal, reason }: RunRecord): string {
  const digits = (value: number | undefined): string => String(value ?? 0).padStart(12, '0');
  return [
    stopped ? 1 : 0,
    digits(finishedAt),
    digits(startedAt),
    digits(exitCode),
    digits(signal),
    reason,
  ].join(' ');
}

type FirstBad = NonNullable<ContainerRecord['firstBad']>;

function earlier(a: FirstBad | undefined, b: FirstBad | undefined): FirstBad | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.finishedAt !== b.finishedAt) return a.finishedAt < b.finishedAt ? a : b;
  return (a.seconds ?? -1) >= (b.seconds ?? -1) ? a : b;
}

function greater<Text extends string>(a: Text, b: Text): Text {
  return a >= b ? a : b;
}

const seconds = z.number().int().min(0);

/** What time the history covers for a namespace, or for all: times are epoch seconds. */
export const Coverage = z.object({
  v: z.literal(1),
  /** Since when pods have been watched. */
  since: seconds,
  /** Until when; it moves on while the watch is in step. */
  upTo: seconds,
  /** Times between, rising, in which nobody watched: who came and went then is not known. */
  gaps: z.array(z.object({ from: seconds, to: seconds })),
});
export type Coverage = Immutable<z.output<typeof Coverage>>;

/** Gaps kept; the history of a watch with more of them begins after the oldest that was dropped. */
const keptGaps = 24;

/**
 * The coverage after pods were seen in step from `from` to `now`: what lies between the former end and `from`
 * is a gap. What is older than `keepSeconds` is forgotten, as the records are.
 */
export function coveredUntil(
  known: Coverage | undefined,
  from: number,
  now: number,
  keepSeconds: number,
): Coverage {
  const oldest = now - keepSeconds;
  if (known === undefined || known.upTo < oldest)
    return { v: 1, since: from, upTo: Math.max(from, now), gaps: [] };
  const all = from > known.upTo ? [...known.gaps, { from: known.upTo, to: from }] : known.gaps;
  const recent = all.filter(({ to }) => to > oldest);
  const gaps = recent.slice(-keptGaps);
  const dropped = recent.at(-keptGaps - 1);
  return {
    v: 1,
    since: Math.max(known.since, oldest, dropped?.to ?? 0),
    upTo: Math.max(known.upTo, now),
    gaps,
  };
}
