import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import { isBoundedJson } from '../http/bounded-json.js';
import { createDampedWarnings } from '../http/damped-warnings.js';
import type { Answer, Route } from '../http/http-server.js';
import { type BodyBudget, createBodyBudget, readBody } from '../http/read-body.js';
import { createCallLimits } from './call-limits.js';
import { claimsSlack, namesSlackIdentity, notSigned, type SlackCaller } from './slack-caller.js';
import { createToolServer, type ToolAnswers } from './tool-server.js';

/** Whose view the tools have, and where proposals are posted. */
export interface McpCaller {
  /** Of the assistant. */
  readonly name: string;
  readonly user?: string | undefined;
  readonly group?: string | undefined;
  readonly channel?: string | undefined;
}

export interface McpRouteOptions {
  readonly assistants: readonly McpCaller[];
  /** Token of each assistant by its name. */
  readonly tokens: ReadonlyMap<string, string>;
  /** Absent where Slackbot may not call. */
  readonly slackbot?: {
    readonly channel: string | undefined;
    /** False: whatever the body is, Slack did not sign it within the last minutes. */
    readonly mayBeSigned: (headers: IncomingHttpHeaders) => boolean;
    readonly callerOf: (headers: IncomingHttpHeaders, body: Buffer) => Promise<SlackCaller>;
  };
  readonly answersFor: (caller: McpCaller) => ToolAnswers;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Manifests of a megabyte, as a string of JSON. */
const maxBodyBytes = 2_000_000;
/** A call of a tool is a few fields; manifests are one text in it. */
const boundsOfCall = { brackets: 2_000, texts: 2_000 } as const;
const maxBytesInFlight = 8_000_000;
/** A client of 2025 sends two requests before its first call of a tool. */
const limits = { maxCalls: 120, windowMs: 60_000, maxAtOnce: 2, maxOfAll: 4 } as const;
/** A tool of `rollout-doctor` answers within a minute; clients give up at about this time. */
const maxCallMs = 60_000;

export const mcpPath = '/mcp';

/** What the audit and the log call Slackbot. No assistant of the settings has this name. */
const slackbotName = 'slackbot';

/**
 * `POST /mcp`: the tools over streamable HTTP. Each request is answered by itself, so that any number of app
 * replicas may serve it. A caller without a token gets no further than the headers; the body of Slackbot is
 * read for its signature. Only callers that have proved who they are have limits of calls: senders without a
 * secret cannot use them up. What these send takes memory of a budget in which the oldest incomplete body
 * gives way. Pages of other hosts are refused.
 */
export function createMcpRoute(options: McpRouteOptions): Route {
  const { assistants, tokens, slackbot, answersFor, log } = options;
  const warn = createDampedWarnings(log);
  const budget = createBodyBudget(maxBytesInFlight);
  const slackBudget = createBodyBudget(maxBytesInFlight);
  const admit = createCallLimits(limits, () => performance.now());
  const callers = assistants.flatMap((assistant) => {
    const token = tokens.get(assistant.name);
    return token === undefined ? [] : [{ assistant, digest: sha256(token) }];
  });

  /** Answers with the whole body, which is in memory until then. */
  async function withBody(
    request: IncomingMessage,
    response: ServerResponse,
    { caller, from }: { caller: string; from: BodyBudget },
    answer: (body: Buffer) => Promise<Answer>,
  ): Promise<Answer> {
    try {
      const body = await readBody(request, response, { maxBytes: maxBodyBytes, budget: from });
      if (body.type === 'too-large') return refused(413, 'The request is too large.');
      if (body.type === 'overloaded') return refused(503, 'Too many requests are under way.');
      if (body.type === 'incomplete') return refused(400, 'The request is incomplete.');
      try {
        if (!isBoundedJson(body.bytes, boundsOfCall))
          return refused(413, 'The request has too many objects.');
        return await answer(body.bytes);
      } finally {
        body.release();
      }
    } catch (error) {
      log.error({ err: error, assistant: caller }, 'a call of a tool failed');
      return refused(500, 'The call failed.');
    }
  }

  /** Answers a caller that has proved who it is, within its limits. */
  async function withinLimits(
    response: ServerResponse,
    { key, caller }: { key: string; caller: string },
    answer: () => Promise<Answer>,
  ): Promise<Answer> {
    const admission = admit(key);
    if (admission.type === 'refused') return tooOften(response, caller, admission.afterSeconds);
    return answer().finally(admission.release);
  }

  function tooOften(response: ServerResponse, assistant: string, afterSeconds: number): Answer {
    warn(`often ${assistant}`, { assistant }, 'an assistant calls too often');
    response.setHeader('retry-after', String(afterSeconds));
    return refused(429, 'Too many calls. Send the request again later.');
  }

  async function answerSlackbot(
    { mayBeSigned, callerOf, channel }: NonNullable<McpRouteOptions['slackbot']>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<Answer> {
    if (!mayBeSigned(request.headers)) return refused(401, notSigned);
    return withBody(request, response, { caller: slackbotName, from: slackBudget }, async (body) => {
      const caller = await callerOf(request.headers, body);
      if (caller.type === 'refused') {
        const because = caller.message;
        warn(`slack ${because}`, { path: mcpPath, because }, 'a request of Slackbot was refused');
        return refused(caller.status, caller.message);
      }
      const { user } = caller;
      const key = `${slackbotName}/${user ?? ''}`;
      return withinLimits(response, { key, caller: slackbotName }, () =>
        answered(answersFor({ name: slackbotName, user, channel }), request, response, body),
      );
    });
  }

  return {
    method: 'POST',
    async answer(request, response) {
      if (slackbot !== undefined && claimsSlack(request.headers)) {
        if (!isLocalOrigin(request.headers.origin)) return refused(403, 'Requests of browsers are refused.');
        return answerSlackbot(slackbot, request, response);
      }
      const caller = callerOf(callers, request);
      if (caller === undefined) {
        warn('token', { path: mcpPath }, 'a call of a tool without a valid token was refused');
        response.setHeader('www-authenticate', 'Bearer');
        return refused(401, 'A valid bearer token is needed.');
      }
      if (!isLocalOrigin(request.headers.origin)) return refused(403, 'Requests of browsers are refused.');
      const { name } = caller;
      return withinLimits(response, { key: name, caller: name }, () =>
        withBody(request, response, { caller: name, from: budget }, async (body) =>
          mayNameSlackIdentity(body)
            ? refused(403, 'A Slack identity is accepted only with the signature of Slack.')
            : answered(answersFor(caller), request, response, body),
        ),
      );
    },
  };
}

/** Whether the first character is a bracket, behind what readers of JSON and UTF-8 pass over. */
function isList(body: Buffer): boolean {
  const first = body.findIndex((byte) => !passedOver.has(byte));
  return body[first] === 0x5b;
}

/** White space of JSON, and the bytes of a byte order mark. */
const passedOver: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf]);

