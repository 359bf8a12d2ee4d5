import * as z from 'zod';
import type { NoteHost } from '../../service/deliver/deliver-note.js';
import { DoctorError } from '../../service/errors.js';
import { readWithin } from '../http/growing-buffer.js';
import { traced } from '../telemetry/traced.js';

interface PagerDutyAccess {
  readonly apiUrl: string;
  readonly token: string;
  /** Address of the user who writes. */
  readonly from: string;
}

const timeoutMs = 10_000;
const retryMs = 30_000;
const mostRetryMs = 3_600_000;
/** An incident with more text in its notes than this gets no further one. */
const maxAnswerBytes = 4_000_000;
/** Characters of one note. A post-mortem has some thousand. */
const maxNote = 10_000;

const Notes = z.object({ notes: z.array(z.object({ content: z.string().nullish() })) });

/**
 * Notes of incidents in PagerDuty. They are listed before one is added: the API takes no key that would make
 * a repeated request one note.
 * source: PagerDuty REST API v2 (List notes for an incident, Create a note on an incident), and go-pagerduty
 */
export function createPagerDutyNotes({ apiUrl, token, from }: PagerDutyAccess): NoteHost {
  async function call(
    incident: string,
    method: 'GET' | 'POST',
    body?: string,
  ): Promise<{ readonly bytes: Buffer } | { readonly refused: string }> {
    const url = `${apiUrl.replace(/\/$/u, '')}/incidents/${incident}/notes`;
    const answer = await traced('call', `pagerduty ${method}`, { method }, async () => {
      const response = await fetch(url, {
        method,
        // A redirect would take the token to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          accept: 'application/vnd.pagerduty+json;version=2',
          authorization: `Token token=${token}`,
          from,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body }),
      });
      return { response, bytes: await readWithin(response, maxAnswerBytes) };
    }).catch((error: unknown) => {
      throw unavailable(retryMs, error);
    });
    const { response, bytes } = answer;
    const { status, headers } = response;
    if (status === 429) throw unavailable(waitMs(headers));
    if (status >= 500) throw unavailable(retryMs);
    if (status < 200 || status >= 300) return { refused: `pagerduty_${status}` };
    return bytes === undefined ? { refused: 'pagerduty_answer_too_large' } : { bytes };
  }

  return {
    async add(incident, { text, mark }) {
      if (!/^[A-Za-z0-9]{1,64}$/u.test(incident)) return 'pagerduty_incident_unknown';
      const listed = await call(incident, 'GET');
      if ('refused' in listed) return listed.refused;
      const { notes } = notesIn(listed.bytes);
      if (notes.some(({ content }) => content?.trimEnd().endsWith(mark) === true)) return undefined;
      const content = `${text.slice(0, maxNote).trimEnd()}\n\n${mark}`;
      const added = await call(incident, 'POST', JSON.stringify({ note: { content } }));
      return 'refused' in added ? added.refused : undefined;
    },
  };
}

function notesIn(bytes: Buffer): z.output<typeof Notes> {
  try {
    return Notes.parse(JSON.parse(bytes.toString('utf8')));
  } catch (error) {
    throw unavailable(retryMs, error);
  }
}

/** `ratelimit-reset` is the rest of the minute, in seconds. */
function waitMs(headers: Headers): number {
  const seconds = Number(headers.get('ratelimit-reset') ?? headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? Math.min(Math.max(1, seconds) * 1_000, mostRetryMs) : retryMs;
}

/** Without the request, whose headers hold the token. */
function unavailable(retryAfterMs: number, error?: unknown): DoctorError {
  return new DoctorError({
    code: 'note-unavailable',
    message: 'PagerDuty gave no usable answer',
    retryable: true,
    retryAfterMs,
    ...(error instanceof Error ? { cause: new Error(error.name) } : {}),
  });
}
