import type { AuditEntry } from '../core/audit/audit-entry.js';
import type { PersonKind, Sight } from '../core/authorization/view.js';
import type { ResourceKind } from '../core/cluster/cluster-objects.js';
import type { Snapshot, UnseenReason } from '../core/cluster/snapshot.js';
import type { WorkloadKind, WorkloadRef } from '../core/cluster/workload.js';
import type {
  Approval,
  ApprovalState,
  AuthenticApproval,
  Seal,
  VerifiedApproval,
} from '../core/incident/approval.js';
import type { Incident } from '../core/incident/incident.js';
import type { SkippedPod } from '../core/incident/second-step.js';
import type { SharedRoot } from '../core/incident/shared-root.js';
import type { FieldChange } from '../core/remediation/plan.js';
import type { Jobs, QueueName } from '../jobs/jobs.js';

/** Why the cluster gave no answer at all. */
export interface Unreadable {
  readonly type: 'unreadable';
  readonly because: UnseenReason;
  /** The API's own words; foreign text. */
  readonly message: string;
  /** Milliseconds the API asked to wait. */
  readonly retryAfterMs?: number;
}

export interface NotFound {
  readonly type: 'not-found';
  readonly what: 'cluster' | 'namespace' | 'workload';
  /** What was asked for. */
  readonly name: string;
  /** Nearest existing names, best first, as `namespace/name` or cluster names; at most five. */
  readonly nearest: readonly string[];
}

/** A name as people type it. What is missing is looked for. */
export interface WorkloadQuery {
  readonly cluster?: string;
  readonly kind?: WorkloadKind;
  readonly namespace?: string;
  readonly name: string;
}

export type Found =
  | { readonly type: 'found'; readonly workloads: readonly WorkloadRef[] }
  | NotFound
  | Unreadable;

export interface ClusterReader {
  /** Names of the configured clusters, the default one first. */
  readonly clusters: readonly string[];
  /**
   * All workloads the query may mean; exactly one when it is unambiguous.
   *
   * @param sight of who asks: what it does not cover is not found and not named, with the same reads as what does not
   *   exist
   */
  find(query: WorkloadQuery, sight: Sight, signal?: AbortSignal): Promise<Found>;
  /** The picture of one workload. Reads that fail one by one end in `unseen`; only the workload itself must be readable. */
  snapshot(
    ref: WorkloadRef,
    needs: ReadonlySet<ResourceKind | 'PodLog'>,
    signal?: AbortSignal,
  ): Promise<{ readonly type: 'snapshot'; readonly snapshot: Snapshot } | NotFound | Unreadable>;
}

/** What the API server said to a change. */
export type ChangeOutcome =
  | {
      readonly type: 'accepted';
      readonly generation: number | undefined;
      /** Fields whose value in the answer is not what was sent: a webhook changed them. */
      readonly mutated: readonly FieldChange[];
    }
  | {
      readonly type: 'refused';
      /** `stale`: the object was changed or replaced since the plan. */
      readonly because: 'forbidden' | 'stale' | 'gone' | 'invalid' | 'admission' | 'unsupported';
      readonly message: string;
    }
  | Unreadable;

/** Whether the controller works by the first step of a plan. */
export type FirstStepRead =
  | { readonly type: 'observed' | 'waiting' }
  | Exclude<ChangeOutcome, { readonly type: 'accepted' }>;

/** What became of the pods of a second step. */
export interface SecondStepOutcome {
  readonly deleted: readonly string[];
  readonly skipped: readonly SkippedPod[];
  /** Why the remaining pods were not deleted; absent where the step is done. */
  readonly failed?: Exclude<ChangeOutcome, { readonly type: 'accepted' }> | Lapsed;
}

/** The only writer to clusters. */
export interface WorkloadPatcher {
  /** Server-side dry run of all steps of a plan that was reviewed: validation and admission, nothing stored. */
  dryRun(approval: AuthenticApproval): Promise<ChangeOutcome | Lapsed>;
  /**
   * Sends the approved plan as a dry run, then its first step for good if the API server accepted all, marks the
   * object with the approval, and writes a Kubernetes Event. Right before each request it checks the seal and the
   * expiry again. Sending it twice changes the object once, whatever the stored records say: the mark on the object or
   * a precondition refuses the second request.
   */
  apply(approval: VerifiedApproval): Promise<ChangeOutcome | Lapsed>;
  /** Reads whether the change was made already; sends none. `undefined`: it was not. */
  findMade(
    approval: AuthenticApproval,
  ): Promise<Extract<ChangeOutcome, { readonly type: 'accepted' }> | Unreadable | undefined>;
  /** Reads whether the object is as this approval's first step left it and its controller has observed that. */
  readFirstStep(approval: AuthenticApproval): Promise<FirstStepRead>;
  /**
   * Sends the second step of the plan: only where the object bears the mark of the first one, and only for pods that the
   * object controls, by uid, that are not ready and not of the restored revision. Each deletion is tried as a dry run
   * first. Sending it twice deletes each pod once: its uid and resourceVersion are preconditions.
   */
  applySecondStep(approval: VerifiedApproval): Promise<SecondStepOutcome>;
}

/** The approval did not hold any more at the moment of the request; nothing was sent. */
export interface Lapsed {
  readonly type: 'lapsed';
  readonly because: 'expired' | Distrust;
}

/** Why a stored approval is not the one that people gave. */
export type Distrust =
  | 'unsigned'
  | 'format'
  | 'unknown-key'
  | 'signature'
  /** The record of one approval under the id of another. */
  | 'id'
  | 'digest'
  /** Too few people approved it, or somebody rejected it. */
  | 'decisions'
  | 'shape'
  | 'template';

