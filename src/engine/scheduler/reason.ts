import type { Taint } from '../objects/node.js';
import type { Pod } from '../objects/pod.js';
import type { NodeSelectorRequirement } from '../objects/pod-spec.js';

/** The scheduler's plugins that refuse, in the order in which they run (`default_plugins.go`, 1.36). */
export const plugins = [
  'SchedulingGates',
  'NodeUnschedulable',
  'NodeName',
  'TaintToleration',
  'NodeAffinity',
  'NodePorts',
  'NodeResourcesFit',
  'VolumeRestrictions',
  'NodeVolumeLimits',
  'VolumeBinding',
  'VolumeZone',
  'PodTopologySpread',
  'InterPodAffinity',
  'DynamicResources',
] as const;
export type Plugin = (typeof plugins)[number];

interface Refusal {
  readonly plugin: Plugin;
  /** The scheduler's own words (1.36). */
  readonly text: string;
  /** True when other pods' leaving could remove this reason. */
  readonly resolvable: boolean;
  /**
   * True when the scheduler itself would try preemption (status Unschedulable, not
   * UnschedulableAndUnresolvable).
   */
  readonly preemptible: boolean;
}

/** Pods that account for a conflict, the largest share first; computed when read. */
type Held = { readonly holders: readonly Pod[] };

/**
 * One requirement that a node does not meet, and what the node has in its place (`undefined`: no such label).
 */
export interface UnmetRequirement {
  readonly requirement: NodeSelectorRequirement;
  readonly found: string | undefined;
}

/**
 * `unmet`: of the term that comes nearest. Empty when no term could ever match, or PreFilter left the node
 * out.
 */
export interface NodeAffinityReason extends Refusal {
  readonly id: 'node-affinity';
  readonly unmet: readonly UnmetRequirement[];
}

interface NodeNameReason extends Refusal {
  readonly id: 'node-name';
  readonly wanted: string;
}

interface CordonedReason extends Refusal {
  readonly id: 'cordoned';
}

interface TaintReason extends Refusal {
  readonly id: 'taint';
  readonly taint: Taint;
}

/**
 * Amounts are canonical quantity text, made when read. `free` may be negative on an overcommitted node;
 * `short` is what lacks.
 */
export interface ResourceReason extends Refusal, Held {
  readonly id: 'cpu' | 'memory' | 'ephemeral-storage' | 'pods' | 'extended-resource';
  readonly resource: string;
  readonly requested: string;
  readonly free: string;
  readonly allocatable: string;
  readonly short: string;
}

interface HostPortReason extends Refusal, Held {
  readonly id: 'host-port';
  readonly port: number;
  readonly protocol: string;
  readonly hostIP: string;
}

/**
 * `affinity`: nothing the pod wants is in the node's domain. `anti-affinity`: something it avoids is.
 * `existing-anti-affinity`: something there avoids the pod. `domain` is the node's label value, if it has
 * one.
 */
export interface PodAffinityReason extends Refusal, Held {
  readonly id: 'pod-affinity';
  readonly rule: 'affinity' | 'anti-affinity' | 'existing-anti-affinity';
  readonly topologyKey: string;
  readonly domain: string | undefined;
}

/**
 * Refused because `matching` + `self` - `minimum` > `maxSkew`; without a `domain` the node lacks the label.
 */
export interface TopologySpreadReason extends Refusal, Held {
  readonly id: 'topology-spread';
  readonly topologyKey: string;
  readonly domain: string | undefined;
  readonly matching: number;
  readonly self: number;
  readonly minimum: number;
  readonly maxSkew: number;
  /** Domains that set the minimum. */
  readonly minimumDomains: readonly string[];
}

/** The claim's volume can be used on other nodes only. */
interface VolumeAffinityReason extends Refusal {
  readonly id: 'volume-affinity' | 'volume-zone';
  readonly claim: string;
  readonly volume: string;
}

/** The pod's claim cannot be used by any pod for now. */
export interface ClaimReason extends Refusal {
  readonly id: 'unbound-pvc' | 'no-pv' | 'lost-pv' | 'pvc-missing';
  readonly claim: string;
}

