import type { Statement } from '../../../engine/language/statement.js';
import type { Rollout } from '../../../engine/objects/argo-rollout.js';
import type { ClusterIndex } from '../../../engine/objects/cluster-index.js';
import type { LeaderWorkerSet } from '../../../engine/objects/leader-worker-set.js';
import type { ObjectRef } from '../../../engine/objects/metadata.js';
import type { Pod } from '../../../engine/objects/pod.js';
import type { Snapshot } from '../../../engine/objects/snapshot.js';
import type { Deployment, RevisionedService, Workload } from '../../../engine/objects/workload.js';
import type {
  ArgoRolloutState,
  DeploymentState,
  LeaderWorkerSetState,
  RevisionedState,
} from '../../../engine/workloads/rollout-state.js';
import type { Advice, Evidence } from '../finding.js';
import type { StrategyFacts } from './facts.js';

/**
 * A rollout that has come to rest half-way and keeps its old pods until new ones are ready, whatever its
 * kind.
 */
export interface StableRollout {
  readonly workload: Deployment | Rollout | LeaderWorkerSet | RevisionedService;
  readonly state: DeploymentState | ArgoRolloutState | LeaderWorkerSetState | RevisionedState;
  /** Active pods of old revisions that have a node. Only the controller stops them. */
  readonly holding: readonly Pod[];
  /** Active pods of the new revision that are not available. */
  readonly blocked: readonly Pod[];
  /** Why the controller stops no old pod. */
  readonly strategy: Statement;
  /** Absent of a service, whose kind has no such bounds. */
  readonly strategyFacts: StrategyFacts | undefined;
  readonly strategyEvidence: readonly Evidence[];
}

export interface HeldPods {
  readonly holding: readonly Pod[];
  /** Names of the new pods that wait. */
  readonly waiting: readonly string[];
  /** Whether a new pod could start once these are gone. Asked about some pods at least. */
  readonly startsWithout: (pods: readonly Pod[]) => boolean;
}

/**
 * What is said and advised of one kind of service with revisions: one file each in `services/`. Methods, so
 * that one of them counts as that of any kind.
 */
export interface ServiceAdvice<Service extends RevisionedService = RevisionedService> {
  /** The field that names the next revision. */
  readonly fieldOfNext: string;
  /** Why no strategy is offered. */
  readonly whyNoStrategy: Statement;
  /** @param component the part that is stuck */
  strategy(service: Service, component: string): Statement;
  /** What may stop a pod of the former revision, or let the next one serve, after all. */
  doubts(
    index: Pick<ClusterIndex, 'objects'>,
    service: Service,
    held: HeldPods,
    pods: readonly Pod[],
  ): readonly Statement[];
  /** What frees the place of the former revision; each stops the pods that serve. */
  advice(index: ClusterIndex, service: Service, component: string): readonly Advice[];
  /** The next revision, where nobody wants it any more. */
  unwanted(service: Service, pods: RevisionPods): string | undefined;
  /** What its controller does about the wait, left alone. */
  leftAlone(snapshot: Snapshot, service: Service, next: readonly Pod[]): readonly Statement[];
}

/** Of a service: those of the revision that is being started, and those that it would replace. */
export type RevisionPods = { readonly next: readonly Pod[]; readonly former: readonly Pod[] };

export function subjectOf({ kind, metadata }: Workload): ObjectRef {
  return { kind, namespace: metadata.namespace, name: metadata.name };
}
