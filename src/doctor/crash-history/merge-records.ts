import {
  type ContainerRecord,
  earlierTime,
  keptRuns,
  type PodRecord,
  type RunRecord,
} from '../../engine/objects/pod-record.js';

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
