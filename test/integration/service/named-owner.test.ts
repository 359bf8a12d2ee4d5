import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { NamedWorkload } from '#src/doctor/commands/command.js';
import { recordedSource } from '#src/edges/cli/sources.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { createReadAudit } from '#src/service/people/audit-trail.js';
import { createReadHistory } from '#src/service/people/list-incidents.js';
import { createSilencing } from '#src/service/people/silencing.js';
import { allowed } from '../../support/allowed.js';
import { withRedis } from '../../support/open-redis.js';
import { openRecords } from '../../support/redis-records.js';
import { openSights } from '../../support/sights.js';

const db = withRedis();

const by = 'U0DANA';
const service = { owner: 'InferenceService', namespace: 'shop', name: 'llm' } as const;
const parts = ['llm-predictor', 'llm-transformer'];

/** `allows`: whether the policy lets people silence this workload. */
async function opened(allows: (workload: WorkloadRef) => boolean = () => true) {
  const { reader, cluster } = await recordedSource('test/scenarios/kserve/healthy', new Date().toISOString());
  const { silences } = openRecords(db.redis, `test-${randomUUID()}`);
  const because = { catalogue: 'notices', key: 'not-authorised', values: {} };
  const demands = { approvers: 1, notRequester: false, typeName: false, login: false };
  const silencing = createSilencing({
    clock: { now: () => new Date() },
    cluster: reader,
    mayApprove: async ({ workload }) =>
      allows(workload) ? allowed(by, demands) : { type: 'refused', because },
    sights: openSights(),
    silences,
    maxSeconds: 86_400,
  });
  return {
    silencing,
    silence: (query: NamedWorkload, who = by) =>
      silencing.silence({ by: who, query, seconds: 3_600, reason: 'node swap' }),
    lift: (query: NamedWorkload) => silencing.lift({ by, query }),
    silenced: async () => (await silences.all()).map(({ workload }) => workload.name).sort(),
    isSilenced: (name: string) =>
      silences.of({ cluster, kind: 'Deployment', namespace: 'shop', name }).then(Boolean),
  };
}

describe('a silence of an InferenceService', () => {
  it('silences all of its Deployments, and ends for all of them by the same name', async () => {
    const { silence, lift, silenced, isSilenced } = await opened();

    expect(await silence(service)).toMatchObject({
      type: 'silenced',
      silences: parts.map((name) => ({
        workload: { name },
        owner: { kind: 'InferenceService', name: 'llm' },
      })),
    });
    expect(await isSilenced('llm-transformer')).toBe(true);
    expect(await lift(service)).toMatchObject({
      type: 'lifted',
      silences: [{ workload: { name: 'llm-predictor' } }, { workload: { name: 'llm-transformer' } }],
    });
    expect(await silenced()).toEqual([]);
  });

  it('names each silence that it replaces', async () => {
    const { silence } = await opened();
    for (const [at, name] of parts.entries()) {
      await silence({ kind: 'Deployment', namespace: 'shop', name }, ['U0SAM', 'U0KIM'][at]);
    }

    expect(await silence(service)).toMatchObject({ formers: [{ by: 'U0SAM' }, { by: 'U0KIM' }] });
  });

  it('ends for one Deployment by its own name', async () => {
    const { silence, lift, silenced } = await opened();
    await silence(service);

    expect(await lift({ kind: 'Deployment', namespace: 'shop', name: 'llm-predictor' })).toMatchObject({
      type: 'lifted',
    });
    expect(await silenced()).toEqual(['llm-transformer']);
  });

  it.each<[string, NamedWorkload]>([
    ['a workload of the same name', { namespace: 'shop', name: 'llm' }],
    ['another kind of the same name', { ...service, owner: 'LLMInferenceService' }],
    ['one of the same name in another namespace', { ...service, namespace: 'ml' }],
  ])('is not ended by the name of %s', async (_, query) => {
    const { silence, lift, silenced } = await opened();
    await silence(service);

    expect(await lift(query)).toMatchObject({ type: 'not-silenced' });
    expect(await silenced()).toEqual(parts);
  });

  it('silences nothing where the policy refuses it for one of them', async () => {
    const { silence, silenced } = await opened(({ name }) => name === 'llm-predictor');

    expect(await silence(service)).toMatchObject({ type: 'refused' });
    expect(await silenced()).toEqual([]);
  });

  it('is not found where there is none of the name', async () => {
    const { silence } = await opened();

    expect(await silence({ ...service, name: 'other' })).toMatchObject({ type: 'not-found' });
  });
});

describe('the history and the audit of an InferenceService', () => {
  const of = (cluster: string, name: string): WorkloadRef => ({
    ...{ cluster, kind: 'Deployment', namespace: 'shop', name },
  });

  async function recorded(...names: readonly string[]) {
    const { reader, cluster } = await recordedSource(
      'test/scenarios/kserve/healthy',
      new Date().toISOString(),
    );
    const records = openRecords(db.redis, `test-${randomUUID()}`);
    for (const name of names) {
      const at = new Date().toISOString();
      await records.audit.append({ at, action: 'approved', by, workload: of(cluster, name), details: {} });
    }
    return { ...records, cluster: reader, sights: openSights(), deliveries: { get: async () => undefined } };
  }

  it('are those of its Deployment', async () => {
    const deps = await recorded('llm-transformer', 'llm', 'web');

    expect(await createReadAudit(deps)({ by, query: service })).toMatchObject({
      workload: { name: 'llm-transformer' },
    });
    expect(await createReadHistory(deps)({ by, query: service })).toMatchObject({
      type: 'history',
      workload: { name: 'llm-transformer' },
    });
  });

  it('are those of the Deployment that people choose, where several have records', async () => {
    const deps = await recorded(...parts);

    expect(await createReadAudit(deps)({ by, query: service })).toMatchObject({ type: 'choices' });
  });

  it('have no entries where only a workload of the same name has records', async () => {
    const deps = await recorded('llm');

    expect(await createReadAudit(deps)({ by, query: service })).toEqual({ type: 'not-recorded', near: [] });
  });
});
