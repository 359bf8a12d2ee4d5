import type { AuditEntry } from '../../doctor/audit/audit-entry.js';
import type { Jobs, QueueName } from '../jobs/jobs.js';

/** Append-only. */
export type AuditLog = { append(entry: AuditEntry): Promise<void> };

/** What operators count. Values come from closed lists, never from a cluster or a workspace. */
export interface Counters {
  found(cause: string, confidence: string): void;
  /** One read of a cluster for a diagnosis; `outcome` is `snapshot` or why there is none. */
  diagnosisTook(seconds: number, outcome: string): void;
  /** An approval reached a state that it does not leave. */
  approvalEnded(state: string): void;
  verdict(kind: string, verdict: string): void;
  /** Slack refused a message for good. */
  messageRefused(kind: string): void;
}

export type Clock = { now(): Date };

/**
 * A clock that all processes share: what expires does so by this one, whatever the machine's own clock says.
 */
export interface SharedClock {
  /** @throws DoctorError `redis-unavailable`, retryable */
  now(): Promise<Date>;
}

/** Makes an id that nobody can guess; letters and digits only. */
export type NewId = () => string;

/** SHA-256 as lower-case hex. */
export type Digest = (text: string) => string;

/**
 * People wait for their own commands: what alerts cause is done after these, and its details after all of it.
 */
export type Urgency = 'person' | 'alert' | 'alert-detail';

/** The place of a job among those that wait. */
export interface Turn {
  readonly urgency: Urgency;
  /** Such as cluster and namespace: jobs of the same urgency are served by fairness key in turn. */
  readonly fairnessKey: string;
}

export interface JobQueue {
  /**
   * Adds the job under its deterministic id; a job with that id already there stays the only one. With
   * `again`, one that has ended counts as not there: the record says that its work is still to be done. Of an
   * incident's cards that alerts wait for, one is kept, which shows the newest record.
   */
  enqueue<Name extends QueueName>(
    queue: Name,
    job: Jobs[Name],
    options?: { readonly delayMs?: number; readonly again?: boolean } & Partial<Turn>,
  ): Promise<void>;
}

/** What a Socket Mode session reports. */
export interface SocketMeters {
  /** A payload arrived on the connection in use: a command, a click or an event. */
  slackDelivered(type: string): void;
  /**
   * A connection is open: the first one, one that the client opened again, or one in place of a silent one.
   */
  slackConnected(reason: ConnectionReason): void;
}

export const connectionReasons = ['start', 'again', 'silence'] as const;
export type ConnectionReason = (typeof connectionReasons)[number];
