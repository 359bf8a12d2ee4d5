import { isActive, isReady, type Pod } from '../../cluster/pod.js';
import type { Snapshot } from '../../cluster/snapshot.js';
import type { Ailment, PodCause } from '../crashes/ailment.js';
import type { ContainerView } from '../crashes/container-view.js';
import { containersOf } from '../crashes/container-view.js';
import { currentRevision } from '../crashes/current-revision.js';
import type { Sickness } from '../crashes/sickness.js';
import { readinessLostAt } from '../crashes/unready.js';

/** A container that runs and does not do its work. Times are epoch milliseconds. */
export interface FailingRun {
  readonly pod: Pod;
  readonly container: ContainerView;
  readonly startedAt: number;
  /** When it stopped being ready; its start where it never was ready in this run. */
  readonly failingSince: number;
}

/** A crash ends the run by itself: the next one reads its configuration anew. */
const ofRunning: ReadonlySet<PodCause> = new Set(['readiness-failing', 'init-container-stuck']);

/**
 * The failing runs of a failure that no end of a container ends. Empty for another failure, where one of the runs is not
 * known, and for a former revision, whose pods the present rollout replaces.
 */
export function failingRuns(snapshot: Snapshot, sickness: Sickness): readonly FailingRun[] {
  const { cause, container, revision, ailments } = sickness;
  if (!ofRunning.has(cause) || container === '' || revision !== currentRevision(snapshot)) return [];
  const runs = ailments.flatMap((ailment) => runOf(ailment) ?? []);
  return runs.length === ailments.length ? runs : [];
}

function runOf({ pod, container }: Ailment): FailingRun | undefined {
  const started = container?.status?.state.running?.startedAt;
  const startedAt = Date.parse(started ?? '');
  if (container === undefined || Number.isNaN(startedAt)) return undefined;
  const lostAt = readinessLostAt(pod, started);
  return { pod, container, startedAt, failingSince: Number.isNaN(lostAt) ? startedAt : lostAt };
}

/** Pods of the same revision that are ready, each with the start of the same container in epoch milliseconds. */
export function readySiblings({
  siblings,
  ailments,
  container,
}: Sickness): readonly { readonly pod: Pod; readonly startedAt: number }[] {
  const failing = new Set(ailments.map(({ pod }) => pod.metadata.uid));
  return siblings
    .filter((pod) => isActive(pod) && isReady(pod) && !failing.has(pod.metadata.uid))
    .map((pod) => ({ pod, startedAt: startOf(pod, container) }));
}

/** An init container that ended started then as well. */
function startOf(pod: Pod, name: string): number {
  const { running, terminated } = containersOf(pod).find((each) => each.name === name)?.status?.state ?? {};
  return Date.parse(running?.startedAt ?? terminated?.startedAt ?? '');
}
