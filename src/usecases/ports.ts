import type { ResourceKind } from '../core/cluster/cluster-objects.js';
import type { Snapshot, UnseenReason } from '../core/cluster/snapshot.js';
import type { WorkloadKind, WorkloadRef } from '../core/cluster/workload.js';
import type { Approval, ApprovalState, ConsumedApproval } from '../core/incident/approval.js';
import type { Incident } from '../core/incident/incident.js';
import type { SharedRoot } from '../core/incident/shared-root.js';
import type { FieldChange, Plan } from '../core/remediation/plan.js';
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
  /** All workloads the query may mean; exactly one when it is unambiguous. */
  find(query: WorkloadQuery, signal?: AbortSignal): Promise<Found>;
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

/** The only writer to clusters. */
export interface WorkloadPatcher {
  /** Server-side dry run: validation and admission, nothing stored. */
  dryRun(cluster: string, plan: Plan): Promise<ChangeOutcome>;
  /**
   * Sends the approved plan, marks the object with the approval, and writes a Kubernetes Event. Sending it twice
   * changes the object once: the mark or the precondition tells.
   */
  apply(approval: ConsumedApproval): Promise<ChangeOutcome>;
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
  /** Stores `next` as version `next.version` if the stored one is `next.version - 1`. */
  replace(next: Incident): Promise<Incident | Conflict>;
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
  replace(next: Approval): Promise<Approval | Conflict>;
  /** Ids of approvals in state `approved` or `running`; for the start-up sweep. */
  underway(): Promise<readonly string[]>;
  /** Moves `approved` to `running` once. A second call for a running one (a resumed worker) also gets it. */
  consume(
    id: string,
  ): Promise<ConsumedApproval | { readonly type: 'not-approved'; readonly state: ApprovalState | undefined }>;
}

export interface AuditEntry {
  /** RFC3339. */
  readonly at: string;
  /** Absent for what belongs to no incident: a silence. */
  readonly incidentId?: string;
  readonly approvalId?: string;
  readonly action:
    | 'diagnosis-requested'
    | 'review-opened'
    | 'review-refused'
    | 'approved'
    | 'approval-refused'
    | 'rejected'
    | 'expired'
    | 'dry-run'
    | 'applied'
    | 'apply-refused'
    | 'verdict'
    | 'silenced'
    | 'silence-lifted';
  readonly by?: string;
  readonly workload: WorkloadRef;
  readonly details: { readonly [name: string]: unknown };
}

/** Append-only. */
export interface AuditLog {
  append(entry: AuditEntry): Promise<void>;
  /** Newest first. */
  read(limit: number): Promise<readonly AuditEntry[]>;
}

/** People wait for their own commands: what alerts cause is done after these, and its details after all of it. */
export type Urgency = 'person' | 'alert' | 'alert-detail';

/** In whose name something is done that others wait for as well. */
export interface Turn {
  readonly urgency: Urgency;
  /** Whose share of the time it takes, such as cluster and namespace: shares are served in turn. */
  readonly share: string;
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
  /** False for bots, deleted people and guests: they may never approve. */
  readonly isMember: boolean;
}

export interface PeopleDirectory {
  person(id: string): Promise<Person | undefined>;
  /** Handles of the user groups the person is in, without `@`. */
  groupsOf(id: string): Promise<readonly string[]>;
}

export interface Clock {
  now(): Date;
}

/** Makes an id that nobody can guess; letters and digits only. */
export type NewId = () => string;

/** SHA-256 as lower-case hex. */
export type Digest = (text: string) => string;
