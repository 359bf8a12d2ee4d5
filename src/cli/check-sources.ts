import { existsSync } from 'node:fs';
import { readScope } from '../adapters/kubernetes/read-scope.js';
import { type ClusterIndex, indexObjects } from '../core/cluster/cluster-index.js';
import type { ResourceKind } from '../core/cluster/cluster-objects.js';
import type { Pod } from '../core/cluster/pod.js';
import type { Unseen } from '../core/cluster/snapshot.js';
import { deadline } from './deadline.js';
import { exitStatus, failure } from './exit-status.js';
import { connect, notFound, recordedSource, unreadable } from './sources.js';

/** The cluster a check is made against, as far as one namespace is concerned. */
export interface World {
  readonly cluster: string;
  /** RFC3339. */
  readonly takenAt: string;
  readonly index: ClusterIndex;
  readonly unseen: readonly Unseen[];
}

export interface Against {
  readonly type: 'recorded' | 'live';
  /** @param pods that the update is going to create: the nodes they could use are read too */
  world(namespace: string, pods: readonly Pod[]): Promise<World>;
}

/** What the engines read before pods exist. */
const needs: ReadonlySet<ResourceKind> = new Set<ResourceKind>([
  'ReplicaSet',
  'ControllerRevision',
  'Pod',
  'Node',
  'Event',
  'Namespace',
  'ResourceQuota',
  'LimitRange',
  'PriorityClass',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'VolumeAttachment',
  'ResourceClaim',
  'ResourceClaimTemplate',
  'ResourceSlice',
  'DeviceClass',
  'NodeClaim',
]);

const timeoutMs = 120_000;

export interface AgainstOptions {
  /** A path of recorded objects, or a context of the kubeconfig; left out: the current context. */
  readonly against?: string;
  readonly at?: string;
  readonly kubeconfig?: string;
}

/** A file or folder of that name is taken before a context. @throws CommandFailure */
export async function againstSource({ against, at, kubeconfig }: AgainstOptions): Promise<Against> {
  if (against !== undefined && (existsSync(against) || /^\.{0,2}\//.test(against))) {
    const { recording, takenAt, cluster } = await recordedSource(against, at);
    const world: World = { cluster, takenAt, index: indexObjects(recording.objects), unseen: [] };
    return { type: 'recorded', world: async () => world };
  }
  if (at !== undefined) {
    throw failure(exitStatus.usage, 'time-without-recording', {});
  }
  const [connection] = connect(kubeconfig, against);
  if (connection === undefined) {
    throw failure(exitStatus.unseen, 'no-cluster', {});
  }
  return {
    type: 'live',
    async world(namespace, pods) {
      const scope = await readScope(connection.call, {
        cluster: connection.name,
        namespace,
        needs,
        planned: pods,
        signal: deadline(timeoutMs),
        now: () => new Date(),
      });
      if (scope.type === 'unreadable') throw unreadable(scope);
      if (scope.type === 'not-found') throw notFound(scope);
      const { takenAt, index, unseen } = scope;
      return { cluster: connection.name, takenAt, index, unseen };
    },
  };
}
