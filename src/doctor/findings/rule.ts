import type { CatalogueWith } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import type { WorkloadKind } from '../../engine/objects/workload.js';
import type { Placement } from '../../engine/scheduler/placement.js';
import type { CauseId, Origin } from './cause-id.js';
import type { FactSchema, FactsOf } from './facts.js';
import type { Finding } from './finding.js';

/** What a rule may ask: the snapshot and the engines over it, shared by all rules of one diagnosis. */
export type Examination = { readonly snapshot: Snapshot; readonly placement: Placement };

/**
 * What tells two failures of one container apart. It is compared while findings are ordered, and never
 * stored.
 */
export interface Failure {
  /** The cause that the pod shows by itself. */
  readonly cause: CauseId;
  /** Absent where nothing ran. */
  readonly exitCode: number | undefined;
  /** The pod's name; it is in the workload's namespace. */
  readonly pod: string;
  readonly node: string;
}

/** What is compared between findings and not stored. */
export interface Compared {
  /** The pods' failures that it is about; none where it is not about failures of pods. */
  readonly failures?: readonly Failure[];
  /** Names of the pods that it is about, where these are few. */
  readonly pods?: readonly string[];
  /** Its pods keep a waiting pod of the workload without a node. */
  readonly keepsPodWaiting?: boolean;
  /** Where this finding comes from, in place of what its rule states. */
  readonly origin?: Origin;
  /** It follows from the deletion of the namespace. */
  readonly followsDeletion?: boolean;
}

/** Fields that `completeFinding` fills in where a rule leaves them out. */
type Optional =
  | 'severity'
  | 'owners'
  | 'nodes'
  | 'holders'
  | 'ruledOut'
  | 'remediations'
  | 'withheld'
  | 'advice'
  | 'weakenedBy';

/** What a rule states about its cause: a finding with its facts, and what is compared between findings. */
export type DetectedWith<Facts> = Omit<Finding, 'cause' | 'subject' | 'facts' | Optional> &
  Partial<Pick<Finding, Optional>> &
  Compared & { readonly facts: Facts };

/** A finding with the facts of this schema. */
export type Detected<Schema extends FactSchema = FactSchema> = DetectedWith<FactsOf<Schema>>;

/** A finding as rules compare it with others. */
export type Suspected = Finding & Compared;

/** A rule of any cause. */
export type AnyRule = Rule<FactSchema>;

/**
 * Detects one cause in a snapshot. Pure: equal snapshots give equal findings.
 *
 * @typeParam Schema the type of the schema of its facts: the compiler refuses other facts
 */
export interface Rule<Schema extends FactSchema> {
  readonly id: CauseId;
  /** What its findings state besides sentences: for JSON, and for whatever decides by a finding. */
  readonly facts: Schema;
  /**
   * The sentences that its statements name, in every language. `shared-failure` is the clause that follows a
   * number of workloads with this cause in the title of a group.
   */
  readonly text: CatalogueWith<'shared-failure'>;
  /** Whether another pod template may end it; `roll-back.ts` decides by it. */
  readonly origin: Origin;
  readonly appliesTo: readonly WorkloadKind[];
  /** Kinds it must see; the reader loads the union of all rules' needs once. */
  readonly needs: readonly (ResourceKind | 'PodLog')[];
  /** Causes that this one explains better when both are found. */
  readonly supersedes: readonly CauseId[];
  /**
   * What was not read and decides whether this is the cause, as `Pod metadata.finalizers`; nothing where it
   * is decided without. Other findings then neither exclude this cause nor rest on its absence.
   */
  readonly undecidedBy?: (snapshot: Snapshot) => readonly string[];
  /** Which of those it explains; what fails alike in the same container when left out. */
  readonly explains?: (own: Suspected, other: Suspected) => boolean;
  /** Pods by node show the cause; left out where words say it better. */
  readonly shows?: Finding['shows'];
  detect(examination: Examination): Detected<Schema> | undefined;
  /** Findings of the same cause beside the first, about other containers. */
  detectFurther?(examination: Examination): readonly Detected<Schema>[];
}

/** What a rule excludes that is no cause of its own. JSON has the English words as the id. */
const ruledOut: { readonly [Each in Language]: ReadonlyMap<string, string> } = {
  en: new Map(),
  ko: new Map([
    ['slow rollout', '느린 롤아웃'],
    ['slow start', '느린 시작'],
    ['mere waiting', '단순 대기'],
    ['a stuck rollout', '멈춘 롤아웃'],
  ]),
};

/** What was excluded, for people: the id of a cause, or words. */
export function ruledOutWords(excluded: string, language: Language): string {
  return ruledOut[language].get(excluded) ?? excluded;
}

/** Kinds that show how the pods of a workload do. */
export const podNeeds = [
  'ReplicaSet',
  'ControllerRevision',
  'Pod',
  'Node',
  'Event',
] as const satisfies AnyRule['needs'];

/** Kinds that show why a pod finds no node. */
export const waitingNeeds = [
  ...podNeeds,
  'Namespace',
  'PersistentVolumeClaim',
  'PersistentVolume',
  'StorageClass',
  'CSINode',
  'CSIDriver',
  'VolumeAttachment',
  'ResourceClaim',
  'ResourceClaimTemplate',
  'ResourceSlice',
  'DeviceClass',
  'DeviceTaintRule',
  'HorizontalPodAutoscaler',
  'NodeClaim',
] as const satisfies AnyRule['needs'];

/** Kinds that show why a pod is not created. */
export const creationNeeds = [
  ...podNeeds,
  'ResourceQuota',
  'LimitRange',
  'PriorityClass',
  'HorizontalPodAutoscaler',
] as const satisfies AnyRule['needs'];
