import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Alert } from '#src/doctor/alerts/alert.js';
import { proposeUndoRollout } from '#src/doctor/fixes/kinds/undo-rollout/propose.js';
import { postMortemMarkdown } from '#src/edges/slack/render/post-mortem.js';
import { createIncidentIoNotes, createPagerDutyNotes } from '#src/edges/webhooks/incident-notes.js';
import { deliverNote, type NoteDeps } from '#src/service/deliver/deliver-note.js';
import { textAt } from '../../../demo/cluster/json.js';
import { buildAlert } from '../../support/alert-builders.js';
import { createMemoryDeliveries } from '../../support/memory-deliveries.js';
import { withRedis } from '../../support/open-redis.js';
import { idOf, startRig } from '../../support/remediation-rig.js';
import {
  addNodes,
  offering,
  somePodIsNotReady,
  workloadObject,
} from '../../support/remediation-workloads.js';
import { applied, buildChange, buildDiagnosis, buildIncident, tell } from '../../support/slack-builders.js';

/** What a host answers, and what it keeps of a request that adds a note. */
interface Played<Kept> {
  readonly list: (kept: readonly Kept[]) => object;
  readonly keep: (body: string, at: number) => { readonly kept: Kept; readonly answer: object };
}

/**
 * Notes of incidents in PagerDuty, with the answers of its reference.
 * source: developer.pagerduty.com, REST API v2: "List notes for an incident", "Create a note on an incident"
 */
const playedPagerDuty: Played<{ readonly id: string; readonly content: string }> = {
  list: (notes) => ({ notes }),
  keep(body, at) {
    const note = {
      id: `PWL7QX${at}`,
      user: { id: 'PXPGF42', type: 'user_reference', summary: 'Earline Greenholt' },
      channel: { summary: 'The PagerDuty website or APIs' },
      content: (JSON.parse(body) as { note: { content: string } }).note.content,
      created_at: '2026-11-20T09:33:02Z',
    };
    return { kept: note, answer: { note } };
  },
};

/**
 * Post-mortem documents of incidents in incident.io, with the answers of its reference.
 * source: docs.incident.io, API reference: "Import postmortem document" of Incidents V2, "List" of Postmortem
 * documents V1
 */
const playedIncidentIo: Played<{ readonly title: string; readonly content: string }> = {
  list: (documents) => ({
    postmortem_documents: documents.map(({ title }, at) => playedDocument(title, at)),
    pagination_meta: { page_size: 250 },
  }),
  keep(body, at) {
    const imported = JSON.parse(body) as { readonly title: string; readonly content: string };
    return { kept: imported, answer: { postmortem_document: playedDocument(imported.title, at) } };
  },
};

const playedDocument = (title: string, at: number) => ({
  id: `01GDZEW57FDA1K4S63MGMQ5DS${at}`,
  incident_id: '01FDAG4SAP5TYPT98WGR2N7W91',
  title,
  status: 'in_progress',
  document_url: 'https://app.incident.io/my-org/incidents/123/post-mortems/01GDZEW57FDA1K4S63MGMQ5DS9',
  exported_urls: [],
  editors: [],
  created_at: '2026-11-20T09:33:02Z',
  updated_at: '2026-11-20T09:33:02Z',
});

async function startSender<Kept>({ list, keep }: Played<Kept>) {
  const notes: Kept[] = [];
  const seen: string[] = [];
  /** Answers in place of those of the next requests; `then` runs first. */
  const next: {
    readonly status: number;
    readonly headers?: Record<string, string>;
    readonly body?: string;
  }[] = [];
  const state = { losesAnswer: false };
  const send = (response: ServerResponse, status: number, body: object): void =>
    void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request;
    seen.push([method, url, headers.authorization, headers.accept, headers.from].join(' '));
    const body = await text(request);
    const other = next.shift();
    if (other !== undefined) {
      response.writeHead(other.status, other.headers).end(other.body);
      return;
    }
    if (method === 'GET') return send(response, 200, list(notes));
    const { kept, answer } = keep(body, notes.length);
    notes.push(kept);
    return state.losesAnswer ? void response.destroy() : send(response, 201, answer);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const access = { apiUrl: `http://127.0.0.1:${port}`, token: 'u+canary-token', from: 'oncall@example.com' };
  return { notes, seen, next, state, access, close: () => server.close() };
}

const incident = buildIncident({
  phase: 'settled',
  look: 2,
  diagnosis: buildDiagnosis({ findings: [], takenAt: '2026-11-20T09:33:00Z' }),
  beforeFix: { look: 1, diagnosis: buildDiagnosis() },
  change: buildChange({ ...applied, verdict: 'recovered', verdictAt: '2026-11-20T09:33:00Z' }),
});
const job = { v: 1, kind: 'note', incidentId: incident.id, alertId: 'al1', approvalId: 'a1' } as const;

let pagerDuty: Awaited<ReturnType<typeof startPagerDuty>>;
let incidentIo: Awaited<ReturnType<typeof startIncidentIo>>;
const startPagerDuty = () => startSender(playedPagerDuty);
const startIncidentIo = () => startSender(playedIncidentIo);
beforeEach(async () => {
  pagerDuty = await startPagerDuty();
  incidentIo = await startIncidentIo();
});
afterEach(() => {
  pagerDuty.close();
  incidentIo.close();
});

