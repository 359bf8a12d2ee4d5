import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createMcpHandler } from '@modelcontextprotocol/server';
import type { Logger } from 'pino';
import type { AssistantSettings } from '../core/alert/alert-settings.js';
import { createBodyBudget } from '../http/body-budget.js';
import type { Answer, Route } from '../http/http-server.js';
import { readBody } from '../http/read-body.js';
import { createCallLimits } from './call-limits.js';
import { createToolServer, type ToolAnswers } from './tool-server.js';

export interface McpRouteOptions {
  readonly assistants: readonly AssistantSettings[];
  /** Token of each assistant by its name. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly answersFor: (assistant: AssistantSettings) => ToolAnswers;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** Manifests of a megabyte, as a string of JSON. */
const maxBodyBytes = 2_000_000;
const maxBytesInFlight = 8_000_000;
/** A client of 2025 sends two requests before its first call of a tool. */
const limits = { maxPerMinute: 120, maxAtOnce: 2, maxOfAll: 4 } as const;
/** A tool of `rollout-doctor` answers within a minute; clients give up at about this time. */
const maxCallMs = 60_000;

export const mcpPath = '/mcp';

/**
 * `POST /mcp`: the tools over streamable HTTP. Each request is answered by itself, so that any number of app replicas may
 * serve it. A caller without a token gets no further than the headers. Pages of other hosts are refused.
 */
export function createMcpRoute({ assistants, tokens, answersFor, log }: McpRouteOptions): Route {
  const budget = createBodyBudget(maxBytesInFlight);
  const admit = createCallLimits(limits, () => performance.now());
  const callers = assistants.flatMap((assistant) => {
    const token = tokens.get(assistant.name);
    return token === undefined ? [] : [{ assistant, digest: sha256(token) }];
  });
  const handlers = new Map(
    assistants.map((assistant) => [
      assistant.name,
      createMcpHandler(() => createToolServer(answersFor(assistant), { isShared: true }), {
        maxSubscriptions: 0,
      }),
    ]),
  );

  return {
    method: 'POST',
    async answer(request, response) {
      const caller = callerOf(callers, request);
      if (caller === undefined) {
        log.warn({ path: mcpPath }, 'a call of a tool without a valid token was refused');
        response.setHeader('www-authenticate', 'Bearer');
        return refused(401, 'A valid bearer token is needed.');
      }
      const handler = handlers.get(caller.name);
      if (handler === undefined) return refused(401, 'A valid bearer token is needed.');
      if (!isLocalOrigin(request.headers.origin)) return refused(403, 'Requests of browsers are refused.');
      const admission = admit(caller.name);
      if (admission.type === 'refused') {
        log.warn({ assistant: caller.name }, 'an assistant calls too often');
        response.setHeader('retry-after', String(admission.afterSeconds));
        return refused(429, 'Too many calls. Send the request again later.');
      }
      try {
        const body = await readBody(request, response, { maxBytes: maxBodyBytes, budget });
        if (body.type === 'too-large') return refused(413, 'The request is too large.');
        if (body.type === 'overloaded') return refused(503, 'Too many requests are under way.');
        if (body.type === 'incomplete') return refused(400, 'The request is incomplete.');
        try {
          return await answered(handler, request, response, body.bytes);
        } finally {
          body.release();
        }
      } catch (error) {
        log.error({ err: error, assistant: caller.name }, 'a call of a tool failed');
        return refused(500, 'The call failed.');
      } finally {
        admission.release();
      }
    },
  };
}

async function answered(
  handler: ReturnType<typeof createMcpHandler>,
  request: IncomingMessage,
  response: ServerResponse,
  bytes: Buffer,
): Promise<Answer> {
  const { headers } = request;
  const kept = ['accept', 'content-type', 'mcp-protocol-version', 'mcp-method', 'mcp-name', 'last-event-id'];
  const given = kept.flatMap((name) => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value] as [string, string]] : [];
  });
  const signal = AbortSignal.timeout(maxCallMs);
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

/** Programs send no Origin. Pages of this machine, such as the MCP Inspector, may call; others are refused. */
function isLocalOrigin(origin: string | undefined): boolean {
  return (
    origin === undefined || /^https?:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d{1,5})?$/iu.test(origin)
  );
}

/** Compares with every token, whichever is right, so that the time tells nothing of them. */
function callerOf(
  callers: readonly { readonly assistant: AssistantSettings; readonly digest: Buffer }[],
  { headers: { authorization = '' } }: IncomingMessage,
): AssistantSettings | undefined {
  const [, token] = /^bearer +([\x21-\x7e]{1,1000}) *$/iu.exec(authorization.slice(0, 1_100)) ?? [];
  if (token === undefined) return undefined;
  const given = sha256(token);
  let found: AssistantSettings | undefined;
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
