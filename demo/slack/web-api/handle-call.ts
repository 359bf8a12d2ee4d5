import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Desk } from '../desk.js';
import type { Json } from '../json.js';
import { answerJson } from '../server/answers.js';
import { callArguments } from './call-arguments.js';
import { scopesOf } from './chat.js';
import type { Fault } from './faults.js';
import { ApiError, type Method } from './method.js';
import { looksReal, tokenProblem } from './tokens.js';

/** Serves `/api/<method>`: faults first, then token and scopes, then the method itself. */
export function createCallHandler(desk: Desk, methods: readonly Method[]) {
  const byName = new Map(methods.map((each) => [each.name, each]));

  async function carriedOut(name: string, args: Json, token: string | undefined): Promise<Json> {
    try {
      const method = byName.get(name);
      if (method === undefined) throw new ApiError('unknown_method', { req_method: name });
      const problem = tokenProblem(desk.app, method, token);
      if (token !== undefined && looksReal(token)) {
        console.warn(
          'The local Slack was sent a token that looks like a real one. It was refused and not kept.',
        );
      }
      if (problem !== undefined) throw new ApiError(problem);
      const provided = desk.app.manifest.oauth_config.scopes.bot;
      if (
        method.token === 'bot' &&
        method.scopes.length > 0 &&
        !method.scopes.some((each) => provided.includes(each))
      ) {
        throw new ApiError('missing_scope', { needed: method.scopes.join(','), provided: scopesOf(desk) });
      }
      return { ok: true, ...(await method.run(args, desk)) };
    } catch (error) {
      if (error instanceof ApiError) return { ok: false, error: error.code, ...error.details };
      throw error;
    }
  }

  return async function handleCall(
    name: string,
    request: IncomingMessage,
    response: ServerResponse,
    body: Buffer,
  ) {
    const { args, token } = callArguments(request, body);
    const fault = desk.faults.next(name);
    const note = (status: number, answer: Json, answered = true) =>
      desk.calls.add({ method: name, args, at: desk.now(), status, answer, answered });

    const early = failure(fault);
    if (early !== undefined) {
      note(early.status, early.answer);
      answerJson(response, early.status, early.answer, early.headers);
      return;
    }
    if (fault?.type === 'replaced-answer') {
      const { body: text, status = 200, headers = { 'content-type': 'application/json' }, done } = fault;
      note(status, done === true ? await carriedOut(name, args, token) : {}, false);
      response.writeHead(status, headers).end(text);
      return;
    }
    if (fault?.type === 'held') await fault.released;
    const answer = await carriedOut(name, args, token);
    if (fault?.type === 'no-answer') return note(200, answer, false);
    if (fault?.type === 'broken-answer') {
      note(200, answer, false);
      response.destroy();
      return;
    }
    if (fault?.type === 'slow') await new Promise((resolve) => setTimeout(resolve, fault.ms));
    note(200, answer);
    answerJson(response, 200, answer, { 'x-oauth-scopes': scopesOf(desk) });
  };
}

interface Failure {
  readonly status: number;
  readonly answer: Json;
  readonly headers: Readonly<Record<string, string>>;
}

function failure(fault: Fault | undefined): Failure | undefined {
  switch (fault?.type) {
    case 'rate-limit':
      return {
        status: 429,
        answer: { ok: false, error: 'ratelimited' },
        headers: { 'retry-after': String(fault.retryAfterSeconds) },
      };
    case 'server-error':
      return { status: fault.status, answer: { ok: false, error: 'internal_error' }, headers: {} };
    case 'error':
      return { status: 200, answer: { ok: false, error: fault.error }, headers: {} };
    default:
      return undefined;
  }
}
