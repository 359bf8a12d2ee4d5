import type { IncomingHttpHeaders } from 'node:http';
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
    Number(timestamp) <= Date.now() / 1_000 + maxApartSeconds &&
    isValidSlackRequest({
      signingSecret,
      body,
      headers: { 'x-slack-signature': signature, 'x-slack-request-timestamp': Number(timestamp) },
    });
}

/**
 * Whether Slack may have signed a request with these headers within the last five minutes. False is certain
 * before the body arrives; true leaves the signature to be verified.
 */
export function mayBeSigned({
  'x-slack-signature': signature,
  'x-slack-request-timestamp': timestamp,
}: IncomingHttpHeaders): boolean {
  return (
    typeof signature === 'string' &&
    /^v0=[0-9a-f]{64}$/.test(signature) &&
    typeof timestamp === 'string' &&
    /^\d{1,12}$/.test(timestamp) &&
    Math.abs(Date.now() / 1_000 - Number(timestamp)) <= maxApartSeconds
  );
}

/** Bolt accepts any time to come: such a request could be sent again for longer than five minutes. */
const maxApartSeconds = 300;
