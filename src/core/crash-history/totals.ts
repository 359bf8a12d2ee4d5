import { isBadEnd, lengthOfRun, type PodRecord } from '../cluster/pod-record.js';

/** What the pods of one revision did on one node. */
export interface NodeTotals {
  readonly revision: string;
  readonly node: string;
  readonly pods: number;
  /** Seconds that containers ran in the runs that are kept. */
  readonly containerSeconds: number;
  /** Runs begun, by `restartCount`; those of containers that never restarted are not kept one by one. */
  readonly runsStarted: number;
  /** Runs that ended badly among those kept, by exit (`139`, `137 OOMKilled`), most first. */
  readonly badEnds: readonly { readonly exit: string; readonly runs: number }[];
  /** Runs that ended and are no longer kept one by one, or whose end nobody saw. */
  readonly notItemised: number;
}

/** Sums per revision and node, by revision, then node. The same set of records gives the same totals. */
export function totalsOf(records: readonly PodRecord[]): readonly NodeTotals[] {
  const groups = new Map<string, [PodRecord, ...PodRecord[]]>();
  for (const record of records) {
    const key = JSON.stringify([record.revision, record.node]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [record]);
    else known.push(record);
  }
  return [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => totalOf(group));
}

function totalOf(records: readonly [PodRecord, ...PodRecord[]]): NodeTotals {
  const [{ revision, node }] = records;
  const containers = records.flatMap((record) =>
    record.containers.map((container) => ({ record, container })),
  );
  const runs = containers.flatMap(({ container }) => container.runs);
  const exits = new Map<string, number>();
  for (const run of runs.filter(isBadEnd)) {
    const exit =
      run.reason === '' || run.reason === 'Error' ? `${run.exitCode}` : `${run.exitCode} ${run.reason}`;
    exits.set(exit, (exits.get(exit) ?? 0) + 1);
  }
  return {
    revision,
    node,
    pods: records.length,
    containerSeconds: runs.reduce((sum, run) => sum + (lengthOfRun(run) ?? 0), 0),
    runsStarted: containers.reduce((sum, { container }) => sum + container.restarts + 1, 0),
    badEnds: [...exits]
      .map(([exit, count]) => ({ exit, runs: count }))
      .sort((a, b) => b.runs - a.runs || (a.exit < b.exit ? -1 : 1)),
    notItemised: containers.reduce(
      (sum, { container }) =>
        sum +
        Math.max(0, container.restarts - container.runs.filter(({ n }) => n < container.restarts).length),
      0,
    ),
  };
}
