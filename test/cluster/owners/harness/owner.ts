import type { Verdict } from '#src/engine/owners/field-drift.js';
import type { OwnerObjects } from '#src/engine/owners/owner-objects.js';
import type { Stage } from './stage.js';

/** How the owner's next act ended. */
export interface Act {
  /** Fields that the API server named in a conflict, as paths of a change. */
  readonly conflicts: readonly string[];
  /** What the owner reported; for the message of a failing test. */
  readonly report: string;
}

/** A program that declares the workload. */
export interface WorkloadOwner {
  /** For the table of results: program and method. */
  readonly name: string;
  /** Its first act: the workload exists afterwards. */
  install(stage: Stage): Promise<void>;
  /** Its next act, on what it declares by then. */
  act(stage: Stage): Promise<Act>;
  /** The same act with force, for owners whose act can be refused with a conflict. */
  force?(stage: Stage): Promise<void>;
  /** Lets go of the workload, for owners that would create it again. */
  release?(stage: Stage): Promise<void>;
  /** The objects behind its marks on the workload. */
  objects(stage: Stage): Promise<OwnerObjects>;
  /** Verdicts that say when this owner reverts a field. */
  readonly reverts: readonly Verdict['type'][];
}

/**
 * `conflicts with "rollout-doctor" using apps/v1: .spec.paused`, or a list of such paths below that line. The
 * list of containers writes its names as in `.spec.template.spec.containers[name="app"].image`.
 */
export function conflictsIn(output: string): readonly string[] {
  if (!/conflict/iu.test(output)) return [];
  const paths = output.match(/(?<=(?:^|\s)(?:- )?)\.spec\.[^\s,]+/gmu) ?? [];
  return [...new Set(paths.map((path) => path.slice(1).replace(/\[name="([^"]+)"\]/gu, '[$1]')))];
}
