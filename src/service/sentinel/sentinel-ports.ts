import type { CauseId } from '../../doctor/findings/cause-id.js';
import type { Candidate, CandidateOwner, CandidateReason } from '../../doctor/sentinel/candidate.js';
import type { Annotated } from '../../doctor/sentinel/sentinel-settings.js';
import type { UnseenReason } from '../../engine/objects/snapshot.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { Unreadable } from '../diagnose/cluster-reader.js';
import type { Lease } from '../history/crash-history-ports.js';

/** What the watches of one namespace tell. Called one after the other, never at once. */
export interface CandidateHears {
  candidate(candidate: Candidate): void;
  /** The server has told all that happened up to now, in one of the watches. */
  inStep(): void;
  /** One of the watches stands still: it goes on by itself when the cluster does. */
  trouble(because: UnseenReason | 'expired' | 'ended', message: string): void;
}

export interface CandidateWatcher {
  readonly clusters: readonly string[];
  /**
   * Watches the few objects of a namespace ('' for all) that may be signs of a stuck rollout, until the
   * signal. What stands when it begins is told as well, and again after a gap. Never throws.
   */
  watch(cluster: string, namespace: string, hears: CandidateHears, signal: AbortSignal): Promise<void>;
}

/** What rolls out behind a candidate. */
export type Behind =
  | {
      readonly type: 'workload';
      readonly workload: WorkloadRef;
      readonly annotated: Annotated;
      /** Pods of an older revision, by the object's own status. */
      readonly oldPods: 'some' | 'none' | 'unobserved';
    }
  /** It is gone, or nothing that replaces its pods one revision by another. */
  | { readonly type: 'nothing' }
  | Unreadable;

export interface CandidateReader {
  /** Follows the controllers up to the workload; three or four small reads. */
  behind(cluster: string, owner: CandidateOwner): Promise<Behind>;
}

/** A deadlock of one revision of one object. */
export interface DeadlockIdentity {
  readonly workload: WorkloadRef;
  readonly uid: string;
  readonly revision: string;
  readonly cause: CauseId;
}

export interface SentinelStore {
  lease(cluster: string): Lease;
  /**
   * Remembers for some minutes that a diagnosis of the candidate has proven it.
   *
   * @returns since when each diagnosis has proven the same, RFC3339: `at` itself for the first time
   */
  proven(candidate: string, deadlock: DeadlockIdentity, at: string): Promise<string>;
  /** The latest diagnosis has proven nothing. */
  unproven(candidate: string): Promise<void>;
  /** The incident that people were told with. */
  told(deadlock: DeadlockIdentity): Promise<string | undefined>;
  noteTold(deadlock: DeadlockIdentity, incidentId: string): Promise<void>;
}

/** What became of one diagnosis of a candidate. */
const candidateOutcomes = [
  /** A card was posted. */
  'told',
  /** People know already: an incident stands, of the sentinel's own or of somebody who asked. */
  'known',
  /** Proven once; it has to be so a second time. */
  'proven-once',
  /** It is a deadlock, likely or possibly. */
  'not-proven',
  'no-deadlock',
  /** No pods of an older revision: a first rollout, a scale-up. */
  'no-rollout',
  'not-watched',
  'quiet-hours',
  'silenced',
  'no-channel',
  /** Its channel may not show the namespace. */
  'not-shown',
  'gone',
  'unreadable',
] as const;
export type CandidateOutcome = (typeof candidateOutcomes)[number];

/** What operators see of the sentinel, over all clusters of this process. */
export interface SentinelMeters {
  candidate(reason: CandidateReason): void;
  dropped(candidates: number): void;
  countExamination(outcome: CandidateOutcome): void;
  /** From the first refusal, by the cluster's clock, until the card was queued. */
  reportedAfter(seconds: number): void;
  /** State of one cluster's watcher in this process. */
  state(cluster: string, state: { readonly leads: boolean; readonly lagSeconds: number }): void;
}
