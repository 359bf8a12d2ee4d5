import type { Statement } from '../../../engine/language/statement.js';
import { isActive, isReady, type Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { readinessLostAt } from '../crashes/classify-container.js';
import { type ContainerView, containersOf } from '../crashes/container-view.js';
import type { FailureGroup } from '../crashes/failure-group.js';
import { currentRevision } from '../crashes/failure-group.js';
import type { PodCause, PodFailure } from '../crashes/pod-failure.js';
import type { Evidence } from '../finding.js';

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
 * The failing runs of a failure that no end of a container ends. Empty for another failure, where one of the
 * runs is not known, and for a former revision, whose pods the present rollout replaces.
 */
export function failingRuns(snapshot: Snapshot, failureGroup: FailureGroup): readonly FailingRun[] {
  const { cause, container, revision, podFailures } = failureGroup;
  if (!ofRunning.has(cause) || container === '' || revision !== currentRevision(snapshot)) return [];
  const runs = podFailures.flatMap((podFailure) => runOf(podFailure) ?? []);
  return runs.length === podFailures.length ? runs : [];
}

function runOf({ pod, container }: PodFailure): FailingRun | undefined {
  const started = container?.status?.state.running?.startedAt;
  const startedAt = Date.parse(started ?? '');
  if (container === undefined || Number.isNaN(startedAt)) return undefined;
  const lostAt = readinessLostAt(pod, started);
  return { pod, container, startedAt, failingSince: Number.isNaN(lostAt) ? startedAt : lostAt };
}

/**
 * Pods of the same revision that are ready, each with the start of the same container in epoch milliseconds.
 */
export function readySiblings({
  siblings,
  podFailures,
  container,
}: FailureGroup): readonly { readonly pod: Pod; readonly startedAt: number }[] {
  const failing = new Set(podFailures.map(({ pod }) => pod.metadata.uid));
  return siblings
    .filter((pod) => isActive(pod) && isReady(pod) && !failing.has(pod.metadata.uid))
    .map((pod) => ({ pod, startedAt: startOf(pod, container) }));
}

/** An init container that ended started then as well. */
function startOf(pod: Pod, name: string): number {
  const { running, terminated } = containersOf(pod).find((each) => each.name === name)?.status?.state ?? {};
  return Date.parse(running?.startedAt ?? terminated?.startedAt ?? '');
}

/**
 * What speaks for a restart, or against it in particular. Where nothing is known of either, there is no case.
 */
export type RestartCase =
  | {
      readonly kind: 'helps';
      /** Further steps of the finding's reasoning. */
      readonly reasoning: readonly Statement[];
      /**
       * Why new pods would do better than those that run, and how sure that is; shown before the restart's
       * effects.
       */
      readonly because: readonly Statement[];
      readonly evidence: readonly Evidence[];
    }
  | { readonly kind: 'in-vain'; readonly because: Statement };