/** Signs and checks texts with the keys that only the app and the remediation worker hold. */
export interface ApprovalSigner {
  /** @throws DoctorError `config-invalid` where this process has no key */
  sign(text: string): Seal;
  check(text: string, seal: Seal | undefined): 'valid' | 'unsigned' | 'format' | 'unknown-key' | 'signature';
}

/** A write that lost: somebody else wrote first. */
export interface Conflict {
  readonly type: 'conflict';
}

export interface IncidentStore {
  /**
   * Creates it, or gives the open incident of the same workload and place. The place is the channel and, for people, the
   * thread; alerts of one channel share an incident whatever thread they are in, and `reopen` one that is over. With
   * `joins`, an open one that is not meant keeps its card, and what comes later goes to the new one.
   */
  open(
    incident: Incident,
    options?: { readonly reopen?: boolean; readonly joins?: (open: Incident) => boolean },
  ): Promise<{ readonly created: boolean; readonly incident: Incident }>;
  get(id: string): Promise<Incident | undefined>;
  /**
   * Stores `next` as version `next.version` if the stored one is `next.version - 1`, and records the decision in the
   * same write.
   */
  replace(next: Incident, decision?: AuditEntry): Promise<Incident | Conflict>;
  /** Ids of incidents that are not settled, oldest first; for the start-up sweep. */
  unsettled(): Promise<readonly string[]>;
  /** Newest incidents first. */
  recent(limit: number): Promise<readonly Incident[]>;
}

/** Which incident of a channel leads those that are sick of the same node or quota; a claim ends by itself. */
export interface RootClaims {
  holder(channel: string, root: SharedRoot): Promise<string | undefined>;
  /** Claims it unless another incident has it, and renews a claim of its own; gives the id of the one that has it. */
  claim(channel: string, root: SharedRoot, incidentId: string): Promise<string>;
  /** Frees the claim if this incident has it. */
  release(channel: string, root: SharedRoot, incidentId: string): Promise<void>;
}

export interface ApprovalStore {
  /** Creates it unless one with its id exists; gives the stored one. */
  open(approval: Approval): Promise<Approval>;
  get(id: string): Promise<Approval | undefined>;
  /** Stores the next version, and records the decision in the same write: either both are stored or neither. */
  replace(next: Approval, decision?: AuditEntry): Promise<Approval | Conflict>;
  /** Ids of approvals in state `approved` or `running`; for the start-up sweep. */
  underway(): Promise<readonly string[]>;
  /**
   * Moves `approved` to `running` once, and records the start in the same write: no entry, no change. A second call for
   * a running one (a resumed worker) gives it as well. The state is bookkeeping and no permission: what may be sent is
   * verified apart from it.
   */
  consume(
    id: string,
    started: (approval: Approval) => AuditEntry,
  ): Promise<Approval | { readonly type: 'not-approved'; readonly state: ApprovalState | undefined }>;
}

/** Append-only. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
}

/** People wait for their own commands: what alerts cause is done after these, and its details after all of it. */
export type Urgency = 'person' | 'alert' | 'alert-detail';

/** The place of a job among those that wait. */
export interface Turn {
  readonly urgency: Urgency;
  /** Such as cluster and namespace: jobs of the same urgency are served by fairness key in turn. */
  readonly fairnessKey: string;
}

export interface JobQueue {
  /**
   * Adds the job under its deterministic id; a job with that id already there stays the only one. With `again`, one
   * that has ended counts as not there: the record says that its work is still to be done. Of an incident's cards that
   * alerts wait for, one is kept, which shows the newest record.
   */
  enqueue<Name extends QueueName>(
    queue: Name,
    job: Jobs[Name],
    options?: { readonly delayMs?: number; readonly again?: boolean } & Partial<Turn>,
  ): Promise<void>;
}

/** What operators count. Values come from closed lists, never from a cluster or a workspace. */
export interface Counters {
  found(cause: string, confidence: string): void;
  /** One look at a cluster for a diagnosis; `outcome` is `snapshot` or why there is none. */
  lookTook(seconds: number, outcome: string): void;
  /** An approval reached a state that it does not leave. */
  approvalEnded(state: string): void;
  verdict(kind: string, verdict: string): void;
  /** Slack refused a message for good. */
  messageRefused(kind: string): void;
}

/** A person as the chat knows them. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly teamId: string;
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
  /** How the chat knows them. A person of another workspace may be a `member` there: compare `teamId` too. */
  readonly kind: PersonKind;
  /** False for bots, deleted people and guests: they may never approve. */
  readonly isMember: boolean;
}

export interface PeopleDirectory {
  person(id: string): Promise<Person | undefined>;
  /**
   * Ids of the user groups the person is in, and the handles that name exactly one group, without `@`. None where the
   * chat has no user groups or does not show them: what is unknown grants nothing.
   */
  groupsOf(id: string): Promise<readonly string[]>;
  /** The chat's code for not showing user groups, as of the last `groupsOf`; absent where it shows them. */
  groupsUnknown?(): string | undefined;
}

export interface Clock {
  now(): Date;
}

/** A clock that all processes share: what expires does so by this one, whatever the machine's own clock says. */
export interface SharedClock {
  /** @throws DoctorError `redis-unavailable`, retryable */
  now(): Promise<Date>;
}

/** Makes an id that nobody can guess; letters and digits only. */
export type NewId = () => string;

/** SHA-256 as lower-case hex. */
export type Digest = (text: string) => string;
