import { basename, resolve } from 'node:path';
import { connectClusters } from '../adapters/kubernetes/cluster-connection.js';
import { createClusterReader } from '../adapters/kubernetes/cluster-reader.js';
import { readScope } from '../adapters/kubernetes/read-scope.js';
import { type Recording, readRecording } from '../adapters/recording/read-recording.js';
import { findInRecording, snapshotsOf, workloadsIn } from '../adapters/recording/recorded-workloads.js';
import { RecordingError } from '../adapters/recording/recording-error.js';
import { fullSight } from '../core/authorization/view.js';
import { controllerOf } from '../core/cluster/metadata.js';
import type { Snapshot } from '../core/cluster/snapshot.js';
import { type Workload, WorkloadKind, type WorkloadRef } from '../core/cluster/workload.js';
import type {
  ClusterReader,
  NotFound,
  Unreadable,
  WorkloadQuery,
} from '../usecases/diagnose/cluster-reader.js';
import { deadline } from './deadline.js';
import { type CommandFailure, exitStatus, failure } from './exit-status.js';

type Needs = Parameters<ClusterReader['snapshot']>[1];

/** Where a command reads: recorded objects or live clusters. */
export interface Source {
  /** The one workload a query means. @throws CommandFailure */
  one(query: WorkloadQuery, needs: Needs): Promise<Snapshot>;
}

export interface RecordedSource extends Source {
  readonly recording: Recording;
  readonly takenAt: string;
  /** The name shown for the recording. */
  readonly cluster: string;
  /** Every workload, optionally of one namespace. @throws CommandFailure when there is none */
  all(namespace: string | undefined): readonly Snapshot[];
}

/**
 * @param path file or folder of `kubectl get … -o json|yaml`
 * @param at RFC3339; without it the newest time in the recording
 */
export async function recordedSource(path: string, at: string | undefined): Promise<RecordedSource> {
  const recording = await readRecording(path).catch((error: unknown) => {
    if (error instanceof RecordingError) throw fileUnusable(error);
    throw error;
  });
  const takenAt = momentOf(at) ?? recording.newest ?? new Date().toISOString();
  const cluster = basename(resolve(path));
  const snapshotOf = snapshotsOf(recording, takenAt, cluster);
  return {
    recording,
    takenAt,
    cluster,
    async one(asked) {
      const query = ownerInRecording(recording, asked);
      const found = findInRecording(recording, query);
      if (found.type === 'not-found') {
        const broken = recording.malformed.find(({ name }) => name === query.name);
        if (broken !== undefined) throw fileUnusable(broken.error);
        throw workloadUnknown(nameOf(query), found.nearest, 'recording');
      }
      const [workload, ...others] = found.workloads;
      if (workload === undefined) throw workloadUnknown(nameOf(query), [], 'recording');
      if (others.length > 0) {
        throw ambiguous(
          nameOf(query),
          found.workloads.map(({ kind, metadata }) => ({ kind, ...metadata })),
        );
      }
      return snapshotOf(workload);
    },
    all(namespace) {
      const all = workloadsIn(recording);
      const chosen = all.filter(
        ({ metadata }) => namespace === undefined || metadata.namespace === namespace,
      );
      if (chosen.length === 0) throw noWorkloads(namespace, all);
      return chosen.map(snapshotOf);
    },
  };
}

/** The query for the workload that owns the Pod or ReplicaSet that was named. @throws CommandFailure */
function ownerInRecording({ objects }: Recording, query: WorkloadQuery): WorkloadQuery {
  const { member, ...asked } = query;
  if (member === undefined) return query;
  const named = (kind: 'Pod' | 'ReplicaSet', name: string, namespace: string | undefined) =>
    objects[kind].find(
      ({ metadata }) =>
        metadata.name === name && (namespace === undefined || metadata.namespace === namespace),
    );
  const object = named(member, asked.name, asked.namespace);
  const controller = object && controllerOf(object);
  const namespace = object?.metadata.namespace;
  const replicaSet =
    controller?.kind === 'ReplicaSet' ? named('ReplicaSet', controller.name, namespace) : undefined;
  const owner = replicaSet === undefined ? controller : controllerOf(replicaSet);
  const kind = WorkloadKind.safeParse(owner?.kind);
  if (owner === undefined || namespace === undefined || !kind.success) {
    throw notFound({ type: 'not-found', what: 'owner', name: nameOf(query), nearest: [] });
  }
  return { ...asked, kind: kind.data, namespace, name: owner.name };
}

