import type { WorkloadRef } from '../core/cluster/workload.js';
import type { Approval } from '../core/incident/approval.js';
import type { Incident } from '../core/incident/incident.js';
import type { Statement } from '../core/language/statement.js';
import type { ThreadEntry } from '../jobs/jobs.js';
import type { Turn } from './ports.js';

/** The `error` of a refusal that is the policy's: those who read the place may not see the workload. */
export const notShownHere = 'not_shown_here';

/** What became of one call that shows something to people. */
export type Shown =
  | { readonly type: 'shown'; readonly channel: string; readonly ts: string }
  /** No answer came: it may be there. `find` tells. */
  | { readonly type: 'doubtful' }
  | { readonly type: 'throttled'; readonly retryAfterMs: number }
  | { readonly type: 'unavailable' }
  /** Final: the channel is gone, the bot is not in it, the message was deleted. `error` is Slack's code. */
  | { readonly type: 'refused'; readonly error: string };

/** Where incidents are shown. One call, one attempt: retrying and remembering are the delivery's work. */
export interface IncidentThread {
  /** Posts the card; `key` is kept with the message so that `find` can recognise it. */
  postCard(incident: Incident, approval: Approval | undefined, key: string): Promise<Shown>;
  /** Edits the card in place. */
  updateCard(incident: Incident, approval: Approval | undefined, message: MessageRef): Promise<Shown>;
  postEntry(
    incident: Incident,
    approval: Approval | undefined,
    entry: ThreadEntry,
    thread: MessageRef,
    key: string,
  ): Promise<Shown>;
  /** Posts what there is to see of the incident's diagnosis. */
  postPicture(incident: Incident, thread: MessageRef, key: string): Promise<Shown>;
  /** Edits it in place. */
  updatePicture(incident: Incident, message: MessageRef): Promise<Shown>;
  /** Tells one person something that nobody else sees, in their language. */
  notify(notice: {
    readonly channel: string;
    readonly threadTs?: string | undefined;
    readonly user: string;
    readonly statement: Statement;
    /** What the statement is about: only those who may see it are told. */
    readonly workload?: WorkloadRef | undefined;
  }): Promise<Shown>;
  /** Looks for a message posted with this key since `since` (RFC3339). */
  find(
    channel: string,
    threadTs: string | undefined,
    key: string,
    since: string,
  ): Promise<MessageRef | undefined | 'unknown'>;
}

export interface MessageRef {
  readonly channel: string;
  readonly ts: string;
}

/** What has been shown already, and what may have been. */
export interface DeliveryRecord {
  /** Set before a post is tried: from here on a doubtful post can be looked for. RFC3339. */
  readonly tryingSince?: string;
  readonly message?: MessageRef;
  /** Incident version that the message shows; of a picture, the look. */
  readonly version?: number;
  /** Slack's final refusal. */
  readonly refused?: string;
  /** Incident version that was refused: a later one is tried again, since people may have repaired the cause. */
  readonly refusedVersion?: number;
}

export interface DeliveryStore {
  get(key: string): Promise<DeliveryRecord | undefined>;
  put(key: string, record: DeliveryRecord): Promise<void>;
  /** Notes that this thread is the incident's, so that what people say in it can be understood. */
  rememberThread(channel: string, threadTs: string, incidentId: string): Promise<void>;
  incidentInThread(channel: string, threadTs: string): Promise<string | undefined>;
  /**
   * One holder a key at a time, for at most `ttlMs`; gives a release function, or undefined when it is held. Releasing
   * never fails: while the store is away it is tried again in the background.
   */
  lock(key: string, ttlMs: number): Promise<(() => Promise<void>) | undefined>;
  /** Keeps all deliveries back for so long, since Slack asked to wait; a longer hold stays. */
  hold(ms: number): Promise<void>;
  /** How long deliveries are still kept back, in milliseconds. */
  held(): Promise<number>;
  /**
   * Asks for the channel's next moment at which a message may be posted. 0: it is now, and taken. Otherwise the wait in
   * milliseconds until it is worth asking again; until then the message keeps its place among those that wait: people's
   * first, then alerts' in the turns of their shares, then details.
   */
  reserve(channel: string, key: string, turn: Turn): Promise<number>;
  /** The same for the edit of a message, whatever its channel: Slack counts those of the whole workspace. */
  reserveEdit(key: string, turn: Turn): Promise<number>;
}
