import type { Pod } from '../cluster/pod.js';
import { podKey } from '../cluster/pod-key.js';
import type { ResourceQuota } from '../cluster/quota.js';
import type { Workload } from '../cluster/workload.js';
import type { Placement } from '../placement/placement.js';
import type { Difference, PodSimulator } from '../rollout/pod-oracle.js';
import { admission } from '../rollout/quota-admission.js';
import { createRunningQuotaUsage } from '../rollout/running-quota-usage.js';
import { isSimulated } from '../rollout/simulated-pods.js';
import { contestOf } from './contested-oracle.js';
import { createNodeChoice, type Preference } from './node-choice.js';

export interface PodSimulatorOptions {
  readonly placement: Placement;
  /** The workload that is played. */
  readonly workload: Workload;
  /** Epoch milliseconds. */
  readonly now: number;
  /** The pod as the API server would store it; the same object for the same pod. */
  readonly stored: (pod: Pod) => Pod;
  readonly prefers: Preference;
  /** Left out: every pod becomes ready. */
  readonly becomesReady?: PodSimulator['becomesReady'];
  /** Whether it keeps the promise of `PodSimulator.countPlaces`. */
  readonly countsPlaces: boolean;
  /** Quotas that other workloads compete for. */
  readonly quotas: readonly ResourceQuota[];
  /** Whether pods that the quotas refuse are not created. */
  readonly admitsByQuota: boolean;
}

export interface ClusterSimulator extends PodSimulator {
  /** The cluster as it would be after these changes. */
  readonly after: (difference: Pick<Difference, 'gone' | 'placed'>) => Placement;
  /** The pod as the API server would store it. */
  readonly stored: (pod: Pod) => Pod;
  /**
   * True once a pod could have gone to several nodes, unless it goes to any: then the outcome may depend on
   * the choice.
   */
  readonly hadChoice: () => boolean;
}

/**
 * Which devices are in use is worked out from all claims for each pod that is placed, each claim in so many
 * steps.
 */
const unitsPerClaim = 4;

/**
 * Answers the rollout engine's questions with the placement engine and the quotas, for diagnoses, requested
 * changes and checks. Where pods of other workloads wait, or a quota refuses them, the rollout is played
 * against them too (`contest`).
 */
export function createPodSimulator(options: PodSimulatorOptions): ClusterSimulator {
  const { placement, workload, now, stored, prefers, quotas } = options;
  const nodes = createNodeChoice(placement, stored);
  const usage = {
    removed: createRunningQuotaUsage(now, stored),
    added: createRunningQuotaUsage(now, stored),
  };
  let chosen = false;
  let deviceWork = 0;
  const workOfDevices = placement.index.objects.ResourceClaim.length * unitsPerClaim;
  const simulator: ClusterSimulator = {
    after: ({ gone, placed }) =>
      placement.with({ add: placed.map(stored), remove: new Set(gone.map(podKey)) }),
    stored,
    hadChoice: () => chosen,
    placementOf(pod, difference) {
      const { name, hadChoice } = nodes.choose(pod, difference, prefers);
      chosen ||= hadChoice;
      deviceWork += workOfDevices;
      return name;
    },
    mayBePlaced: (pod, gone) =>
      placement.missesNodes ||
      simulator.after({ gone, placed: [] }).evaluate(stored(pod)).outcome === 'not-simulated',
    becomesReady: options.becomesReady ?? (() => true),
    likenessOf: nodes.likenessOf,
    takeWork: () => {
      const spent = deviceWork + nodes.takeWork();
      deviceWork = 0;
      return spent;
    },
    ...(placement.work === undefined ? {} : { work: placement.work }),
    ...(options.countsPlaces
      ? {
          countPlaces(own, wanted) {
            const places = nodes.countPlaces(own, wanted);
            chosen ||= (places?.size ?? 0) > 1;
            return places;
          },
        }
      : {}),
    ...(options.admitsByQuota && quotas.length > 0
      ? {
          admits: (pod, { gone, created }) =>
            admission(stored(pod), quotas, now, { removed: gone, added: created, usage }).kind === 'admitted',
        }
      : {}),
  };
  return {
    ...simulator,
    contest: (own) => contestOf({ base: simulator, placement, stored, own, workload, quotas, now }),
  };
}

/** Completes each simulated pod once. Observed pods are complete. */
export function storedBy(complete: (pod: Pod) => Pod): (pod: Pod) => Pod {
  const known = new WeakMap<Pod, Pod>();
  return (pod) => {
    if (!isSimulated(pod)) return pod;
    const stored = known.get(pod) ?? complete(pod);
    known.set(pod, stored);
    return stored;
  };
}