function notesOf(
  alert: Partial<Pick<Alert, 'source' | 'fingerprint'>> = {},
  deliveries = createMemoryDeliveries(),
): NoteDeps {
  return {
    ...deliveries,
    incidents: { get: async () => incident } as unknown as NoteDeps['incidents'],
    alerts: {
      get: async () => ({ alert: buildAlert({ source: 'pagerduty', fingerprint: 'PGR0VU2', ...alert }) }),
    } as unknown as NoteDeps['alerts'],
    notes: {
      hosts: {
        pagerduty: createPagerDutyNotes(pagerDuty.access),
        'incident-io': createIncidentIoNotes(incidentIo.access),
      },
      postMortemOf: async (each) =>
        postMortemMarkdown(each, { language: each.language, tell, names: new Map() }),
    },
  };
}

describe('the post-mortem in incident.io', () => {
  const id = '01FDAG4SAP5TYPT98WGR2N7W91';
  const ofIncidentIo = (fingerprint = id) => notesOf({ source: 'incident-io', fingerprint });

  it('is a document of the incident that sent the alert, and PagerDuty gets none', async () => {
    expect(await deliverNote(ofIncidentIo(), job)).toEqual({ type: 'delivered', fresh: true });

    const headers = 'Bearer u+canary-token application/json';
    expect(incidentIo.seen.map((each) => each.trim())).toEqual([
      `GET /v1/postmortem_documents?incident_id=${id}&page_size=250 ${headers}`,
      `POST /v2/incidents/${id}/actions/import_postmortem_document ${headers}`,
    ]);
    const [document] = incidentIo.notes;
    expect(document?.title).toMatch(/^Post-mortem: ml\/inference .*\(rollout-doctor \w+\/a1\)$/u);
    expect(document?.content).toMatch(/^# Post-mortem: `ml\/inference`[\s\S]*## Timeline/u);
    expect(pagerDuty.seen).toEqual([]);
  });

  it('is written once, also when the answer to the first attempt was lost', async () => {
    incidentIo.state.losesAnswer = true;
    const deps = ofIncidentIo();
    await expect(deliverNote(deps, job)).rejects.toMatchObject({ code: 'note-unavailable', retryable: true });
    expect(await deliverNote(deps, job)).toEqual({ type: 'delivered', fresh: true });

    expect(incidentIo.notes).toHaveLength(1);
  });

  it('is given up where the key may not write, and waits where the API throttles', async () => {
    incidentIo.next.push({ status: 429, headers: { 'retry-after': '17' } }, { status: 403 });
    const deps = ofIncidentIo();
    await expect(deliverNote(deps, job)).rejects.toMatchObject({ retryAfterMs: 17_000 });
    expect(await deliverNote(deps, job)).toEqual({ type: 'refused', error: 'incident-io_403' });
    expect(incidentIo.notes).toEqual([]);
  });

  it.each(['../users', '01F?a=b', ''])('asks nothing for %j, which is no id of an incident', async (each) => {
    expect(await deliverNote(ofIncidentIo(each), job)).toMatchObject({ type: 'refused' });
    expect(incidentIo.seen).toEqual([]);
  });
});

it('writes nothing for a sender without access, and for one that keeps no incidents', async () => {
  const { notes, ...deps } = notesOf({ source: 'incident-io' });
  const hosts = { pagerduty: createPagerDutyNotes(pagerDuty.access) };
  const onlyPagerDuty = { ...deps, notes: { hosts, postMortemOf: async () => 'text' } };
  expect(notes).toBeDefined();
  expect(await deliverNote(onlyPagerDuty, job)).toEqual({ type: 'delivered', fresh: false });
  expect(await deliverNote(notesOf({ source: 'grafana' }), job)).toEqual({ type: 'delivered', fresh: false });
  expect([...pagerDuty.seen, ...incidentIo.seen]).toEqual([]);
});

describe('the post-mortem in PagerDuty', () => {
  it('is a note of the incident that sent the alert, with the headers that the API asks for', async () => {
    expect(await deliverNote(notesOf(), job)).toEqual({ type: 'delivered', fresh: true });

    const headers =
      '/incidents/PGR0VU2/notes Token token=u+canary-token application/vnd.pagerduty+json;version=2 oncall@example.com';
    expect(pagerDuty.seen).toEqual([`GET ${headers}`, `POST ${headers}`]);
    expect(pagerDuty.notes).toHaveLength(1);
    expect(pagerDuty.notes[0]?.content).toMatch(
      /^# Post-mortem: `ml\/inference`[\s\S]*rollout-doctor \w+\/a1$/u,
    );
  });

  it('is written once, also when the answer to the first attempt was lost', async () => {
    pagerDuty.state.losesAnswer = true;
    const deps = notesOf();
    await expect(deliverNote(deps, job)).rejects.toMatchObject({ code: 'note-unavailable', retryable: true });
    expect(await deliverNote(deps, job)).toEqual({ type: 'delivered', fresh: true });
    expect(await deliverNote(deps, job)).toEqual({ type: 'delivered', fresh: false });

    expect(pagerDuty.notes).toHaveLength(1);
  });

  it.each<[string, Parameters<typeof pagerDuty.next.push>[0], number]>([
    ['as long as it says where it throttles', { status: 429, headers: { 'ratelimit-reset': '17' } }, 17_000],
    ['a while where it fails', { status: 503, body: 'down' }, 30_000],
    ['a while where something else answers', { status: 200, body: '<html>' }, 30_000],
  ])('waits %s', async (_, answer, retryAfterMs) => {
    pagerDuty.next.push(answer);
    const failure = await deliverNote(notesOf(), job).catch((error: unknown) => error);

    expect(failure).toMatchObject({ code: 'note-unavailable', retryAfterMs });
    expect(JSON.stringify([failure, String((failure as Error).cause)])).not.toContain('canary');
    expect(pagerDuty.notes).toEqual([]);
  });

  it.each([
    [401, {}],
    [404, {}],
    [302, { location: 'http://127.0.0.1:9/' }],
  ])('is given up after the answer %i, and the token goes nowhere else', async (status, headers) => {
    pagerDuty.next.push({ status, headers });
    const deps = notesOf();

    expect(await deliverNote(deps, job)).toEqual({ type: 'refused', error: `pagerduty_${status}` });
    expect(await deliverNote(deps, job)).toEqual({ type: 'delivered', fresh: false });
    expect(pagerDuty.seen).toHaveLength(1);
  });

  it('is given up where the answer has no end', async () => {
    pagerDuty.next.push({ status: 200, body: `{"notes":[{"content":"${'x'.repeat(5_000_000)}"}]}` });
    expect(await deliverNote(notesOf(), job)).toEqual({
      type: 'refused',
      error: 'pagerduty_answer_too_large',
    });
  });

  it.each(['../users', 'P1/merge', 'a?b', ''])(
    'asks nothing for %j, which is no id of an incident',
    async (id) => {
      const alert = { ...buildAlert({ source: 'pagerduty' }), fingerprint: id };
      const alerts = { get: async () => ({ alert }) } as unknown as NoteDeps['alerts'];
      expect(await deliverNote({ ...notesOf(), alerts }, job)).toMatchObject({ type: 'refused' });
      expect(pagerDuty.seen).toEqual([]);
    },
  );

  it('waits for the diagnosis that follows a merged fix', async () => {
    const incidents = { get: async () => ({ ...incident, phase: 'diagnosing' }) };
    const deps = { ...notesOf(), incidents: incidents as unknown as NoteDeps['incidents'] };
    expect(await deliverNote(deps, job)).toMatchObject({ type: 'later' });
    expect(pagerDuty.seen).toEqual([]);
  });
});

describe('a recovered workload', () => {
  const db = withRedis();

  it('gets a note for each alert of PagerDuty and incident.io, and none for other senders', async () => {
    const kubelet = {
      behaviourOf: (pod: Parameters<typeof textAt>[0]) =>
        textAt(pod, 'metadata', 'labels', 'release') === 'bad'
          ? { readyMs: undefined, crash: { afterMs: 5_000, exitCode: 1, reason: 'Error' } }
          : undefined,
    };
    const rule = offering('crash-loop-after-rollout', somePodIsNotReady, proposeUndoRollout);
    const rig = await startRig({ redis: db.redis, rule, cluster: { namespaces: ['shop'], kubelet } });
    try {
      addNodes(rig, ['n-1']);
      rig.local.create([workloadObject('Deployment', { replicas: 2 })]);
      rig.pass(60);
      const path = `/apis/apps/v1/namespaces/shop/deployments/api?fieldManager=kubectl`;
      await fetch(`${rig.local.url}${path}`, {
        method: 'PATCH',
        headers: { 'content-type': 'application/strategic-merge-patch+json' },
        body: JSON.stringify({ spec: { template: { metadata: { labels: { release: 'bad' } } } } }),
      });
      rig.pass(60);
      const opened = await rig.diagnosed({ kind: 'Deployment', namespace: 'shop', name: 'api' });
      const about = { name: 'stuck', status: 'firing', firings: 1, at: opened.createdAt } as const;
      const alerts = [
        { ...about, id: 'al1', source: 'pagerduty' },
        { ...about, id: 'al2', source: 'grafana' },
        { ...about, id: 'al3', source: 'incident-io' },
      ] as const;
      const version = opened.version + 1;
      await rig.incidents.replace({ ...opened, version, alerts: [...alerts] });
      const review = await rig.reviewed(opened, idOf(opened, 'undo-rollout'));
      const { change } = await rig.approved(review);

      expect(change?.verdict).toBe('recovered');
      expect(rig.said.filter(({ kind }) => kind === 'note')).toEqual(
        ['al1', 'al3'].map((alertId) => ({
          ...{ v: 1, kind: 'note', incidentId: opened.id, alertId },
          approvalId: review.approval.id,
        })),
      );
    } finally {
      await rig.stop();
    }
  });
});
