import type { WorkloadRef } from '../../core/cluster/workload.js';
import type { Approval } from '../../core/incident/approval.js';
import type { DeliveryRecord, MessageRef, ShownImage } from '../../core/incident/delivery.js';
import type { Incident } from '../../core/incident/incident.js';
import type { Statement } from '../../core/language/statement.js';
import type { PostedEntry } from '../../jobs/jobs.js';
import type { Turn } from '../records/process-ports.js';

/** The `error` of a refusal that is the policy's: those who read the place may not see the workload. */
export const notShownHere = 'not_shown_here';

/** What became of one call that shows something to people. */
export type Shown =
  | {
      readonly type: 'shown';
      readonly channel: string;
      readonly ts: string;
      /** The file that it shows, if any. */
      readonly image?: ShownImage;
    }
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
    entry: PostedEntry,
    thread: MessageRef,
    key: string,
  ): Promise<Shown>;
  /** Edits the announcement in the thread of an alert, which the channel shows as well. */
  updateAnnouncement(incident: Incident, of: string, message: MessageRef): Promise<Shown>;
  /** Posts what there is to see of the incident's diagnosis. */
  postPicture(incident: Incident, thread: MessageRef, key: string): Promise<Shown>;
  /** Edits it in place. `former`: the file that it shows until then; nobody needs it afterwards. */
  updatePicture(incident: Incident, message: MessageRef, former: ShownImage | undefined): Promise<Shown>;
  /** Tells one person something that nobody else sees, in their language. */
  notify(notice: {
    readonly channel: string;
    readonly threadTs?: string | undefined;
    readonly user: string;
    readonly statement: Statement;
    /** What the statement is about: only those who may see it are told. */
    readonly workload?: WorkloadRef | undefined;
  }): Promise<Shown>;
  /** Shows the incident's result to one person, in their language, with a button that shares it. */
  showResult(incident: Incident, user: string): Promise<Shown>;
  /** Looks for a message posted with this key since `since` (RFC3339). */
  find(
    channel: string,
    threadTs: string | undefined,
    key: string,
    since: string,
  ): Promise<MessageRef | undefined | 'unknown'>;
}

/** A thread, and the incident that messages of people in it are about. */
export interface ThreadOwner {
  readonly channel: string;
  readonly threadTs: string;
  readonly incidentId: string;
  /** True: an owner that is stored already stays. */
  readonly keepsFormer: boolean;
}

/** A delivery that may begin: this process holds the lock of the message. */
export interface OpenedDelivery {
  readonly type: 'open';
  readonly record: DeliveryRecord;
  /**
   * Stores what is given and releases the lock, in one step. If the store does not answer, the lock is released in the
   * background; only a record or thread that could not be stored is an error.
   */
  close(record: DeliveryRecord | undefined, thread: ThreadOwner | undefined): Promise<void>;
}

export interface DeliveryStore {
  /**
   * Takes the lock of the message for at most `lockMs` and reads its record, in one step.
   *
   * @returns `busy` if another process has the lock, `held` while Slack asked all deliveries to wait
   */
  open(
    key: string,
    lockMs: number,
  ): Promise<OpenedDelivery | { readonly type: 'busy' } | { readonly type: 'held'; readonly forMs: number }>;
  get(key: string): Promise<DeliveryRecord | undefined>;
  incidentInThread(channel: string, threadTs: string): Promise<string | undefined>;
  /** Delays all deliveries, or those of one workspace, since Slack asked to wait; a longer delay stays. */
  hold(ms: number, workspace?: string): Promise<void>;
  /** How long deliveries are still delayed, all or those of one workspace, in milliseconds. */
  held(workspace?: string): Promise<number>;
  /**
   * Asks for the channel's next moment at which a message may be posted. 0: it is now and taken, and `record` is stored in
   * the same step. Otherwise the wait in milliseconds until it is worth asking again. Until then the message keeps its
   * place among those that wait: people's first, then alerts' by fairness key in turn, then details.
   *
   * @param workspace of an organisation: a delay of it counts, and no other one's
   */
  reserve(
    channel: string,
    key: string,
    turn: Turn,
    record: DeliveryRecord,
    workspace?: string,
  ): Promise<number>;
  /** The same for the edit of a message, whatever its channel: Slack limits the edits of the whole workspace. */
  reserveEdit(key: string, turn: Turn, workspace?: string): Promise<number>;
  /** The same for a reaction; `record` is stored in the same step. */
  reserveReaction(key: string, turn: Turn, record: DeliveryRecord, workspace?: string): Promise<number>;
}
