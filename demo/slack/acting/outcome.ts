import type { Delivered } from '../delivery/delivery.js';
import type { Desk } from '../desk.js';
import { storeMessage } from '../workspace/messages.js';

/** What came of something a person did. */
export type Outcome =
  | Delivered
  /** Slack itself did not let it happen; the app was not asked. */
  | {
      readonly type: 'refused';
      readonly because: string;
      /** Words under fields, by block id. */
      readonly errors?: Readonly<Record<string, string>>;
    };

export function refused(because: string, errors?: Readonly<Record<string, string>>): Outcome {
  return { type: 'refused', because, ...(errors === undefined ? {} : { errors }) };
}

/** Words from Slack itself to one person. */
export function slackbotTells(
  desk: Desk,
  userId: string,
  channel: string,
  text: string,
  threadTs?: string,
): void {
  storeMessage(desk.workspace, { channel, text, threadTs, username: 'Slackbot', visibleTo: userId });
}