/** What is no JSON is refused by the protocol itself. */
function mayNameSlackIdentity(body: Buffer): boolean {
  try {
    // The reader of the protocol leaves out a byte order mark.
    return namesSlackIdentity(JSON.parse(body.toString('utf8').replace(/^\uFEFF/u, '')));
  } catch {
    return false;
  }
}

async function answered(
  answers: ToolAnswers,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): Promise<Answer> {
  // A list of calls would count as one call.
  if (isList(bytes)) return refused(400, 'Send one message with each request.');
  const { headers } = request;
  const kept = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];
  const given = kept.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  const signal = AbortSignal.timeout(maxCallMs);
  const handler = createMcpHandler(() => createToolServer(answers, { isShared: true }), {
    maxSubscriptions: 0,
  });
  const answer = await handler.fetch(
    new Request(`http://localhost${mcpPath}`, {
      method: 'POST',
      headers: given,
      body: new Uint8Array(bytes),
      signal,
    }),
  );
  const text = await answer.text();
  for (const name of ['mcp-protocol-version', 'allow']) {
    const value = answer.headers.get(name);
    if (value !== null) response.setHeader(name, value);
  }
  return {
    status: answer.status,
    contentType: answer.headers.get('content-type') ?? 'application/json',
    body: text,
  };
}

/**
 * Programs send no Origin. Pages of this machine, such as the MCP Inspector, may call; others are refused.
 */
function isLocalOrigin(origin: string | undefined): boolean {
  return (
    origin === undefined || /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/iu.test(origin)
  );
}

/** Compares with every token, whichever is right, so that the time tells nothing of them. */
function callerOf(
  callers: readonly { readonly assistant: McpCaller; readonly digest: Buffer }[],
  { headers: { authorization = '' } }: IncomingMessage,
): McpCaller | undefined {
  const [, token] = /^bearer +([\x21-\x7e]{1,1000}) *$/iu.exec(authorization.slice(0, 1_100)) ?? [];
  if (token === undefined) return undefined;
  const given = sha256(token);
  let found: McpCaller | undefined;
  for (const { assistant, digest } of callers) if (timingSafeEqual(given, digest)) found = assistant;
  return found;
}

function refused(status: number, message: string): Answer {
  const body = { jsonrpc: '2.0', error: { code: -32_000, message }, id: null };
  return { status, contentType: 'application/json', body: `${JSON.stringify(body)}\n` };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
