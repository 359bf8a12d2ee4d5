import * as z from 'zod';
import { boundText } from '../../engine/language/text-scanning.js';
import type { NoteHost } from '../../service/deliver/deliver-note.js';
import { createNoteCalls } from './note-calls.js';

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
