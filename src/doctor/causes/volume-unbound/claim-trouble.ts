import type { Event } from '../../../engine/objects/event.js';
import type { Pod } from '../../../engine/objects/pod.js';
import { nowOf, type Snapshot } from '../../../engine/objects/snapshot.js';
import type { PersistentVolumeClaim, StorageClass } from '../../../engine/objects/storage.js';
import { isUnread } from '../../../engine/objects/unread.js';
import { claimClass, selectedNode } from '../../../engine/scheduler/cluster-facts.js';
import { compareQuantities, parseQuantity } from '../../../engine/scheduler/quantity.js';
import { claimUses } from '../../../engine/scheduler/volume-state.js';
import type { Examination } from '../../findings/rule.js';
import { isUnschedulable, refusedSince } from '../../findings/stuck-rollout.js';
import { sentenceOf } from '../../findings/waiting/sentence.js';
import { type Lack, type NearVolume, nearVolumes } from './near-volumes.js';

/** What keeps a claim from giving its pod a volume. */
export type Trouble =
  /** `quotas`: those of the namespace that allow no further claim, where a controller would create it. */
  | { readonly kind: 'missing'; readonly ephemeral: boolean; readonly quotas: readonly string[] }
  | { readonly kind: 'deleting'; readonly since: string }
  /** Of an ephemeral volume: a claim of its name was made for something else, by name where that owns it. */
  | { readonly kind: 'not-owned'; readonly owner?: string }
  /** It is bound to a volume that no longer exists. */
  | { readonly kind: 'lost'; readonly volume: string }
  /** It asks for one volume by name; `lacks` is `undefined` where there is none of that name. */
  | { readonly kind: 'named'; readonly volume: string; readonly lacks: readonly Lack[] | undefined }
  | { readonly kind: 'class-missing'; readonly className: string; readonly known: readonly string[] }
  /** It names no class, none is the default, and no volume suits it. */
  | { readonly kind: 'no-class'; readonly near: readonly NearVolume[] }
  /**
   * Nothing provisions volumes of its class; `onNodes`: there are some, and none can be used where the pod
   * may go.
   */
  | {
      readonly kind: 'no-volume';
      readonly className: string;
      readonly near: readonly NearVolume[];
      readonly onNodes: boolean;
    }
  | { readonly kind: 'provisioning-failed'; readonly provisioner: string; readonly event: Event }
  | {
      readonly kind: 'silent';
      readonly provisioner: string;
      readonly seconds: number;
      /** It has begun to make the volume, and reported nothing since. */
      readonly hasBegun: boolean;
      /** The node that the scheduler chose for the pod, and binds the pod to once the volume exists. */
      readonly node?: string;
    }
  /** Claims could not be read; only the scheduler tells. */
  | { readonly kind: 'said'; readonly text: string };

export interface ClaimTrouble {
  readonly pod: Pod;
  /** Name of the claim; '' where only the scheduler tells. */
  readonly name: string;
  readonly claim: PersistentVolumeClaim | undefined;
  readonly trouble: Trouble;
  /** False where the objects allow another reading, and neither scheduler nor binder has said it. */
  readonly confirmed: boolean;
}

/** A provisioner answers within seconds, or says why it cannot. */
const silenceSeconds = 300;
const ephemeralSeconds = 60;
const noProvisioner = 'kubernetes.io/no-provisioner';

/**
 * The claims that keep an unplaced pod waiting. A claim that waits for its first consumer, or is being
 * provisioned right now, is none: it waits for the pod, or for a moment.
 */
export function claimTroublesOf(examination: Examination, pod: Pod): readonly ClaimTrouble[] {
  const { snapshot } = examination;
  const said = sentenceOf(pod);
  const reasons = new Set(said?.message.reasons.map(({ reason }) => reason));
  const blind = isUnread(snapshot, 'PersistentVolumeClaim');
  if (blind) {
    const tells = claimReasons.some((reason) => reasons.has(reason));
    if (!tells || said === undefined) return [];
    const trouble = { kind: 'said', text: said.text } as const;
    return [{ pod, name: '', claim: undefined, trouble, confirmed: false }];
  }
  return claimUses(pod).flatMap(({ name, ephemeral }): readonly ClaimTrouble[] => {
    const claim = snapshot.index.objects.PersistentVolumeClaim.find(
      ({ metadata }) => metadata.namespace === pod.metadata.namespace && metadata.name === name,
    );
    if (claim === undefined) {
      if (ephemeral && ageOf(snapshot, pod) < ephemeralSeconds) return [];
      if (said !== undefined && !reasons.has('pvc-missing')) return [];
      const quotas = ephemeral ? usedUpQuotas(snapshot, pod.metadata.namespace) : [];
      const trouble = { kind: 'missing', ephemeral, quotas } as const;
      return [{ pod, name, claim, trouble, confirmed: said !== undefined && !ephemeral }];
    }
    const found =
      (ephemeral ? ownerTrouble(snapshot, pod, claim) : undefined) ?? troubleOf(examination, pod, claim);
    return found === undefined ? [] : [{ pod, name, claim, ...found }];
  });
}

