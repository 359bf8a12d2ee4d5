import { compareText, groupBy } from '../collections/collections.js';

/**
 * One life of a pod on one node: the unit of evidence. Its restarts share everything, so that they count as
 * one; a pod that was recreated has a new uid and is another incarnation.
 */
export interface Incarnation {
  readonly uid: string;
  readonly node: string;
  /** Kind, namespace and name, or any other string that tells workloads apart. */
  readonly workload: string;
  /** The pod-template-hash or controller revision. */
  readonly revision: string;
  /** At least one crash in the window that counts. */
  readonly crashed: boolean;
  /** How long it has been watched, in seconds; absent when not known. */
  readonly observedSeconds?: number;
  /** From a container's start to its crash, in seconds, typically; absent for healthy ones. */
  readonly secondsToCrash?: number;
  /** When it lived; absent where nothing but the present is known. */
  readonly life?: Life;
}

/** The time in which an incarnation was under watch, in epoch seconds. */
export interface Life {
  readonly bornAt: number;
  /** Its birth, or the beginning of what is known. */
  readonly from: number;
  /** Its end, or now. */
  readonly until: number;
  /** Its first crash in that time. */
  readonly crashedAt?: number;
}

/** Incarnations of the same workload and revision have the same key. */
export function stratumOf({ workload, revision }: Incarnation): string {
  return JSON.stringify([workload, revision]);
}

/**
 * Healthy incarnations that are younger than crashed ones of their workload typically were when they crashed
 * have not had their chance yet: counting them as healthy would flatter their nodes. They are set apart, not
 * counted.
 */
export function setCensoredApart(incarnations: readonly Incarnation[]): {
  readonly counted: readonly Incarnation[];
  readonly censored: readonly Incarnation[];
} {
  const crashed = groupBy(
    incarnations.filter((one) => one.crashed),
    ({ workload }) => workload,
  );
  const typical = new Map(
    [...crashed].map(([workload, ones]) => [
      workload,
      median(ones.flatMap(({ secondsToCrash }) => secondsToCrash ?? [])),
    ]),
  );
  const isCensored = ({ crashed, observedSeconds = Number.POSITIVE_INFINITY, workload }: Incarnation) =>
    !crashed && observedSeconds < (typical.get(workload) ?? 0);
  return {
    counted: incarnations.filter((one) => !isCensored(one)),
    censored: incarnations.filter(isCensored),
  };
}

/** One entry a uid (crashed if any was), in an order that does not depend on the input's. */
export function distinct(incarnations: readonly Incarnation[]): readonly Incarnation[] {
  const sorted = [...incarnations].sort(compareIncarnations);
  return [...groupBy(sorted, ({ uid }) => uid).values()]
    .map((same) => same.find(({ crashed }) => crashed) ?? same[0])
    .sort(compareIncarnations);
}

function compareIncarnations(a: Incarnation, b: Incarnation): number {
  return (
    compareText(a.workload, b.workload) ||
    compareText(a.revision, b.revision) ||
    compareText(a.node, b.node) ||
    compareText(a.uid, b.uid)
  );
}

/** 0 without any. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}
