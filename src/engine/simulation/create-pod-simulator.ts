import type { ClusterIndex } from '../objects/cluster-index.js';
import { isReady, isTerminal, type Pod, podKey } from '../objects/pod.js';
import type { PodSpec } from '../objects/pod-spec.js';
import type { ResourceQuota } from '../objects/policy.js';
import type { PersistentVolumeClaim, VolumeAttachment } from '../objects/storage.js';
import type { Workload } from '../objects/workload.js';
import type { FeasibleNodes, Placement } from '../scheduler/placement.js';
import { avoidsOthers, isLikePodsOfItsTemplate } from '../scheduler/placement.js';
import { claimUses } from '../scheduler/volume-state.js';
import type { Difference, DifferenceByNode, PodSimulator } from '../workloads/pod-simulator.js';
import { admission, createRunningQuotaUsage } from '../workloads/quota-admission.js';
import { isSimulated } from '../workloads/simulated-pods.js';
import { contestOf } from './contested-simulator.js';

/** A bound claim whose volume only one node at a time may have. */
export interface ExclusiveVolume {
  readonly claim: PersistentVolumeClaim;
  /** Name of the PersistentVolume. */
  readonly volume: string;
  /** Those of this volume; none where they were not read. */
  readonly attachments: readonly VolumeAttachment[];
}

/**
 * The pod's volumes that cannot be attached to a second node: of a CSI driver, and no access mode lets
 * several nodes have them (kubernetes `volume/util/util.go: IsMultiAttachAllowed`). A driver that attaches
 * nothing keeps nobody out: attachments were read, and none is of this volume though a pod is ready with it.
 */
export function exclusiveVolumesOf(index: ClusterIndex, pod: Pod): readonly ExclusiveVolume[] {
  const { PersistentVolumeClaim, PersistentVolume, VolumeAttachment } = index.objects;
  const names = new Set(claimUses(pod).map(({ name }) => name));
  if (names.size === 0) return [];
  return PersistentVolumeClaim.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.metadata.namespace && names.has(metadata.name) && spec.volumeName !== '',
  ).flatMap((claim) => {
    const { volumeName } = claim.spec;
    const volume = PersistentVolume.find(({ metadata }) => metadata.name === volumeName);
    const modes = volume?.spec.accessModes ?? claim.spec.accessModes;
    const shared = modes.length === 0 || modes.some((mode) => severalNodes.has(mode));
    if (shared || (volume !== undefined && volume.spec.csi === undefined)) return [];
    const attachments = VolumeAttachment.filter(
      ({ spec }) => spec.source.persistentVolumeName === volumeName,
    );
    const unattached = attachments.length === 0 && VolumeAttachment.length > 0;
    if (unattached && usersOf(index, claim).some(isReady)) return [];
    return [{ claim, volume: volumeName, attachments }];
  });
}

const severalNodes: ReadonlySet<string> = new Set(['ReadWriteMany', 'ReadOnlyMany']);

/**
 * Pods with a node that use the claim, terminating ones included: their node keeps the volume until they are
 * gone.
 */
export function usersOf({ objects }: ClusterIndex, claim: PersistentVolumeClaim): readonly Pod[] {
  return objects.Pod.filter(
    (pod) => !isTerminal(pod) && (pod.spec.nodeName ?? '') !== '' && uses(pod, claim),
  );
}

/**
 * True while pods on other nodes use a volume that the pod needs on this one. A pod that waits for the volume
 * itself counts too: two that start on two nodes cannot both have it.
 */
export function lacksVolume(
  index: ClusterIndex,
  pod: Pod,
  node: string,
  { gone, placed }: Pick<Difference, 'gone' | 'placed'>,
): boolean {
  const left = new Set([...gone, pod].map(podKey));
  return exclusiveVolumesOf(index, pod).some(({ claim }) =>
    [...usersOf(index, claim), ...placed.filter((other) => uses(other, claim))].some(
      (other) => !left.has(podKey(other)) && other.spec.nodeName !== node,
    ),
  );
}

function uses(pod: Pod, { metadata }: PersistentVolumeClaim): boolean {
  return (
    pod.metadata.namespace === metadata.namespace && claimUses(pod).some(({ name }) => name === metadata.name)
  );
}

