import type { Statement } from '../../../engine/language/statement.js';
import { isReady, type Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import { claimUses } from '../../../engine/scheduler/volume-state.js';
import { type EndingKind, pathIn } from '../../log-lines/ending-kinds.js';
import type { Origin } from '../cause-id.js';
import type { ContainerView } from '../crashes/container-view.js';
import type { Advice } from '../finding.js';
import { ending } from './text.js';

/**
 * Why the program of a container ended, as far as the kind of its deciding line shows, beside what the
 * cluster knows.
 */
export interface Ending {
  readonly kind: EndingKind;
  /** What objects of the cluster add to the line. */
  readonly reasoning: readonly Statement[];
  readonly advice: Advice;
  /** Where the failure comes from, if that is certain from the kind. */
  readonly origin: Origin | undefined;
  /** The failure is left in the pod, so that a new pod is free of it. */
  readonly endsWithPod?: true;
}

/** A container that ended, and the line of its log that names the reason. */
export interface EndingCase {
  readonly snapshot: Snapshot;
  readonly pod: Pod;
  readonly view: ContainerView;
  readonly line: string;
}

/** What to do about endings of a kind. */
export function adviceOf(kind: EndingKind, { name: container }: ContainerView, snippet?: string): Advice {
  return {
    title: ending(`${kind}-title`, { container }),
    text: ending(`${kind}-advice`, { container }),
    ...(snippet === undefined ? {} : { snippet }),
  };
}

/** A volume of the container, and the claim behind it. */
export interface Mounted {
  readonly mountPath: string;
  readonly volume: string;
  readonly claim: string | undefined;
  readonly readOnly: boolean;
}

/** The volumes of a container. A claim of a generic ephemeral volume is named after pod and volume. */
export function mountedOf({ spec, metadata }: Pod, view: Pick<ContainerView, 'spec'>): readonly Mounted[] {
  return view.spec.volumeMounts.map(({ name, mountPath, readOnly }) => {
    const volume = spec.volumes.find((each) => each.name === name);
    const claim =
      volume?.persistentVolumeClaim?.claimName ??
      (volume?.ephemeral === undefined ? undefined : `${metadata.name}-${name}`);
    return { mountPath, volume: name, claim, readOnly };
  });
}

/** Whether one of the other pods mounts a claim of this pod. */
export function mountTheSame(pod: Pod, others: readonly Pod[]): boolean {
  const claims = new Set(claimUses(pod).map(({ name }) => name));
  return others.some((other) => claimUses(other).some(({ name }) => claims.has(name)));
}

export function readyPodsWith({ index }: Snapshot, namespace: string, claim: string): readonly Pod[] {
  return index.objects.Pod.filter(
    (each) =>
      each.metadata.namespace === namespace &&
      isReady(each) &&
      each.spec.volumes.some(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName === claim),
  );
}

/** The volume that holds a path: the one that is mounted deepest above it. */
export function mountOfPath(mounted: readonly Mounted[], path: string): Mounted | undefined {
  return mounted
    .filter(({ mountPath }) => path === mountPath || path.startsWith(`${mountPath.replace(/\/$/, '')}/`))
    .sort((a, b) => b.mountPath.length - a.mountPath.length)[0];
}

/**
 * The claim that the line is about: of the volume that holds its path, or the only claim where it names no
 * path.
 */
export function claimIn({ pod, view, line }: EndingCase): Mounted | undefined {
  const mounted = mountedOf(pod, view);
  const path = pathIn(line);
  const named = path === undefined ? undefined : mountOfPath(mounted, path);
  const claims = mounted.filter(({ claim }) => claim !== undefined);
  return named ?? (path === undefined && claims.length === 1 ? claims[0] : undefined);
}
