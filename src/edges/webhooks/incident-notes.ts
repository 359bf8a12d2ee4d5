import * as z from 'zod';
import { boundText } from '../../engine/language/text-scanning.js';
import type { NoteHost } from '../../service/deliver/deliver-note.js';
import { DoctorError } from '../../service/errors.js';
import { isBoundedJson } from '../http/bounded-json.js';
import { readWithin } from '../http/growing-buffer.js';
import { traced } from '../telemetry/traced.js';

/** Characters of one note. A post-mortem has some thousand. */
const maxNote = 10_000;

const Notes = z.object({ notes: z.array(z.object({ content: z.string().nullish() })) });

/**
 * Notes of incidents in PagerDuty. They are listed before one is added: the API takes no key that would make
 * a repeated request one note.
 * source: PagerDuty REST API v2 (List notes for an incident, Create a note on an incident), and go-pagerduty
 *
 * @param from address of the user who writes
 */
export function createPagerDutyNotes({
  apiUrl,
  token,
  from,
}: {
  apiUrl: string;
  token: string;
  from: string;
}): NoteHost {
  const accept = 'application/vnd.pagerduty+json;version=2';
  const calls = createNoteCalls('pagerduty', {
    apiUrl,
    headers: { accept, authorization: `Token token=${token}`, from },
  });
  return {
    async add(incident, { text, mark }) {
      if (!/^[A-Za-z0-9]{1,64}$/u.test(incident)) return 'pagerduty_incident_unknown';
      const path = `/incidents/${incident}/notes`;
      const listed = await calls.get(path, Notes);
      if ('refused' in listed) return listed.refused;
      const { notes } = listed.answer;
      if (notes.some(({ content }) => content?.trimEnd().endsWith(mark) === true)) return undefined;
      return calls.post(path, { note: { content: `${boundText(text, maxNote)}\n\n${mark}` } });
    },
  };
}

/** Characters of one document. A post-mortem has some thousand. */
const maxDocument = 50_000;

const Documents = z.object({ postmortem_documents: z.array(z.object({ title: z.string().nullish() })) });

/**
 * Post-mortem documents of incidents in incident.io, whose API creates no updates. Their titles are listed
 * before one is imported: each import makes a document.
 * source: docs.incident.io, API reference: Incidents V2, Import postmortem document
 * (`POST /v2/incidents/{id}/actions/import_postmortem_document`); Postmortem documents V1, List
 */
export function createIncidentIoNotes({ apiUrl, token }: { apiUrl: string; token: string }): NoteHost {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  const calls = createNoteCalls('incident-io', { apiUrl, headers });
  return {
    async add(incident, { text, mark }) {
      if (!/^[A-Za-z0-9]{1,64}$/u.test(incident)) return 'incident-io_incident_unknown';
      const query = new URLSearchParams({ incident_id: incident, page_size: '250' });
      const listed = await calls.get(`/v1/postmortem_documents?${query}`, Documents);
      if ('refused' in listed) return listed.refused;
      const ending = `(${mark})`;
      const documents = listed.answer.postmortem_documents;
      if (documents.some(({ title }) => title?.trimEnd().endsWith(ending) === true)) return undefined;
      const [heading = ''] = text.split('\n', 1);
      return calls.post(`/v2/incidents/${incident}/actions/import_postmortem_document`, {
        title: `${boundText(heading.replaceAll(/[#`]/gu, '').trim(), 150)} ${ending}`,
        content: boundText(text, maxDocument),
      });
    },
  };
}

const timeoutMs = 10_000;
const retryMs = 30_000;
const mostRetryMs = 3_600_000;
/** An incident with more text than this in its notes gets no further one. */
const maxAnswerBytes = 4_000_000;
/** A list of a thousand notes with their users has a third of these. */
const answerBounds = { brackets: 10_000, texts: 20_000, commas: 40_000 } as const;

interface NoteCalls {
  /** @returns what the answer has that `schema` asks for; `refused` ends the attempts */
  get<Answer>(path: string, schema: z.ZodType<Answer>): Promise<{ readonly answer: Answer } | Refused>;
  /** @returns why the sender refused for good */
  post(path: string, body: object): Promise<string | undefined>;
}
type Refused = { readonly refused: string };

/**
 * Requests to the API of a sender of alerts, which keeps incidents of its own. An answer that may be another
 * one later is a `note-unavailable`, which is retryable.
 *
 * @param sender part of the error codes, such as `pagerduty_404`
 */
function createNoteCalls(
  sender: string,
  { apiUrl, headers: sent }: { apiUrl: string; headers: Readonly<Record<string, string>> },
): NoteCalls {
  async function call(path: string, body?: string): Promise<{ readonly bytes: Buffer } | Refused> {
    const method = body === undefined ? 'GET' : 'POST';
    const { response, bytes } = await traced('call', `${sender} ${method}`, { method }, async () => {
      const answer = await fetch(`${apiUrl.replace(/\/$/u, '')}${path}`, {
        method,
        // A redirect would take the token to another host.
        redirect: 'manual',
        signal: AbortSignal.timeout(timeoutMs),
        headers: { ...sent, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body }),
      });
      return { response: answer, bytes: await readWithin(answer, maxAnswerBytes) };
    }).catch((error: unknown) => {
      throw unavailable(retryMs, error);
    });
    const { status, headers } = response;
    if (status === 429) throw unavailable(waitMs(headers));
    if (status >= 500) throw unavailable(retryMs);
    if (status < 200 || status >= 300) return { refused: `${sender}_${status}` };
    return bytes === undefined || !isBoundedJson(bytes, answerBounds)
      ? { refused: `${sender}_answer_too_large` }
      : { bytes };
  }

  /** Without the request, whose headers hold the token. */
  function unavailable(retryAfterMs: number, error?: unknown): DoctorError {
    return new DoctorError({
      code: 'note-unavailable',
      message: `${sender} gave no usable answer`,
      retryable: true,
      retryAfterMs,
      ...(error instanceof Error ? { cause: new Error(error.name) } : {}),
    });
  }

  return {
    async get(path, schema) {
      const listed = await call(path);
      if ('refused' in listed) return listed;
      try {
        return { answer: schema.parse(JSON.parse(listed.bytes.toString('utf8'))) };
      } catch (error) {
        throw unavailable(retryMs, error);
      }
    },
    async post(path, body) {
      const added = await call(path, JSON.stringify(body));
      return 'refused' in added ? added.refused : undefined;
    },
  };
}

/** Both headers are the rest of the window, in seconds. */
function waitMs(headers: Headers): number {
  const seconds = Number(headers.get('ratelimit-reset') ?? headers.get('retry-after') ?? Number.NaN);
  return seconds >= 0 ? Math.min(Math.max(1, seconds) * 1_000, mostRetryMs) : retryMs;
}
