import { createHmac } from 'node:crypto';

/**
 * Headers that prove a request comes from Slack.
 * source: docs.slack.dev/authentication/verifying-requests-from-slack
 *
 * @param seconds Unix time; the app refuses what is older than five minutes
 */
export function signedHeaders(
  secret: string,
  body: string,
  seconds: number,
): Readonly<Record<string, string>> {
  const signature = createHmac('sha256', secret).update(`v0:${seconds}:${body}`).digest('hex');
  return { 'x-slack-request-timestamp': String(seconds), 'x-slack-signature': `v0=${signature}` };
}
