import type { AlertQuestion } from '../../doctor/alerts/alert-record.js';
import type { Approval } from '../../doctor/incidents/approval.js';
import type {
  AlertReaction,
  DeliveryRecord,
  MessageRef,
  ShownImage,
} from '../../doctor/incidents/delivery.js';
import type { Incident } from '../../doctor/incidents/incident.js';
import type { Language } from '../../engine/language/language.js';
import type { Statement } from '../../engine/language/statement.js';
import type { WorkloadRef } from '../../engine/objects/workload.js';
import type { PostedEntry } from '../jobs/jobs.js';
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

/** What a message in a channel shows. */
export type Content =
  | { readonly kind: 'card'; readonly incident: Incident; readonly approval?: Approval | undefined }
  /** An entry of a thread; the channel shows the announcement in the thread of an alert as well. */
  | {
      readonly kind: 'entry';
      readonly incident: Incident;
      readonly approval?: Approval | undefined;
      readonly entry: PostedEntry;
    }
  /** What there is to see of the incident's diagnosis. */
  | { readonly kind: 'picture'; readonly incident: Incident }
  /**
   * `pointer`: where the card is, in the thread of a further alert. `resolution`: whether the cause of a
   * resolved one is gone.
   */
  | { readonly kind: 'pointer' | 'resolution'; readonly incident: Incident; readonly card: MessageRef }
  /** Which workload the alert is about. */
  | { readonly kind: 'question'; readonly question: AlertQuestion; readonly language: Language };

/** What one person sees, and nobody else, in their language. */
export type PrivateContent =
  /** The incident's result, with a button that shares it. */
  | { readonly kind: 'result'; readonly incident: Incident; readonly user: string }
  | {
      readonly kind: 'notice';
      readonly user: string;
      readonly statement: Statement;
      /** What the statement is about: only those who may see it receive it. */
      readonly workload?: WorkloadRef | undefined;
    };

/** Where a message is shown: in a channel, or in a thread of it. */
export type MessagePlace = { readonly channel: string; readonly threadTs: string | undefined };

/** Where incidents are shown. One call, one attempt: retrying and remembering are the delivery's work. */
export interface IncidentThread {
  /** `key` is kept with a message in a channel so that `find` can recognise it. */
  post(content: Content | PrivateContent, place: MessagePlace, key: string): Promise<Shown>;
  /** Edits the message in place. `former`: the file that it shows until then; nobody needs it afterwards. */
  edit(content: Content, message: MessageRef, former?: ShownImage): Promise<Shown>;
  /**
   * Puts a reaction on the message and removes others of ours. One that is there, or is not, counts as done.
   *
   * @returns `undefined` where the app may not react
   */
  react(
    message: MessageRef,
    incident: Incident,
    reaction: AlertReaction,
    former: readonly AlertReaction[],
  ): Promise<Shown | undefined>;
  /** Looks for a message posted with this key since `since` (RFC3339). */
  find(place: MessagePlace, key: string, since: string): Promise<MessageRef | undefined | 'unknown'>;
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
interface OpenedDelivery {
  readonly type: 'open';
  readonly record: DeliveryRecord;
  /**
   * Stores what is given and releases the lock, in one step. If the store does not answer, the lock is
   * released in the background; only a record or thread that could not be stored is an error.
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
  /**
   * Notes that the message may have been posted since `since` (RFC3339), where its record is missing: the
   * next delivery searches for it first.
   */
  noteAttempt(key: string, since: string): Promise<void>;
  incidentInThread(channel: string, threadTs: string): Promise<string | undefined>;
  /** Delays all deliveries, or those of one workspace, since Slack asked to wait; a longer delay stays. */
  hold(ms: number, workspace?: string): Promise<void>;
  /** How long deliveries are still delayed, all or those of one workspace, in milliseconds. */
  held(workspace?: string): Promise<number>;
  /**
   * Asks for the channel's next moment at which a message may be posted. 0: it is now and taken, and `record`
   * is stored in the same step. Otherwise the wait in milliseconds until it is worth asking again. Until then
   * the message keeps its place among those that wait: people's first, then alerts' by fairness key in turn,
   * then details.
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
  /**
   * The same for the edit of a message, whatever its channel: Slack limits the edits of the whole workspace.
   */
  reserveEdit(key: string, turn: Turn, workspace?: string): Promise<number>;
  /** The same for a reaction; `record` is stored in the same step. */
  reserveReaction(key: string, turn: Turn, record: DeliveryRecord, workspace?: string): Promise<number>;
}