/**
 * Neither the scheduler nor the kubelet uses such a claim (kubernetes
 * `component-helpers/storage/ephemeral: VolumeIsForPod`). That of a former pod of the name is deleted soon.
 */
function ownerTrouble(snapshot: Snapshot, pod: Pod, { metadata }: PersistentVolumeClaim): Found {
  const owner = metadata.ownerReferences.find(({ controller }) => controller);
  const isOwn = owner?.uid === pod.metadata.uid;
  if (isOwn || metadata.deletionTimestamp !== undefined || ageOf(snapshot, pod) < ephemeralSeconds)
    return undefined;
  return sure({
    kind: 'not-owned',
    ...(owner === undefined ? {} : { owner: `${owner.kind}/${owner.name}` }),
  });
}

/**
 * Quotas of claims or of their storage that are used up (kubernetes
 * `quota/evaluator/core/persistent_volume_claims.go`).
 */
function usedUpQuotas({ index }: Snapshot, namespace: string): readonly string[] {
  return index.objects.ResourceQuota.filter(
    ({ metadata, status }) =>
      metadata.namespace === namespace &&
      Object.entries(status.hard).some(([resource, hard]) => {
        const limit = parseQuantity(hard);
        const used = parseQuantity(status.used[resource] ?? '0');
        const isOfClaims = /(?:^|\/)(?:persistentvolumeclaims|requests\.storage)$/.test(resource);
        return isOfClaims && limit !== undefined && used !== undefined && compareQuantities(used, limit) >= 0;
      }),
  ).map(({ metadata }) => metadata.name);
}

const claimReasons = ['unbound-pvc', 'pvc-missing', 'lost-pv', 'no-pv'] as const;

type Found = Pick<ClaimTrouble, 'trouble' | 'confirmed'> | undefined;

function troubleOf(examination: Examination, pod: Pod, claim: PersistentVolumeClaim): Found {
  const { snapshot } = examination;
  const { index } = snapshot;
  const { deletionTimestamp } = claim.metadata;
  const { volumeName } = claim.spec;
  if (claim.status.phase === 'Lost') return sure({ kind: 'lost', volume: volumeName });
  if (deletionTimestamp !== undefined) return sure({ kind: 'deleting', since: deletionTimestamp });
  if (claim.status.phase === 'Bound') {
    const volume = index.objects.PersistentVolume.some(({ metadata }) => metadata.name === volumeName);
    if (volume || isUnread(snapshot, 'PersistentVolume')) return undefined;
    const told = hasReason(pod, 'lost-pv');
    return told ? sure({ kind: 'lost', volume: volumeName }) : undefined;
  }
  return unboundTrouble(examination, pod, claim);
}

function unboundTrouble(examination: Examination, pod: Pod, claim: PersistentVolumeClaim): Found {
  const { snapshot } = examination;
  const { StorageClass: classes, PersistentVolume: volumes } = snapshot.index.objects;
  const events = snapshot.index.eventsByUid.get(claim.metadata.uid) ?? [];
  const className = claimClass(claim);
  const storageClass = classes.find(({ metadata }) => metadata.name === className);
  const failed = lastFailure(events);
  const near = nearVolumes(claim, volumes);
  if (claim.spec.volumeName !== '') return namedTrouble(examination, pod, claim);
  if (near.some(({ lacks }) => lacks.length === 0) && storageClass?.volumeBindingMode !== delayed) {
    return undefined;
  }
  if (className === '') {
    const declined = events.some(({ reason }) => reason === 'FailedBinding');
    const kind = claim.spec.storageClassName === undefined ? 'no-class' : 'no-volume';
    const confirmed = declined || hasReason(pod, 'unbound-pvc');
    return kind === 'no-class'
      ? { trouble: { kind, near }, confirmed }
      : { trouble: { kind, className, near, onNodes: false }, confirmed };
  }
  if (storageClass === undefined) {
    if (isUnread(snapshot, 'StorageClass')) return fromEvent(failed, '');
    const known = classes.map(({ metadata }) => metadata.name);
    const confirmed = failed?.message.includes('not found') === true || known.length > 0;
    return { trouble: { kind: 'class-missing', className, known }, confirmed };
  }
  if (storageClass.provisioner === noProvisioner || storageClass.provisioner === '') {
    return staticTrouble(examination, pod, storageClass, near);
  }
  if (failed !== undefined) return fromEvent(failed, storageClass.provisioner);
  const node = storageClass.volumeBindingMode === delayed ? selectedNode(claim) : undefined;
  if (storageClass.volumeBindingMode === delayed && node === undefined) return undefined;
  const seconds = node === undefined ? ageOf(snapshot, claim) : secondsSinceChoice(snapshot, pod, claim);
  if (seconds < silenceSeconds && !hasFailedToBind(pod)) return undefined;
  const hasBegun = events.some(({ reason }) => reason === 'Provisioning');
  const { provisioner } = storageClass;
  return {
    trouble: { kind: 'silent', provisioner, seconds, hasBegun, ...(node === undefined ? {} : { node }) },
    confirmed: node !== undefined && hasFailedToBind(pod),
  };
}

