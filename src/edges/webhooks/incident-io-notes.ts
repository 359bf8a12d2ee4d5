import * as z from 'zod';
import type { NoteHost } from '../../service/deliver/deliver-note.js';
import { createNoteCalls } from './note-calls.js';

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
        title: `${heading.replaceAll(/[#`]/gu, '').trim().slice(0, 150)} ${ending}`,
        content: text.slice(0, maxDocument).trimEnd(),
      });
    },
  };
}
