import { textAfter, textBetween } from '../../../engine/language/text-scanning.js';
import type { Event } from '../../../engine/objects/event.js';
import { conditionOf } from '../../../engine/objects/metadata.js';
import { isTerminating, type Pod, podKey } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { PersistentVolumeClaim, VolumeAttachment } from '../../../engine/objects/storage.js';
import { isUnread } from '../../../engine/objects/unread.js';
import type { ExclusiveVolume } from '../../../engine/simulation/create-pod-simulator.js';
import { exclusiveVolumesOf, usersOf } from '../../../engine/simulation/create-pod-simulator.js';

/** A volume that a placed pod waits for, and who keeps it on another node. */
export interface HeldVolume {
  readonly waiting: Pod;
  /** Name of the PersistentVolume. */
  readonly volume: string;
  /** Absent where claims could not be read and only the event tells. */
  readonly claim: PersistentVolumeClaim | undefined;
  readonly node: string;
  /** Old pods of the workload that use it there and will not leave by themselves. */
  readonly holders: readonly [Pod, ...Pod[]];
  /** Other pods that use it there: while they stay, it stays. */
  readonly others: readonly Pod[];
  /** The attachment that shows it. */
  readonly attachment: VolumeAttachment | undefined;
  /** What was said about it: by the attach/detach controller once, by the kubelet again and again. */
  readonly event: Event | undefined;
}

/** Placed, and no container of it was started yet: its volumes come before that. */
export function waitsForVolumes(pod: Pod): boolean {
  const { phase, conditions, containerStatuses, initContainerStatuses } = pod.status;
  return (
    phase === 'Pending' &&
    (pod.spec.nodeName ?? '') !== '' &&
    conditionOf({ conditions }, 'PodReadyToStartContainers')?.status !== 'True' &&
    [...initContainerStatuses, ...containerStatuses].every(
      ({ state, lastState }) =>
        state.running === undefined &&
        state.terminated === undefined &&
        lastState.terminated === undefined &&
        beforeStart.has(state.waiting?.reason ?? ''),
    )
  );
}

const beforeStart: ReadonlySet<string> = new Set(['', 'ContainerCreating', 'PodInitializing']);

/**
 * The volume that the pod cannot have because old pods of the same workload use it on another node. The
 * attachment proves it; the event comes once for each volume and node and expires
 * (`attachdetach/reconciler.go: reportMultiAttachError`), so it only helps where attachments were not read.
 */
export function heldVolumeOf(snapshot: Snapshot, waiting: Pod, old: readonly Pod[]): HeldVolume | undefined {
  const { index } = snapshot;
  const events = index.eventsByUid.get(waiting.metadata.uid) ?? [];
  const refused = events.findLast(isHeldElsewhere);
  for (const held of exclusiveVolumesOf(index, waiting)) {
    const { claim, volume, attachments } = held;
    const there = attachments.map(({ spec }) => spec.nodeName);
    if (attachments.some(({ spec, status }) => spec.nodeName === waiting.spec.nodeName && status.attached)) {
      continue;
    }
    const users = usersOf(index, claim).filter(
      ({ spec }) =>
        spec.nodeName !== waiting.spec.nodeName &&
        (there.length === 0 || there.includes(spec.nodeName ?? '')),
    );
    const node = users.find((pod) => isOneOf(pod, old))?.spec.nodeName;
    if (node === undefined || !isInService(snapshot, node)) continue;
    const attachment = attachments.find(({ spec, status }) => spec.nodeName === node && status.attached);
    const event = refused?.message.includes(`"${volume}"`) ? refused : unmounted(events, waiting, held);
    if (attachment === undefined && event === undefined) continue;
    const here = users.filter(({ spec }) => spec.nodeName === node);
    const [holder, ...holders] = here.filter((pod) => isOneOf(pod, old) && !isTerminating(pod));
    if (holder === undefined) continue;
    const others = here.filter((pod) => !isOneOf(pod, old) && !isTerminating(pod));
    return { waiting, volume, claim, node, holders: [holder, ...holders], others, attachment, event };
  }
  return refused === undefined ? undefined : byEventAlone(snapshot, waiting, old, refused);
}

/** Where a claim of the pod could not be read, the event names volume and pods. */
function byEventAlone(
  snapshot: Snapshot,
  waiting: Pod,
  old: readonly Pod[],
  event: Event,
): HeldVolume | undefined {
  const { namespace } = waiting.metadata;
  const isRead = (claim: string): boolean =>
    snapshot.index.objects.PersistentVolumeClaim.some(
      ({ metadata }) => metadata.namespace === namespace && metadata.name === claim,
    );
  const claims = waiting.spec.volumes.flatMap(({ persistentVolumeClaim: claim }) => claim?.claimName ?? []);
  if (claims.every(isRead)) return undefined;
  if (!isUnread(snapshot, 'PersistentVolumeClaim')) return undefined;
  const listed = textAfter(event.message, '" Volume is already used by pod(s) ');
  const named = new Set(listed?.split(', ').map((name) => name.split(' ', 1)[0]));
  const users = old.filter(
    ({ metadata, spec }) => named.has(metadata.name) && spec.nodeName !== waiting.spec.nodeName,
  );
  const [holder, ...rest] = users;
  if (holder?.spec.nodeName === undefined) return undefined;
  return {
    waiting,
    volume: heldVolumeIn(event.message) ?? '',
    claim: undefined,
    node: holder.spec.nodeName,
    holders: [holder, ...rest.filter(({ spec }) => spec.nodeName === holder.spec.nodeName)],
    others: [],
    attachment: undefined,
    event,
  };
}

function isHeldElsewhere({ reason, message }: Event): boolean {
  return reason === 'FailedAttachVolume' && heldVolumeIn(message) !== undefined;
}

/** How the attach/detach controller begins, until 1.36 and since 1.37 (`diagnosis/outside-wordings`). */
const openings = ['Multi-Attach error for volume "', 'Waiting for detach for volume "'];

/** The volume that the controller cannot attach because another node has it. */
export function heldVolumeIn(message: string): string | undefined {
  const opening = openings.find((each) => message.startsWith(each));
  return opening === undefined ? undefined : textBetween(message, opening, '"');
}

/** The kubelet names the volumes that it waits for by their names in the pod: `unmounted volumes=[data]`. */
function unmounted(events: readonly Event[], pod: Pod, { claim }: ExclusiveVolume): Event | undefined {
  const names = pod.spec.volumes
    .filter(
      ({ name, persistentVolumeClaim, ephemeral }) =>
        persistentVolumeClaim?.claimName === claim.metadata.name ||
        (ephemeral !== undefined && `${pod.metadata.name}-${name}` === claim.metadata.name),
    )
    .map(({ name }) => name);
  return events.findLast(({ reason, message }) => {
    if (reason !== 'FailedMount') return false;
    const listed = textBetween(message, 'unmounted volumes=[', ']')?.split(' ') ?? [];
    return names.some((name) => listed.includes(name));
  });
}

/** A node that is down keeps its volumes for other reasons, and gives them up in other ways. */
function isInService({ index }: Snapshot, name: string): boolean {
  const node = index.nodes.get(name);
  if (node === undefined) return true;
  return (conditionOf(node.status, 'Ready')?.status ?? 'True') === 'True';
}

function isOneOf(pod: Pod, pods: readonly Pod[]): boolean {
  return pods.some((each) => podKey(each) === podKey(pod));
}