/**
 * The volume binder reports the wait for a provisioner again and again (kubernetes `pv_controller.go`). Where
 * no event was read, a pod without a refusal for its nodes had its node chosen when it was tried first.
 */
function secondsSinceChoice(snapshot: Snapshot, pod: Pod, claim: PersistentVolumeClaim): number {
  const reported = (snapshot.index.eventsByUid.get(claim.metadata.uid) ?? []).find(
    ({ reason }) => reason === 'ExternalProvisioning',
  );
  const since = reported?.firstSeen ?? (isUnschedulable(pod) ? undefined : refusedSince(pod));
  return Math.min(secondsSince(snapshot, since), ageOf(snapshot, claim));
}

/** The scheduler waited as long as it waits, ten minutes by default, and gave up. */
function hasFailedToBind(pod: Pod): boolean {
  return (
    sentenceOf(pod)?.message.reasons.some(
      ({ reason, detail }) => reason === 'prebind' && detail === 'VolumeBinding',
    ) ?? false
  );
}

/** Nothing is provisioned for a claim that names its volume. */
function namedTrouble({ snapshot }: Examination, pod: Pod, claim: PersistentVolumeClaim): Found {
  const { volumeName } = claim.spec;
  const { objects } = snapshot.index;
  const volumes = objects.PersistentVolume.filter(({ metadata }) => metadata.name === volumeName);
  const lacks = nearVolumes(claim, volumes)[0]?.lacks;
  const unread = isUnread(snapshot, 'PersistentVolume');
  if (lacks?.length === 0 || (lacks === undefined && unread)) return undefined;
  const confirmed = lacks !== undefined || hasReason(pod, 'unbound-pvc');
  return { trouble: { kind: 'named', volume: volumeName, lacks }, confirmed };
}

const delayed = 'WaitForFirstConsumer';

function staticTrouble(
  { placement }: Examination,
  pod: Pod,
  { metadata, volumeBindingMode }: StorageClass,
  near: readonly NearVolume[],
): Found {
  const className = metadata.name;
  if (volumeBindingMode !== delayed) return sure({ kind: 'no-volume', className, near, onNodes: false });
  const { nodes, notSimulated } = placement.evaluate(pod);
  const claimAlone = nodes.some(
    ({ reasons }) => reasons.length > 0 && reasons.every(({ id }) => id === 'no-pv'),
  );
  const nowhere = nodes.every(({ reasons }) => reasons.some(({ id }) => id === 'no-pv'));
  if (!claimAlone && !(nowhere && hasReason(pod, 'no-pv'))) return undefined;
  const onNodes = near.some(({ lacks }) => lacks.length === 0);
  return { trouble: { kind: 'no-volume', className, near, onNodes }, confirmed: notSimulated.length === 0 };
}

function fromEvent(event: Event | undefined, provisioner: string): Found {
  return event === undefined ? undefined : sure({ kind: 'provisioning-failed', provisioner, event });
}

/** The last word of the binder or provisioner, where it is an error. */
function lastFailure(events: readonly Event[]): Event | undefined {
  const last = events.findLast(({ reason }) =>
    ['ProvisioningFailed', 'ProvisioningSucceeded', 'ProvisioningCleanupFailed'].includes(reason),
  );
  return last?.reason === 'ProvisioningFailed' ? last : undefined;
}

function hasReason(pod: Pod, id: (typeof claimReasons)[number]): boolean {
  return sentenceOf(pod)?.message.reasons.some(({ reason }) => reason === id) ?? false;
}

function sure(trouble: Trouble): Found {
  return { trouble, confirmed: true };
}

function ageOf(
  snapshot: Snapshot,
  { metadata }: { metadata: { readonly creationTimestamp?: string | undefined } },
): number {
  return secondsSince(snapshot, metadata.creationTimestamp);
}

function secondsSince(snapshot: Snapshot, at: string | undefined): number {
  const since = Date.parse(at ?? '');
  return Number.isNaN(since) ? 0 : (nowOf(snapshot) - since) / 1000;
}
