import { isValidSlackRequest } from '@slack/bolt';

/** The headers with which Slack signs a request, and its raw body. */
export interface SignedRequest {
  readonly signature: string;
  /** Seconds since the epoch. */
  readonly timestamp: string;
  readonly body: string;
}

/** Whether Slack signed this body within the last five minutes. */
export type IsSignedBySlack = (request: SignedRequest) => boolean;

export function createSlackSignature(signingSecret: string): IsSignedBySlack {
  return ({ signature, timestamp, body }) =>
    /^\d{1,12}$/.test(timestamp) &&
    Number(timestamp) <= Date.now() / 1_000 + maxAheadSeconds &&
    isValidSlackRequest({
      signingSecret,
      body,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) },
    });
}

/** Bolt accepts any time to come: such a request could be sent again for longer than five minutes. */
const maxAheadSeconds = 300;
