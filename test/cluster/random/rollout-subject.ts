import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import type { Draw } from './draw.js';

/** The objects of one workload, as the API server stores them. */
export interface RolloutView {
  readonly workload: KubernetesObject;
  readonly replicaSets: readonly KubernetesObject[];
  readonly controllerRevisions: readonly KubernetesObject[];
  readonly pods: readonly V1Pod[];
  /** Only of a LeaderWorkerSet. */
  readonly statefulSets?: readonly KubernetesObject[];
  /** Only of a Rollout. */
  readonly services?: readonly KubernetesObject[];
  readonly nodes: readonly KubernetesObject[];
}

/** Results of the controllers once nothing changes, in terms that real and simulated objects share. */
export interface Done {
  /** Of each ReplicaSet, by its image: what it is sized for. */
  readonly sizes: Readonly<Record<string, number>>;
  /** Pods that did not exist before: image, and name or node where the controller chooses one. Sorted. */
  readonly created: readonly string[];
  /** Names of pods whose deletion was requested, sorted. */
  readonly deleted: readonly string[];
  /** Counts of the workload's status. */
  readonly status: Readonly<Record<string, number>>;
}

export interface Predicted extends Done {
  /** Pods that may be deleted in place of some of `deleted`. */
  readonly orElse: readonly string[];
  /** The controller may choose other nodes for as many pods. */
  readonly anyNode: boolean;
  /** The engine found an end: its controllers had nothing more to do. */
  readonly isAtRest: boolean;
}

/** Whether the controllers did what was predicted. An engine that found no end predicted nothing. */
export function agree(predicted: Predicted, seen: Done): boolean {
  const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
  const imagesOf = (created: readonly string[]): string[] =>
    created.map((one) => one.split(' ')[1] ?? '').sort();
  const created = predicted.anyNode
    ? same(imagesOf(predicted.created), imagesOf(seen.created))
    : same(predicted.created, seen.created);
  const possible = new Set([...predicted.deleted, ...predicted.orElse]);
  const deleted =
    predicted.orElse.length === 0
      ? same(predicted.deleted, seen.deleted)
      : predicted.deleted.length === seen.deleted.length && seen.deleted.every((name) => possible.has(name));
  return (
    predicted.isAtRest &&
    created &&
    deleted &&
    same(predicted.sizes, seen.sizes) &&
    same(predicted.status, seen.status)
  );
}

/** One kind of workload: how it is made, what is done to it, and what the engine predicts. */
export interface Subject {
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet' | 'Rollout' | 'LeaderWorkerSet';
  manifest(draw: Draw, namespace: string): KubernetesObject;
  /** Objects that have to exist before it. */
  prerequisites?(namespace: string): readonly KubernetesObject[];
  /** One random change of the workload itself, as one request. */
  change(draw: Draw, view: RolloutView): ApiRequest;
  /** @param now epoch milliseconds */
  predict(view: RolloutView, now: number): Predicted;
  /** The changes since `before`. */
  seen(before: RolloutView, after: RolloutView): Done;
}

export const images = ['registry.example/app:1', 'registry.example/app:2', 'registry.example/app:3'] as const;
export const appLabels = { app: 'subject' };
export const subjectName = 'subject';

/** No scheduler takes these pods: the trial places them itself. */
export const template = (image: string): object => ({
  metadata: { labels: appLabels },
  spec: { schedulerName: 'the-trial', containers: [{ name: 'app', image }] },
});

export const imageOf = (pod: { readonly spec?: { containers: readonly { image?: string }[] } }): string =>
  pod.spec?.containers[0]?.image ?? '';

/** Pods of `before` that were not being deleted and are now. */
export function deletedSince(before: RolloutView, after: RolloutView): readonly string[] {
  const staying = new Set(
    after.pods.filter(({ metadata }) => !metadata?.deletionTimestamp).map(({ metadata }) => metadata?.uid),
  );
  return before.pods
    .filter(({ metadata }) => !metadata?.deletionTimestamp && !staying.has(metadata?.uid))
    .map(({ metadata }) => metadata?.name ?? '')
    .sort();
}

export function createdSince(before: RolloutView, after: RolloutView): readonly V1Pod[] {
  const known = new Set(before.pods.map(({ metadata }) => metadata?.uid));
  return after.pods.filter(({ metadata }) => !known.has(metadata?.uid));
}

/** The numbers of a status that both sides write. */
export function counts(status: unknown, names: readonly string[]): Record<string, number> {
  const fields = (status ?? {}) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(names.map((name) => [name, Number(fields[name] ?? 0)]));
}
