import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import * as z from 'zod';

interface SlackCallersOptions {
  readonly isSigned: (request: {
    readonly signature: string;
    readonly timestamp: string;
    readonly body: string;
  }) => boolean;
  /** Whether the request comes from where the app is installed. */
  readonly isOwn: (claimed: {
    readonly teamId: string;
    readonly enterpriseId: string | undefined;
  }) => Promise<boolean>;
  /** Whether this key was given before; for longer than a signature is valid. */
  readonly seenBefore: (key: string) => Promise<boolean>;
}

export type SlackCaller =
  /** `user` is absent in requests that call no tool. */
  | { readonly type: 'caller'; readonly user: string | undefined }
  | { readonly type: 'refused'; readonly status: 401 | 403; readonly message: string };

const SlackIdentity = z.object({
  user_id: z.string().regex(/^[UW][A-Z0-9]{2,20}$/),
  team_id: z.string().regex(/^T[A-Z0-9]{2,20}$/),
  enterprise_id: z
    .string()
    .regex(/^E[A-Z0-9]{2,20}$/)
    .nullish(),
});
const Call = z.object({ method: z.string() });
const ToolCall = z.object({
  method: z.literal('tools/call'),
  params: z.object({ _meta: z.object({ slack: SlackIdentity }) }),
});

export const notSigned = 'The signature of Slack is missing, wrong or too old.';

/** Whether the headers are those of Slack. Only the signature decides whether it is. */
export function claimsSlack(headers: IncomingHttpHeaders): boolean {
  return headers['x-slack-signature'] !== undefined && headers.authorization === undefined;
}

/** Whether a message of a body names a Slack identity, which only a signature can prove. */
export function namesSlackIdentity(body: unknown): boolean {
  const messages: readonly unknown[] = Array.isArray(body) ? body : [body];
  return messages.some((message) => {
    const params = fieldOf(message, 'params');
    return [message, params].some((each) => fieldOf(fieldOf(each, '_meta'), 'slack') !== undefined);
  });
}

/**
 * Who calls through Slackbot: the person whom Slack names in a request that it signed. A call of a tool is
 * answered once; other requests of two people may be equal to the last byte, and show nothing of a cluster.
 *
 * @throws DoctorError while Redis or Slack does not answer
 */
export function createSlackCallers({ isSigned, isOwn, seenBefore }: SlackCallersOptions) {
  return async (headers: IncomingHttpHeaders, bytes: Buffer): Promise<SlackCaller> => {
    const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = headers;
    const body = bytes.toString('utf8');
    if (
      typeof signature !== 'string' ||
      typeof timestamp !== 'string' ||
      !isSigned({ signature, timestamp, body })
    ) {
      return refused(401, notSigned);
    }
    const content = parsed(body);
    const call = Call.safeParse(content);
    if (!call.success) return refused(403, 'A request of Slackbot is one message.');
    if (call.data.method !== 'tools/call') return { type: 'caller', user: undefined };
    const named = ToolCall.safeParse(content);
    if (!named.success) return refused(403, 'The request names no person.');
    const { user_id: user, team_id: teamId, enterprise_id: enterprise } = named.data.params._meta.slack;
    if (!(await isOwn({ teamId, enterpriseId: enterprise ?? undefined })))
      return refused(403, 'The person is of another workspace.');
    const key = `mcp:${createHash('sha256').update(`${timestamp}:${signature}`).digest('hex')}`;
    if (await seenBefore(key)) return refused(401, 'The request was answered before.');
    return { type: 'caller', user };
  };
}

function refused(status: 401 | 403, message: string): SlackCaller {
  return { type: 'refused', status, message };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}
