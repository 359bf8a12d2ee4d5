import * as z from 'zod';
import { DoctorError } from '../../service/errors.js';
import { gitStatement, type HostName } from '../../service/git/git-text.js';
import { readWithin } from '../http/growing-buffer.js';

const unavailableRetryMs = 30_000;
const limitedRetryMs = 60_000;
const maxRetryMs = 3_600_000;

/** A repository that moved has another name, which the settings may not allow. */
export function requireNoRedirect(status: number): void {
  if (status >= 300) throw Object.assign(new Error(''), { status });
}

/** The status of a refused request. */
export function statusOf(error: unknown): number | undefined {
  if (error instanceof DoctorError) return statusOf(error.cause);
  if (typeof error !== 'object' || error === null || !('status' in error)) return undefined;
  return typeof error.status === 'number' ? error.status : undefined;
}

/**
 * What a refused request means. The request itself, whose headers hold the token, is not kept.
 */
export function hostFailure(host: HostName, error: unknown, repository: string): DoctorError {
  if (isTooLarge(error)) return answerTooLarge(host, repository, 'answer-too-large');
  const status = statusOf(error) ?? 0;
  const headers = headersOf(error);
  const limited = retryAfterOf(status, headers, messageOf(error));
  const code = refusals[status];
  if (limited !== undefined || code === undefined) {
    return new DoctorError({
      code: 'git-unavailable',
      message: limited === undefined ? `${host} did not answer` : `${host} asks to wait`,
      retryable: true,
      retryAfterMs: limited ?? unavailableRetryMs,
      cause: bare(error, status),
    });
  }
  return new DoctorError({
    code: 'git-refused',
    message: `${host} refused a request`,
    retryable: false,
    tells: gitStatement('host-refused', { repository, host, because: code, message: messageOf(error) }),
    cause: bare(error, status),
  });
}

const refusals: Readonly<Record<number, string>> = {
  400: 'invalid',
  301: 'moved',
  302: 'moved',
  307: 'moved',
  308: 'moved',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not-found',
  409: 'conflict',
  410: 'not-found',
  413: 'too-large',
  422: 'invalid',
  451: 'forbidden',
};

/** Without the request, whose headers hold the token. */
function bare(error: unknown, status: number): Error {
  return Object.assign(new Error(messageOf(error)), { status });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 300) : '';
}

function headersOf(error: unknown): Readonly<Record<string, unknown>> {
  const { response } = error as { readonly response?: { readonly headers?: Record<string, unknown> } };
  return response?.headers ?? {};
}

/** How long the host asks to wait, in milliseconds; `undefined` where the answer is about something else. */
function retryAfterOf(
  status: number,
  headers: Readonly<Record<string, unknown>>,
  message: string,
): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const after = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && after >= 0) return Math.min(after * 1_000, maxRetryMs);
  if (String(headers['x-ratelimit-remaining']) === '0') {
    const untilMs = Number(headers['x-ratelimit-reset']) * 1_000 - Date.now();
    return Math.min(Math.max(1_000, untilMs || limitedRetryMs), maxRetryMs);
  }
  const isLimit = status === 429 || message.toLowerCase().includes('rate limit');
  return isLimit ? limitedRetryMs : undefined;
}

/** A repository with more files than one reads. */
export function treeTooLarge(host: HostName, repository: string): DoctorError {
  return answerTooLarge(host, repository, 'too-large');
}

function answerTooLarge(
  host: HostName,
  repository: string,
  because: 'too-large' | 'answer-too-large',
): DoctorError {
  return new DoctorError({
    code: 'git-refused',
    message: 'an answer of a Git host is too large',
    retryable: false,
    tells: gitStatement('host-refused', { repository, host, because, message: '' }),
    cause: new AnswerTooLarge(''),
  });
}

/** The answer; `undefined` where it is larger than is read. */
export function unlessTooLarge<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (isTooLarge(error)) return undefined;
    throw error;
  });
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && error.cause instanceof AnswerTooLarge;
}

/** The answer; `undefined` where what is asked for does not exist. */
export function unlessAbsent<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  return answer.catch((error: unknown) => {
    if (statusOf(error) === 404) return undefined;
    throw error;
  });
}

/**
 * What a request made, or `exists` where the host refused it since there is one already.
 *
 * @param refusal status with which this host refuses that, and other mistakes
 * @param isThere asks whether there is one
 */
export async function unlessThere<Made>(
  made: Promise<Made>,
  refusal: number,
  isThere: () => Promise<boolean>,
): Promise<Made | 'exists'> {
  try {
    return await made;
  } catch (error) {
    if (statusOf(error) === refusal && (await isThere())) return 'exists';
    throw error;
  }
}

export const CommitSha = z.string().regex(/^[0-9a-f]{40}([0-9a-f]{24})?$/);

/** A file as both hosts give it. */
export const Blob = z
  .object({ content: z.string(), encoding: z.literal('base64') })
  .transform(({ content }) => Buffer.from(content, 'base64').toString('utf8'));

/** How each request is sent: redirects are not followed, since the token would go along. */
export function requestWithin(timeoutMs: number, maxBytes: number) {
  return {
    redirect: 'manual',
    signal: AbortSignal.timeout(timeoutMs),
    fetch: boundedFetch(maxBytes),
  } as const;
}

/** Reads the answers of a host. @throws DoctorError `git-unavailable`, retryable, for one of another shape */
export function understoodFrom(host: HostName) {
  return <Schema extends z.ZodType>(schema: Schema, answer: unknown): z.output<Schema> => {
    const parsed = schema.safeParse(answer);
    if (parsed.success) return parsed.data;
    throw new DoctorError({
      code: 'git-unavailable',
      message: `${host} gave an answer that is not understood`,
      retryable: true,
      cause: parsed.error,
    });
  };
}

/** An answer of a Git host that is larger than is read. */
class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

const mebi = 1024 * 1024;

/** Bytes of one answer, after decompression. */
export const maxAnswerBytes = {
  /** A list of pull requests holds their texts. */
  usual: 4 * mebi,
  /** GitHub lists at most 100,000 entries or 7 MB in one answer. */
  tree: 16 * mebi,
  /** A file of 2 MiB in base64, in lines, and what stands around it. */
  blob: 3 * mebi,
} as const;

/**
 * A `fetch` that reads the body of an answer up to a limit. An answer that states a larger size is not read
 * at all, and one that turns out to be larger is cut off.
 *
 * @throws AnswerTooLarge
 */
export function boundedFetch(maxBytes: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, status, statusText, headers } = response;
    if (Number(headers.get('content-length') ?? 0) > maxBytes) {
      await body?.cancel();
      throw new AnswerTooLarge('the answer is too large');
    }
    const bytes = await readWithin(response, maxBytes);
    if (bytes === undefined) throw new AnswerTooLarge('the answer is too large');
    const given = bytes.length === 0 ? null : new Uint8Array(bytes);
    return new Response(given, { status, statusText, headers });
  };
}
