import type { IncomingMessage } from 'node:http';
import { isJson, type Json } from '../json.js';

/** Arguments that carry JSON as text when a call is sent as a form. */
const jsonArguments = new Set(['blocks', 'attachments', 'metadata', 'view', 'files', 'unfurls']);

/**
 * What a call says, by whichever way the Web API takes: query, form, or JSON.
 *
 * @returns the arguments without the token, and the token from the header or the arguments
 */
export function callArguments(
  request: IncomingMessage,
  body: Buffer,
): { args: Json; token: string | undefined } {
  const query = new URL(request.url ?? '/', 'http://127.0.0.1').searchParams;
  const isJsonBody = request.headers['content-type']?.startsWith('application/json') === true;
  const sent = isJsonBody ? fromJson(body.toString()) : fromForm(new URLSearchParams(body.toString()));
  const { token, ...args } = { ...fromForm(query), ...sent } as Record<string, unknown>;
  const header = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  return { args, token: header ?? (typeof token === 'string' ? token : undefined) };
}

function fromJson(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : {};
  } catch {
    return {};
  }
}

function fromForm(fields: URLSearchParams): Json {
  const args: Record<string, unknown> = {};
  for (const [name, value] of fields) args[name] = jsonArguments.has(name) ? parsed(value) : value;
  return args;
}

/** Text that is no JSON stays text, so that the method refuses it. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
