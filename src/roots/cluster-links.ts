import type { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import { connectClusters } from '../edges/kubernetes/cluster-connection.js';
import type { ClusterReaderDeps } from '../edges/kubernetes/cluster-reader.js';
import { within } from '../edges/kubernetes/locate-workloads.js';
import type { Metrics } from '../edges/metrics/metrics.js';
import type { createBullMqJobQueue, JobPlace } from '../edges/redis/bullmq-job-queue.js';
import { createRedisClusterAnswers, followClusterRoll } from '../edges/redis/redis-clusters.js';
import type { ApprovalSigner } from '../service/approve/approval-ports.js';
import { type AskCluster, createAskCluster } from '../service/clusters/ask-cluster.js';
import type { ClusterOfJobDeps } from '../service/clusters/cluster-of-job.js';
import { clusterOfJob, clusterQueues, isClusterQueue } from '../service/clusters/cluster-of-job.js';
import type { ClusterRoll } from '../service/clusters/cluster-roll.js';
import { type ClusterNames, findInClusters } from '../service/clusters/find-in-clusters.js';
import { createRemoteNames } from '../service/clusters/name-answers.js';
import type { ClusterReader, Unreadable } from '../service/diagnose/cluster-reader.js';
import { type Inspected, inspected } from '../service/inspect/inspection.js';
import { type Jobs, type QueueName, queueNames } from '../service/jobs/jobs.js';
import type { JobQueue, NewId, SharedClock } from '../service/records/process-ports.js';
import { type ClusterAccess, type Config, clusterAccessOf } from '../settings/config.js';

/** How a process without credentials for any cluster reaches the clusters: through the workers of each. */
export interface ClusterLinks {
  readonly roll: ClusterRoll;
  readonly ask: AskCluster;
  /** The clusters of this moment, by name. */
  readonly names: () => readonly ClusterNames[];
  /** Finds names. Snapshots are never taken here: they hold more than may be stored in Redis. */
  readonly cluster: ClusterReader;
  close(): void;
}

interface ClusterLinksDeps {
  readonly redis: Redis;
  readonly prefix: string;
  readonly jobs: JobQueue;
  readonly newId: NewId;
  readonly sharedClock: SharedClock;
  /** Signs questions about names, and checks their answers. */
  readonly signerOf: (cluster: string) => ApprovalSigner;
  /** Deadlines of the worker's own reads, in milliseconds. */
  readonly findTimeoutMs: number;
  readonly timeoutMs: number;
}

/** For the way of question and answer, in milliseconds. */
const wayMs = 2_000;
const unreadable: Unreadable = { type: 'unreadable', because: 'not-by-app', message: '' };

export function createClusterLinks(deps: ClusterLinksDeps): ClusterLinks {
  const { redis, prefix, jobs, newId, sharedClock, signerOf, findTimeoutMs, timeoutMs } = deps;
  const roll = followClusterRoll({ redis, prefix });
  const answers = createRedisClusterAnswers({ redis, prefix });
  const ask = createAskCluster({ answers, jobs, newId, sharedClock });
  const namesWithin = (withinMs: number) => (): readonly ClusterNames[] =>
    roll.clusters.map((cluster) => createRemoteNames(cluster, { ask, roll, signerOf, withinMs }));
  const findable = namesWithin(findTimeoutMs + wayMs);
  return {
    roll,
    ask,
    names: namesWithin(timeoutMs + wayMs),
    cluster: {
      get clusters() {
        return roll.clusters;
      },
      find: (query, sight, signal) =>
        findInClusters(findable(), query, sight, within(findTimeoutMs + wayMs, signal)),
      snapshot: async () => unreadable,
      scope: async () => unreadable,
    },
    close: roll.close,
  };
}

/** Where each cluster has workers of its own: to which of them a job goes. */
export function placeOfJob(deps: ClusterOfJobDeps) {
  return async <Name extends QueueName>(queue: Name, job: Jobs[Name]): Promise<JobPlace | undefined> => {
    const place = await clusterOfJob(queue, job, deps);
    return place === 'beside-app' ? 'anywhere' : place && { cluster: place.cluster };
  };
}

/**
 * The queues that a process counts: those of its cluster; beside the app, those of no cluster and of all
 * clusters.
 */
export function queuesOf(
  { queueAt }: Pick<ReturnType<typeof createBullMqJobQueue>, 'queueAt'>,
  access: ClusterAccess,
  known: readonly string[],
): readonly { readonly queue: QueueName; readonly cluster: string; readonly bull: Queue }[] {
  const anywhere = (queue: QueueName) => ({ queue, cluster: '', bull: queueAt(queue, 'anywhere') });
  const ofCluster = (cluster: string) =>
    clusterQueues.map((queue) => ({ queue, cluster, bull: queueAt(queue, { cluster }) }));
  switch (access.type) {
    case 'direct':
      return queueNames.filter((queue) => queue !== 'question' && queue !== 'review').map(anywhere);
    case 'own-cluster':
      return ofCluster(access.cluster);
    case 'beside-app':
      return [
        ...queueNames.filter((queue) => !isClusterQueue(queue)).map(anywhere),
        ...known.flatMap(ofCluster),
      ];
  }
}

/** Whether the issuer of the login answers; missing where the policy demands a login and no issuer is set. */
export async function inspectLoginSettings({
  issuer,
  policy,
}: {
  issuer: string | undefined;
  /** Absent where it could not be read. */
  policy: Config['policy'] | undefined;
}): Promise<readonly Inspected[]> {
  if (issuer === undefined) {
    const isDemanded = policy?.demands.some((demand) => demand.login) === true;
    return isDemanded ? [inspected('configuration', 'missing', 'login-unset', {})] : [];
  }
  // The client of OpenID Connect is loaded for this alone.
  const { inspectLogin } = await import('../edges/login/openid-login.js');
  return [await inspectLogin({ issuer })];
}

/** Clusters to read, with what a process watches of them. */
export type Clusters = Pick<ClusterReaderDeps, 'connections' | 'nodes' | 'pods'>;

/**
 * None where each cluster has workers of its own and this process serves no cluster.
 *
 * @throws when the kubeconfig cannot be used
 */
export function clustersOf(config: Config, { onClusterRequest }: Metrics): Clusters {
  const { kubeconfig, clusters, clusterName } = config;
  if (clusterAccessOf(config).type === 'beside-app') return { connections: [] };
  return {
    connections: connectClusters({
      kubeconfig,
      contexts: clusters,
      onlyAs: clusterName,
      onRequest: onClusterRequest,
    }),
  };
}
