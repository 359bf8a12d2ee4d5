import { beforeEach, describe, expect, it } from 'vitest';
import { Policy } from '#src/doctor/policy/policy.js';
import { createSightAnswers, readWorkloads } from '#src/edges/mcp/sight-answers.js';
import { createMetrics } from '#src/edges/metrics/metrics.js';
import { createHomePage } from '#src/edges/slack/slack-audience-directory.js';
import { createAskForApproval } from '#src/service/approve/ask-for-approval.js';
import { createConfirmLogin } from '#src/service/approve/confirm-login.js';
import { createDiagnoseAgain } from '#src/service/diagnose/diagnose-again.js';
import { createRunDigest } from '#src/service/diagnose/run-digest.js';
import { createReadAudit } from '#src/service/people/audit-trail.js';
import {
  createFindByName,
  createListIncidents,
  createReadHistory,
  createReadIncident,
} from '#src/service/people/list-incidents.js';
import { createReadHome } from '#src/service/people/read-home.js';
import { createSights } from '#src/service/people/sights.js';
import { withRedis } from '../../support/open-redis.js';
import { silenceEntry } from '../../support/redis-records.js';
import { tell } from '../../support/slack-builders.js';
import { createStage } from '../service/stage.js';

/**
 * The workload `ml/inference` in the cluster `prod`: U0DANA may view it, U0SAM views the namespace `web`
 * alone.
 */
const hidden = /inference|\bml\b/;
const remediationId = 'patch-strategy-in-place';
const policy = Policy.parse({
  grants: [{ users: ['U0DANA', 'U0SAM'], namespaces: ['*'], actions: '*' }],
  demands: [{ approvers: 2 }],
  view: [
    { users: ['U0DANA'], namespaces: ['*'] },
    { users: ['U0SAM'], clusters: ['dev'], namespaces: ['web'] },
  ],
  channels: [
    { channels: ['C0ML'], namespaces: ['ml'] },
    { channels: ['C0WEB'], clusters: ['dev'], namespaces: ['web'] },
  ],
});

const db = withRedis();

async function createWorld() {
  const open = createStage(db.redis, policy);
  const audiences = { audienceOf: async () => ({ audience: 'own-workspace' as const }) };
  const sights = createSights({ audiences, people: open.people, policy: () => policy });
  const incident = await open.diagnosed();
  const review = await open.review({ incidentId: incident.id, remediationId, by: 'U0DANA' });
  if (review.type === 'refused') throw new Error(review.because.key);
  const approvalId = review.approval.id;
  await open.decide({ approvalId, by: 'U0DANA', decision: 'approve', reason: 'deadlock' });
  const at = new Date(open.world.now).toISOString();
  const until = new Date(Date.now() + 3_600_000).toISOString();
  const silence = { workload: incident.workload, by: 'U0DANA', at, until, reason: 'being repaired' };
  await open.silences.put(silence, silenceEntry('silenced', silence));
  // The use cases of the stage, as somebody reads them whom the policy limits.
  const stage = { ...open, sights, deliveries: { get: async () => undefined } };
  return { open, stage, incident, approvalId };
}

type World = Awaited<ReturnType<typeof createWorld>>;
let world: World;
beforeEach(async () => {
  world = await createWorld();
});

const named = { name: 'inference', namespace: 'ml' };

const toolsOf = ({ stage }: World, by: string) =>
  createSightAnswers({
    ...stage,
    engine: { ...stage.engine, check: () => Promise.reject(new Error('not asked')) },
    linkTo: () => undefined,
    admitProposal: () => ({ type: 'admitted', release: () => undefined }),
    caller: by,
    manifests: {
      read: async (text: string) => readWorkloads(text),
      explain: async () => undefined,
    },
    waitForManifests: () => 0,
    sight: () => stage.sights.ofPerson(by),
  } as unknown as Parameters<typeof createSightAnswers>[0]);