export interface LiveSource extends Source {
  /** Every workload of a namespace, or of all. @throws CommandFailure */
  all(
    namespace: string | undefined,
    needs: Needs,
    progress: (done: number, of: number) => void,
  ): Promise<readonly Snapshot[]>;
}

const timeoutMs = 30_000;
const findTimeoutMs = 10_000;
/** A whole cluster takes longer than one workload. */
const scanTimeoutMs = 300_000;

/** @param kubeconfig path; without it the default one. */
export function liveSource(kubeconfig: string | undefined, context: string | undefined): LiveSource {
  const connections = connect(kubeconfig, context);
  const reader = createClusterReader({
    connections,
    clock: { now: () => new Date() },
    timeoutMs,
    findTimeoutMs,
  });
  return {
    async all(namespace = '', needs, progress) {
      const [connection] = connections;
      if (connection === undefined) throw failure(exitStatus.unseen, 'no-cluster', {});
      const scope = await readScope(connection.call, {
        cluster: connection.name,
        namespace,
        needs,
        signal: deadline(scanTimeoutMs),
        now: () => new Date(),
        progress,
      });
      if (scope.type === 'unreadable') throw unreadable(scope);
      if (scope.type === 'not-found') throw notFound(scope);
      return scope.snapshots;
    },
    async one(query, needs) {
      const found = await reader.find(query, fullSight);
      if (found.type === 'unreadable') throw unreadable(found);
      if (found.type === 'not-found') throw notFound(found);
      const [ref, ...others] = found.workloads;
      if (ref === undefined) throw workloadUnknown(query.name, [], 'cluster');
      if (others.length > 0) throw ambiguous(nameOf(query), found.workloads);
      const read = await reader.snapshot(ref, needs);
      if (read.type === 'unreadable') throw unreadable(read);
      if (read.type === 'not-found') throw notFound(read);
      return read.snapshot;
    },
  };
}

export function connect(kubeconfig: string | undefined, context: string | undefined) {
  try {
    return connectClusters({ kubeconfig, contexts: context === undefined ? [] : [context] });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw failure(exitStatus.unseen, 'kubeconfig-unusable', { message });
  }
}

/** @throws CommandFailure, status 2, when it is no RFC3339 time */
function momentOf(at: string | undefined): string | undefined {
  if (at === undefined) return undefined;
  const time = Date.parse(at);
  if (Number.isNaN(time) || !/^\d{4}-\d\d-\d\dT/.test(at)) {
    throw failure(exitStatus.usage, 'time-invalid', { text: at });
  }
  return new Date(time).toISOString();
}

function nameOf({ cluster, kind, member, namespace, name }: WorkloadQuery): string {
  const shown = kind ?? member;
  return [cluster, namespace, shown === undefined ? name : `${shown.toLowerCase()}/${name}`]
    .filter((part) => part !== undefined)
    .join('/');
}

export function notFound({ what, name, nearest, known = [] }: NotFound): CommandFailure {
  switch (what) {
    case 'workload':
      return workloadUnknown(name, nearest, 'cluster');
    case 'namespace':
      return failure(exitStatus.unseen, 'namespace-unknown', { name, nearest });
    case 'cluster':
      return failure(exitStatus.unseen, 'cluster-unknown', { name, known });
    case 'owner':
      return failure(exitStatus.unseen, 'owner-unknown', { name });
  }
}

function workloadUnknown(
  name: string,
  nearest: readonly string[],
  where: 'recording' | 'cluster',
): CommandFailure {
  return failure(exitStatus.unseen, 'workload-unknown', { name, nearest, where });
}

export function fileUnusable({ message }: RecordingError): CommandFailure {
  return failure(exitStatus.unseen, 'file-unusable', { problem: message });
}

function noWorkloads(namespace: string | undefined, all: readonly Workload[]): CommandFailure {
  const namespaces = [...new Set(all.map(({ metadata }) => metadata.namespace))];
  if (namespace === undefined || namespaces.length === 0) {
    return failure(exitStatus.unseen, 'recording-without-workloads', {});
  }
  return failure(exitStatus.unseen, 'recording-without-namespace', { namespace, namespaces });
}

function ambiguous(
  name: string,
  refs: readonly Pick<WorkloadRef, 'kind' | 'namespace' | 'name'>[],
): CommandFailure {
  const choices = refs.map(
    ({ kind, namespace, name: each }) => `${kind.toLowerCase()}/${each} -n ${namespace}`,
  );
  return failure(exitStatus.usage, 'several-workloads', { name, choices });
}

export function unreadable({ because, message }: Unreadable): CommandFailure {
  return failure(exitStatus.unseen, 'cluster-unreadable', { because, message });
}
