import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createIncidentIoNotes, createPagerDutyNotes } from '#src/edges/webhooks/incident-notes.js';
import type { NoteHost } from '#src/service/deliver/deliver-note.js';
import { statedCount } from '../../support/stated-count.js';

type Answer = (response: ServerResponse) => void;

const incident = '01FDAG4SAP5TYPT98WGR2N7W91';
const note = { text: '# Post-mortem: `shop/web`', mark: 'rollout-doctor i/a' };
const token = 'u+canary-token';
const json = { 'content-type': 'application/json' };
const empty = JSON.stringify({ notes: [], postmortem_documents: [] });

/** A sender that answers its list in this way, and takes what it is sent. */
async function startSender(
  list: Answer,
  post: Answer = (response) => response.writeHead(201, json).end('{}'),
) {
  const bodies: string[] = [];
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const body = await readText(request).catch(() => '');
    if (request.method === 'GET') return list(response);
    bodies.push(body);
    post(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const apiUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { bodies, requests, apiUrl };
}

const senders: readonly (readonly [string, (apiUrl: string) => NoteHost])[] = [
  ['pagerduty', (apiUrl) => createPagerDutyNotes({ apiUrl, token, from: 'a@example.com' })],
  ['incident-io', (apiUrl) => createIncidentIoNotes({ apiUrl, token })],
];

const block = Buffer.alloc(256 * 1024, ' ');
/** Sends without an end, as fast as it is read. */
const endless: Answer = (response) => {
  response.writeHead(200, json);
  const send = (): void => {
    while (!response.destroyed && response.write(block));
    if (!response.destroyed) response.once('drain', send);
  };
  send();
};
const says =
  (status: number, body: string, headers: Readonly<Record<string, string>> = json): Answer =>
  (response) =>
    void response.writeHead(status, headers).end(body);
const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024, ' '));
const packed: Answer = (response) =>
  void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb);
const metadata = 'http://169.254.169.254/latest/meta-data/iam/security-credentials/';

/** What became of a note: refused for good, or tried again later. */
type Outcome = 'refused' | 'later';
const answers: readonly (readonly [string, Answer, Outcome])[] = [
  ['never ends', endless, 'refused'],
  ['unpacks to 100 MiB', packed, 'refused'],
  ['is a million lists', says(200, `[${'[],'.repeat(1_000_000)}[]]`), 'refused'],
  ['redirects to the metadata of a cloud', says(302, '', { location: metadata }), 'refused'],
  ['redirects for good', says(308, '', { location: metadata }), 'refused'],
  ['redirects to a file', says(301, '', { location: 'file:///etc/passwd' }), 'refused'],
  ['is a page', says(200, '<html><body>Sign in</body></html>', { 'content-type': 'text/html' }), 'later'],
  ['is empty', says(200, ''), 'later'],
  ['has nothing in it', says(204, ''), 'later'],
  ['is a list in the place of an object', says(200, '[]'), 'later'],
  ['is a text', says(200, '"notes"'), 'later'],
  ['has a number in the place of a list', says(200, '{"notes":1,"postmortem_documents":1}'), 'later'],
  ['has numbers as notes', says(200, '{"notes":[1],"postmortem_documents":[1]}'), 'later'],
  [
    'has objects as texts',
    says(200, '{"notes":[{"content":{}}],"postmortem_documents":[{"title":[]}]}'),
    'later',
  ],
  [
    'ends in the middle',
    (response) =>
      void response
        .writeHead(200, { ...json, 'content-length': '99' })
        .end('{"no')
        .destroy(),
    'later',
  ],
  ['is packed wrongly', says(200, 'not gzip', { ...json, 'content-encoding': 'gzip' }), 'later'],
  ['says to wait for a year', says(429, '', { 'retry-after': '31536000' }), 'later'],
  ['says to wait for less than no time', says(429, '', { 'ratelimit-reset': '-1' }), 'later'],
];

describe.each(senders)('an answer of %s', (name, create) => {
  it.each(answers)('that %s makes no note, and nothing else is asked', async (_, list, outcome) => {
    const { bodies, requests, apiUrl } = await startSender(list);
    const result = await create(apiUrl)
      .add(incident, note)
      .catch((error: unknown) => error);
    if (outcome === 'refused') expect(result).toMatch(new RegExp(`^${name}_\\w+$`, 'u'));
    else expect(result).toMatchObject({ code: 'note-unavailable', retryable: true });
    const { retryAfterMs = 1 } = result as { readonly retryAfterMs?: number };
    expect(retryAfterMs).toBeGreaterThan(0);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
    expect(JSON.stringify([result, String((result as Error).cause)])).not.toContain('canary');
    expect([bodies, requests.length]).toEqual([[], 1]);
  });

  it('to the note itself may be of any size and form', async () => {
    for (const post of [endless, packed, says(200, '<html>'), says(201, '')]) {
      const { bodies, apiUrl } = await startSender(says(200, empty), post);
      await create(apiUrl).add(incident, note);
      expect(bodies).toHaveLength(1);
    }
  });

  it.each([
    ['far more than it takes', `# a\n${'b '.repeat(500_000)}`],
    ['characters of two units at the end of what it takes', `# a\n${'a😀'.repeat(40_000)}`],
    ['such characters, one unit further', `# a\nb${'a😀'.repeat(40_000)}`],
    ['a title of such characters', `# ${'😀'.repeat(400)}\nb`],
    ['such a title, one unit further', `# a${'😀'.repeat(400)}\nb`],
  ])('has the whole mark and no half of a character for a note of %s', async (_, text) => {
    const { bodies, apiUrl } = await startSender(says(200, empty));
    expect(await create(apiUrl).add(incident, { ...note, text })).toBeUndefined();
    const [body = ''] = bodies;
    const sent = JSON.parse(body) as { note?: { content: string }; title?: string; content?: string };
    const all = [sent.note?.content, sent.title, sent.content].flatMap((each) => each ?? []);
    expect(all.every((each) => each.isWellFormed())).toBe(true);
    expect(all.filter((each) => each.includes(note.mark))).toHaveLength(1);
    expect(all.every((each) => each.length < 60_000)).toBe(true);
  });
});

it('an answer of a sender that never comes ends the attempt', async () => {
  await Promise.all(
    senders.map(async ([, create]) => {
      const { bodies, apiUrl } = await startSender(() => undefined);
      await expect(create(apiUrl).add(incident, note)).rejects.toMatchObject({ code: 'note-unavailable' });
      expect(bodies).toEqual([]);
    }),
  );
});

it('was answered in as many ways as docs/security.md states', () => {
  expect(answers.length).toBe(statedCount('answers to a note'));
});
