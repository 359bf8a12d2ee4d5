import { setMaxListeners } from 'node:events';
import { namesBehindPod } from '../../doctor/alerts/label-names.js';
import type { NamedWorkload } from '../../doctor/commands/command.js';
import { isClusterVisible, type Sight } from '../../doctor/policy/view.js';
import type { Located, WorkloadLocator } from '../../service/alerts/alert-ports.js';
import type { ClusterNames } from '../../service/clusters/find-in-clusters.js';
import type { Unreadable } from '../../service/diagnose/cluster-reader.js';
import { inTurns } from './gathering.js';

interface WorkloadLocatorDeps {
  /** The clusters of this moment, the default one first. */
  readonly clusters: () => readonly ClusterNames[];
  /** Deadline of one question, in milliseconds. */
  readonly timeoutMs: number;
}

/** Names asked for at the same time for one question. */
const atOnce = 6;

/** Finds workloads by name, by pod, by node and by namespace; each answer holds only what exists. */
export function createWorkloadLocator({ clusters, timeoutMs }: WorkloadLocatorDeps): WorkloadLocator {
  const asked = (cluster: string | undefined, sight: Sight) =>
    clusters().filter(
      (each) => (cluster === undefined || each.cluster === cluster) && isClusterVisible(sight, each.cluster),
    );

  async function everywhere(
    cluster: string | undefined,
    signal: AbortSignal | undefined,
    sight: Sight,
    ask: (names: ClusterNames, deadline: AbortSignal) => Promise<Located | Unreadable>,
  ): Promise<Located | Unreadable> {
    const deadline = within(timeoutMs, signal);
    return merged(await Promise.all(asked(cluster, sight).map((names) => ask(names, deadline))));
  }

  const named = async (queries: readonly NamedWorkload[], sight: Sight, signal?: AbortSignal) => {
    const answers = await inTurns(atOnce, queries, (query) =>
      everywhere(query.cluster, signal, sight, (names, deadline) => names.named(query, sight, deadline)),
    );
    return merged(answers);
  };

  return {
    get clusters() {
      return clusters().map(({ cluster }) => cluster);
    },
    named,
    async ownerOf(pod, sight, signal) {
      const found = await everywhere(pod.cluster, signal, sight, (names, deadline) =>
        names.ownerOf(pod, sight, deadline),
      );
      if (found.type === 'unreadable' || found.workloads.length + found.others.length > 0) return found;
      return named(namesBehindPod(pod), sight, signal);
    },
    sufferingOn: ({ cluster, node }, sight, signal) =>
      everywhere(cluster, signal, sight, (names, deadline) => names.suffering({ node }, sight, deadline)),
    sufferingIn: ({ cluster, namespace }, sight, signal) =>
      everywhere(cluster, signal, sight, (names, deadline) =>
        names.suffering({ namespace }, sight, deadline),
      ),
  };
}

/** A cluster that does not answer is only reported when no other one knows anything. */
function merged(answers: readonly (Located | Unreadable)[]): Located | Unreadable {
  const found = answers.filter((each) => each.type === 'located');
  const workloads = found.flatMap((each) => each.workloads);
  const others = found.flatMap((each) => each.others);
  const unreadable = answers.find((each) => each.type === 'unreadable');
  if (workloads.length + others.length === 0 && unreadable !== undefined) return unreadable;
  return { type: 'located', workloads, others };
}

/** Ends after so many milliseconds, or with `signal`. */
export function within(ms: number, signal?: AbortSignal): AbortSignal {
  const deadline = AbortSignal.timeout(ms);
  return manyRequests(signal === undefined ? deadline : AbortSignal.any([deadline, signal]));
}

/** Allows a signal to end many requests at once; Node.js would take their listeners for a leak. */
export function manyRequests(signal: AbortSignal): AbortSignal {
  setMaxListeners(0, signal);
  return signal;
}
