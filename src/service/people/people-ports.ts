import type { AuditEntry, ChainCheck } from '../../doctor/audit/audit-entry.js';
import type { ChangeStop } from '../../doctor/policy/brakes.js';
import type { PersonKind } from '../../doctor/policy/view.js';
import type { ScanRecord } from '../../doctor/scans/scan-record.js';
import type { KserveKind } from '../../engine/objects/inference-service.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';

/** Some entries of the audit, newest first. */
export interface AuditPage {
  readonly entries: readonly AuditEntry[];
  /** Where the older ones begin; absent when there are none. */
  readonly before?: string;
}

/** `of`: entries of this workload only; `before`: where an earlier page ended. */
export type AuditRange = { readonly of?: WorkloadRef; readonly before?: string };

export interface AuditReader {
  /** What people decided and what followed, see `decisionActions`. */
  decisions(limit: number, from?: AuditRange): Promise<AuditPage>;
  /** Requests and refusals; the oldest leave when there are too many. */
  requests(limit: number, from?: AuditRange): Promise<AuditPage>;
  /** Checks the hash chain of all decisions that are kept. */
  checkDecisions(): Promise<ChainCheck>;
  /** Workloads that entries are about, the one with the newest entry first. */
  workloads(): Promise<readonly WorkloadRef[]>;
}

/** Somebody wants to hear nothing of a workload unasked, for a while. */
export interface Silence {
  readonly workload: WorkloadRef;
  /** The object above the workload that the person named in its place. */
  readonly owner?: { readonly kind: KserveKind; readonly name: string } | undefined;
  readonly by: string;
  /** RFC3339. */
  readonly at: string;
  /** RFC3339. */
  readonly until: string;
  /** As typed; may be empty. */
  readonly reason: string;
}

export interface SilenceStore {
  /** Replaces the silence of the same workload, and records the decision in the same write. */
  put(silence: Silence, decision: AuditEntry): Promise<void>;
  /** The same, unless the workload has a silence. @returns whether it was stored */
  restore(silence: Silence, decision: AuditEntry): Promise<boolean>;
  /** The silence that holds now. Code that posts about a workload unasked asks this first. */
  of(workload: WorkloadRef): Promise<Silence | undefined>;
  /** Ends the silence and records the decision in the same write. @returns the silence, if there was one */
  lift(workload: WorkloadRef, decision: AuditEntry): Promise<Silence | undefined>;
  /** All that hold now, the one that ends first first. */
  all(): Promise<readonly Silence[]>;
}

export interface ChangeStopStore {
  get(): Promise<ChangeStop | undefined>;
  /**
   * Stops all changes and records the decision in the same write. @returns false when they were stopped
   * already
   */
  put(stop: ChangeStop, decision: AuditEntry): Promise<boolean>;
  /** Allows changes again and records the decision in the same write. @returns the stop, if there was one */
  lift(decision: AuditEntry): Promise<ChangeStop | 'unreadable' | undefined>;
}

export interface ScanStore {
  /** Creates it, unless the same person's scan of the same place is under way: then gives that one. */
  open(scan: ScanRecord): Promise<{ readonly created: boolean; readonly scan: ScanRecord }>;
  get(id: string): Promise<ScanRecord | undefined>;
  /** Writes what was found. */
  put(scan: ScanRecord): Promise<void>;
}

/** A person as the chat knows them. */
export interface Person {
  readonly id: string;
  /**
   * Every id that the chat gives for them: a person whose workspace joined an organisation has one of the
   * workspace and one of the organisation. A right of any of them is theirs.
   */
  readonly ids: readonly string[];
  /**
   * Their id in the organisation: equal for all ids of one person. Absent where the chat knows no
   * organisation.
   */
  readonly organisationId?: string | undefined;
  readonly name: string;
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
  /** Of the chat's profile; absent without the right to read it. */
  readonly email?: string | undefined;
  /** How they belong to where the app is installed, whatever they are elsewhere. */
  readonly kind: PersonKind;
  /** False for bots, deleted people, guests and people of other workspaces: they may never approve. */
  readonly isMember: boolean;
}

export interface PeopleDirectory {
  person(id: string): Promise<Person | undefined>;
  /**
   * Ids of the user groups the person is in, and the handles that name exactly one group, without `@`. None
   * where the chat has no user groups or does not show them: what is unknown grants nothing.
   */
  groupsOf(id: string): Promise<readonly string[]>;
  /** Ids of the user groups that a policy names so; a name that grants nothing has none. */
  groupIds(names: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The chat's code for not showing user groups, as of the last `groupsOf`; absent where it shows them. */
  groupsUnknown?(): string | undefined;
}