interface PodSimulatorOptions {
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

/** A node for a pod of a simulation. */
interface ChosenNode {
  readonly name: string | undefined;
  /** Other nodes would take it too; false where that was not asked. */
  readonly hadChoice: boolean;
}

/**
 * Which of the nodes that would take a pod gets it; the scheduler's scores are not simulated. `any`: the
 * first by name, found sooner, without asking whether there are others. A set: nodes that come first.
 */
type Preference = 'any' | 'first' | 'last' | ReadonlySet<string>;

/**
 * Chooses nodes in one changing cluster. What is known of a node is kept until a pod comes to it or leaves
 * it.
 */
interface NodeChoice {
  readonly choose: (pod: Pod, difference: Difference, prefers: Preference) => ChosenNode;
  /** `PodSimulator.likenessOf`. */
  readonly likenessOf: (pod: Pod) => string | undefined;
  /** `PodSimulator.countPlaces`. */
  readonly countPlaces: NonNullable<PodSimulator['countPlaces']>;
  /** `PodSimulator.takeWork`. */
  readonly takeWork: () => number;
}

/** @param stored the pod as the API server would store it; the same object for the same pod */
function createNodeChoice(placement: Placement, stored: (pod: Pod) => Pod): NodeChoice {
  const trackers = new WeakMap<DifferenceByNode, Map<string, Tracker>>();
  const likenessOf = createLikeness();
  let work = 0;

  const tracked = (pod: Pod, byNode: DifferenceByNode): FeasibleNodes | undefined => {
    const likeness = likenessOf(pod);
    if (likeness === undefined) return undefined;
    const ofRun = trackers.get(byNode) ?? new Map<string, Tracker>();
    trackers.set(byNode, ofRun);
    const known = ofRun.get(likeness);
    if (known === undefined) work += placement.nodeCount;
    const tracker = known ?? { nodes: placement.trackFeasible(stored(pod)), read: 0 };
    ofRun.set(likeness, tracker);
    const changed = new Set(byNode.changed.slice(tracker.read));
    tracker.read = byNode.changed.length;
    for (const node of changed) {
      if (tracker.nodes === undefined) break;
      const came = byNode.placedOn(node).map(stored);
      const left = byNode.goneFrom(node);
      if (came.some(avoidsOthers)) tracker.nodes = undefined;
      else work += tracker.nodes.update(node, came, left);
    }
    return tracker.nodes;
  };
  const after = ({ gone, placed }: Difference): Placement => {
    work += placement.nodeCount + gone.length + placed.length;
    return placement.with({ add: placed.map(stored), remove: new Set(gone.map(podKey)) });
  };
  const trackedAt = (pod: Pod, { byNode }: Difference): FeasibleNodes | undefined =>
    byNode === undefined ? undefined : tracked(pod, byNode);
  return {
    likenessOf,
    countPlaces(own, wanted) {
      work += placement.nodeCount + own.length + wanted.length;
      return placement.countPlaces(own, wanted.map(stored));
    },
    takeWork() {
      const taken = work;
      work = 0;
      return taken;
    },
    choose(pod, difference, prefers) {
      const isByName = typeof prefers === 'string';
      const nodes = isByName ? trackedAt(pod, difference) : undefined;
      if (nodes !== undefined) {
        const name = prefers === 'last' ? nodes.last() : nodes.first();
        return { name, hadChoice: prefers !== 'any' && nodes.count() > 1 };
      }
      const cluster = after(difference);
      if (prefers === 'any') return { name: cluster.firstFeasible(stored(pod)), hadChoice: false };
      const { feasible } = cluster.evaluate(stored(pod));
      const preferred = isByName ? undefined : feasible.find((node) => prefers.has(node));
      const name = preferred ?? (prefers === 'last' ? feasible.at(-1) : feasible[0]);
      return { name, hadChoice: feasible.length > 1 };
    },
  };
}

interface Tracker {
  nodes: FeasibleNodes | undefined;
  /** Changes that it knows of. */
  read: number;
}

/**
 * Pods of one template that are compared; beyond it, writing a pod out costs less than looking for one that
 * is like it.
 */
const maxWritten = 8;

/**
 * Pods of one template share the parts of their spec, so that most are found alike without being written out.
 */
function createLikeness(): (pod: Pod) => string | undefined {
  const known = new WeakMap<PodSpec['containers'], { readonly pod: Pod; readonly text: string }[]>();
  return (pod) => {
    if (!isLikePodsOfItsTemplate(pod)) return undefined;
    const written = known.get(pod.spec.containers) ?? [];
    const same = written.find((one) => sharesAll(one.pod, pod));
    if (same !== undefined) return same.text;
    const { metadata, spec } = pod;
    const text = JSON.stringify([metadata.namespace, metadata.labels, { ...spec, nodeName: undefined }]);
    if (written.length < maxWritten) written.push({ pod, text });
    known.set(spec.containers, written);
    return text;
  };
}

function sharesAll(a: Pod, b: Pod): boolean {
  return (
    a.metadata.namespace === b.metadata.namespace &&
    hasSame(a.metadata.labels, b.metadata.labels) &&
    hasSame({ ...a.spec, nodeName: undefined }, { ...b.spec, nodeName: undefined })
  );
}

function hasSame(a: object, b: object): boolean {
  const fields = Object.entries(a);
  const others = new Map(Object.entries(b));
  return fields.length === others.size && fields.every(([name, value]) => others.get(name) === value);
}