/** What one person reads at each place; what is thrown is read as well. */
const surfaces: readonly (readonly [string, (world: World, by: string) => Promise<unknown>])[] = [
  [
    'the Home page',
    async ({ stage }, user) => {
      const readHome = createReadHome({
        ...stage,
        policyFaultSince: () => undefined,
        clustersAway: () => ['prod'],
      });
      const homePage = createHomePage({
        tell,
        readHome,
        linkTo: () => undefined,
        pages: { docsUrl: undefined, links: [] },
      });
      return (await homePage({ user, language: 'en' })).blocks;
    },
  ],
  ['the list of incidents', ({ stage }, by) => createListIncidents(stage)({ by })],
  ['the history of a workload', ({ stage }, by) => createReadHistory(stage)({ by, query: named })],
  ['the audit', ({ stage }, by) => createReadAudit(stage)({ by })],
  ['the audit of a workload', ({ stage }, by) => createReadAudit(stage)({ by, query: named })],
  [
    'the search',
    async ({ stage }, by) => {
      const found = await createFindByName(stage)({ by, text: 'infer' });
      return found.type === 'found' ? { ...found, text: '' } : found;
    },
  ],
  ['the proof', ({ stage, incident }, by) => createReadIncident(stage)({ incidentId: incident.id, by })],
  [
    'another diagnosis',
    async ({ stage, incident }, by) => createDiagnoseAgain(stage)({ incidentId: incident.id, by }),
  ],
  [
    'a request for approval',
    ({ stage, incident }, by) =>
      createAskForApproval({ ...stage })({ incidentId: incident.id, remediationId, by }),
  ],
  [
    'the page of the login',
    async ({ stage, approvalId }, by) => {
      const seal = { format: 1, key: 'k', mac: 'm' };
      const waiting = JSON.stringify({
        id: 'w',
        approvalId,
        by,
        at: '2026-11-20T09:30:00Z',
        reason: '',
        seal,
      });
      const { read } = createConfirmLogin({
        ...stage,
        ...{ decideApproval: stage.decide, newId: () => 'w', urlOf: undefined },
        signer: { sign: () => seal, check: () => 'valid' },
        waiting: { put: async () => {}, get: async () => waiting, take: async () => waiting },
      });
      return read('w');
    },
  ],
  ['the tool that lists incidents', (world, by) => toolsOf(world, by).incidents?.('en') ?? Promise.resolve()],
  [
    'the tool that reads an incident',
    (world, by) => toolsOf(world, by).incident?.(world.incident.id, 'en') ?? Promise.resolve(),
  ],
];

async function read(surface: (typeof surfaces)[number][1], by: string): Promise<string> {
  const shown = await surface(world, by).catch((error: unknown) => error);
  if (!(shown instanceof Error)) return JSON.stringify(shown ?? null);
  return JSON.stringify({ ...shown, message: shown.message });
}

describe.each(surfaces)('%s', (_, surface) => {
  it('shows a workload to a person who may view it, and no name of it to one who may not', async () => {
    expect(await read(surface, 'U0DANA')).toMatch(hidden);
    expect(withoutAsked(await read(surface, 'U0SAM'))).not.toMatch(hidden);
  });
});

/** Words that the person typed themselves come back in an answer that no such workload exists. */
function withoutAsked(text: string): string {
  return text.replaceAll(/"(?:query|asked|name|namespace)":"(?:inference|ml)"/g, '""');
}

describe('a weekly digest', () => {
  it.each([
    ['C0ML', ['inference']],
    ['C0WEB', []],
  ])('in %s is about the workloads that the channel may show: %j', async (channel, shown) => {
    const { stage } = world;
    const snapshot = { workload: { metadata: { namespace: 'ml', name: 'inference' } } };
    const looked: string[] = [];
    const posted: unknown[] = [];
    const run = createRunDigest({
      ...{ clock: stage.clock, sights: stage.sights, channel, withinMs: 60_000, onNotShown: () => undefined },
      board: {
        findDigest: async () => undefined,
        async postDigest(_, digest) {
          posted.push(digest);
          return { type: 'shown', channel, ts: '1.1' };
        },
      },
      cluster: {
        clusters: ['prod'],
        scope: async () => ({ type: 'scope', snapshots: [snapshot], takenAt: '2026-11-20T09:00:00Z' }),
      } as never,
      engine: {
        needs: new Set<never>(),
        async diagnose({
          workload,
        }: {
          readonly workload: { readonly metadata: { readonly name: string } };
        }) {
          looked.push(workload.metadata.name);
          return stage.world.diagnosis;
        },
      } as never,
      settings: { timeZone: 'UTC' } as never,
    });
    await run();
    expect(looked).toEqual(shown);
    expect(posted).toHaveLength(1);
  });
});

describe('the metrics', () => {
  it('have labels from closed lists: none names a workload, a namespace, a channel or a person', async () => {
    const metrics = createMetrics();
    metrics.found('surge-deadlock', 'proven');
    metrics.jobEnded('diagnosis', 'done', 1);
    const { body } = await metrics.page();
    const labels = new Set([...body.matchAll(/[{,](\w+)="/g)].map(([, label]) => label));
    expect(labels.size).toBeGreaterThan(3);
    for (const label of ['namespace', 'workload', 'pod', 'name', 'deployment', 'channel', 'user', 'team'])
      expect(labels).not.toContain(label);
  });
});