interface ReadWriteOncePodReason extends Refusal, Held {
  readonly id: 'rwop';
  readonly claim: string;
}

/** An in-tree disk that another pod on the node uses (`node(s) had no available disk`). */
interface DiskConflictReason extends Refusal, Held {
  readonly id: 'disk-conflict';
  readonly volume: string;
}

interface MaxVolumesReason extends Refusal, Held {
  readonly id: 'max-volumes';
  readonly driver: string;
  readonly limit: number;
  readonly attached: number;
  /**
   * Those of the attached volumes that no pod on the node uses: the attach/detach controller detaches them.
   */
  readonly unused: number;
  readonly requested: number;
}

/** The driver does not serve the node, and asks that no pod goes where it is missing. */
interface DriverMissingReason extends Refusal {
  readonly id: 'csi-driver-missing';
  readonly driver: string;
}

/** `claim` is empty for devices behind an extended resource. */
export interface DeviceReason extends Refusal, Held {
  readonly id: 'dra';
  readonly claim: string;
  /** Devices that the claim could have without their taints. */
  readonly tainted: readonly TaintedDevice[];
}

/** A device with a taint that keeps a claim off it. */
interface TaintedDevice {
  readonly device: string;
  readonly key: string;
  readonly effect: string;
  /** The DeviceTaintRule that taints it; none where its driver does. */
  readonly rule: string | undefined;
}

interface GatesReason extends Refusal {
  readonly id: 'gates';
  readonly gates: readonly string[];
}

interface NoNodeReason extends Refusal {
  readonly id: 'no-node';
}

/** Why a node, or the whole cluster, refuses a pod. */
export type Reason =
  | NodeAffinityReason
  | NodeNameReason
  | CordonedReason
  | TaintReason
  | ResourceReason
  | HostPortReason
  | PodAffinityReason
  | TopologySpreadReason
  | VolumeAffinityReason
  | ClaimReason
  | ReadWriteOncePodReason
  | DiskConflictReason
  | MaxVolumesReason
  | DriverMissingReason
  | DeviceReason
  | GatesReason
  | NoNodeReason;

/**
 * A question the engine cannot answer from plain objects. It weakens whatever was concluded without the
 * answer.
 */
export interface NotSimulated {
  readonly id: 'not-simulated';
  readonly plugin: Plugin;
  readonly why: NotSimulatedWhy;
  /** What it is about: a claim, a namespace selector, a scheduler's name. */
  readonly subject: string;
}

export type NotSimulatedWhy =
  /** A device selector in CEL beyond comparisons with literals. */
  | 'device-selector'
  /**
   * A field of the API that is off by default, a search that is too long, or what the scheduler aborts on.
   */
  | 'device-features'
  /** The claim or its template was not read. */
  | 'claim-unseen'
  /** Rules that taint devices were not read. */
  | 'device-rules-unseen'
  /** The driver does not serve the node, and whether it keeps pods off such nodes was not read. */
  | 'csi-driver-unseen'
  /** No ResourceSlice was read, so that nothing is known of any device. */
  | 'slices-unseen'
  /** A generic ephemeral volume of a pod that does not exist yet. */
  | 'ephemeral-volume'
  /** The driver limits by CSIStorageCapacity, which is not read. */
  | 'storage-capacity'
  /** A namespaceSelector, and namespaces' labels were not read. */
  | 'namespace-labels'
  /** The pods on the node were not read. */
  | 'pods-unread'
  /** The work of the diagnosis was spent before this question. */
  | 'work-spent'
  /** Another scheduler decides, with rules of its own. */
  | 'other-scheduler';

export type Objection = Reason | NotSimulated;

export function isReason(objection: Objection): objection is Reason {
  return objection.id !== 'not-simulated';
}

/** The pods that account for the reason; none where the reason is no pod's doing. */
export function holdersOf(reason: Reason): readonly Pod[] {
  return 'holders' in reason ? reason.holders : [];
}

/** Shared, so that a node that fits costs no allocation. */
export const noObjections: readonly Objection[] = [];
