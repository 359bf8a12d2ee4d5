import { kueueMarks } from '../objects/kueue.js';
import type { Pod } from '../objects/pod.js';
import type { Workload } from '../objects/workload.js';
import type { PodSimulator } from '../workloads/pod-simulator.js';
import { isSimulated } from '../workloads/simulated-pods.js';

/** Kinds whose pods Kueue admits one by one; those of other kinds are groups, which keep their quota. */
const admittedByPod: ReadonlySet<Workload['kind']> = new Set(['Deployment', 'Rollout']);

/**
 * Answers for a rollout in a queue of Kueue whose quota was not read, as no pod waits for it. Each pod that
 * is created later waits at the gate, and another Workload may be admitted first, so that the queue itself
 * counts as a competitor. Pods that exist without the gate have been admitted.
 */
export function besideUnreadQueue(base: PodSimulator, { kind, metadata, spec }: Workload): PodSimulator {
  const name = spec.template.metadata.labels[kueueMarks.queue];
  if (name === undefined || !admittedByPod.has(kind)) return base;
  const queue = { kind: 'LocalQueue', namespace: metadata.namespace, name };
  const { likenessOf } = base;
  return {
    ...base,
    ...(likenessOf === undefined
      ? {}
      : { likenessOf: (pod) => (isYetToBeAdmitted(pod) ? undefined : likenessOf(pod)) }),
    contest(own) {
      const others = base.contest?.(own);
      const place = others?.simulator.placementOf ?? base.placementOf;
      let isAsked = false;
      return {
        simulator: {
          ...others?.simulator,
          placementOf(pod, difference) {
            if (!isYetToBeAdmitted(pod)) return place(pod, difference);
            isAsked = true;
            return undefined;
          },
        },
        competitors: [...(others?.competitors ?? []), queue],
        winners: () => [...(others?.winners() ?? []), ...(isAsked ? [queue] : [])],
      };
    },
  };
}

function isYetToBeAdmitted(pod: Pod): boolean {
  return isSimulated(pod) && kueueMarks.queue in pod.metadata.labels;
}
