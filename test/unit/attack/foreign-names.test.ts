import { describe, expect, it } from 'vitest';
import { fullSight, type Sight } from '#src/doctor/policy/view.js';
import { createRemoteNames } from '#src/service/clusters/name-answers.js';

const here = (namespace: string, name: string, more: object = {}) => ({
  ...{ cluster: 'prod', kind: 'Deployment', namespace, name },
  ...more,
});
const shopOnly: Sight = { allOf: [[{ clusters: ['prod'], namespaces: ['shop'], logs: true }]] };
const { signal } = new AbortController();

/** The names of a cluster whose worker answers this, whatever it is asked. */
const namesOf = (answer: unknown) =>
  createRemoteNames('prod', {
    ask: async () => ({ questionId: 'q', answer: { text: JSON.stringify(answer) } }),
    // What is signed is tried in test/unit/attack/forged-names.test.ts: here the worker itself lies.
    signerOf: () => ({ sign: () => ({ format: 1, key: 'k', mac: '' }), check: () => 'valid' }),
    roll: { clusters: ['prod'], isServed: () => true, workersOf: () => [] },
    withinMs: 1_000,
  });

const strangers = [
  here('shop', 'api', { cluster: 'staging' }),
  here('shop', 'other'),
  here('shop', 'apiary'),
  here('secret', 'api'),
  here('shop', 'api', { kind: 'StatefulSet' }),
];

describe('an answer about names of a cluster', () => {
  it('is taken for that cluster, kind, name and sight only', async () => {
    const query = { kind: 'Deployment', namespace: 'shop', name: 'api' } as const;
    const own = here('shop', 'api');
    const { find, named } = namesOf({ type: 'found', workloads: [...strangers, own] });
    expect(await find(query, fullSight, signal)).toEqual({ type: 'found', workloads: [own] });
    expect(await named(query, fullSight, signal)).toMatchObject({ type: 'unreadable' });
    const located = namesOf({ type: 'located', workloads: [...strangers, own], others: [] });
    expect(await located.named(query, fullSight, signal)).toEqual({
      type: 'located',
      workloads: [own],
      others: [],
    });
  });

  it('of strangers only reads like a name that does not exist', async () => {
    const { find } = namesOf({ type: 'found', workloads: strangers });
    const query = { kind: 'Deployment', namespace: 'shop', name: 'api' } as const;
    expect(await find(query, fullSight, signal)).toEqual({
      type: 'not-found',
      what: 'workload',
      name: 'api',
      nearest: [],
    });
  });

  it('keeps what is outside the sight away from every question', async () => {
    const workloads = [here('secret', 'api'), here('shop', 'api')];
    const [, own] = workloads;
    const names = namesOf({ type: 'located', workloads, others: [] });
    const expected = { type: 'located', workloads: [own], others: [] };
    expect(await names.named({ name: 'api' }, shopOnly, signal)).toEqual(expected);
    expect(await names.ownerOf({ name: 'api-1' }, shopOnly, signal)).toEqual(expected);
    expect(await names.suffering({ node: 'n-1' }, shopOnly, signal)).toEqual(expected);
    const near = { type: 'not-found', what: 'workload', name: 'ap', nearest: ['secret/api', 'shop/api'] };
    expect(await namesOf(near).find({ name: 'ap' }, shopOnly, signal)).toMatchObject({
      nearest: ['shop/api'],
    });
  });

  it('is of the namespace that was asked about', async () => {
    const workloads = [here('tools', 'api'), here('shop', 'api')];
    const [, own] = workloads;
    const names = namesOf({ type: 'located', workloads, others: [] });
    const expected = { type: 'located', workloads: [own], others: [] };
    expect(await names.ownerOf({ namespace: 'shop', name: 'api-1' }, fullSight, signal)).toEqual(expected);
    expect(await names.suffering({ namespace: 'shop' }, fullSight, signal)).toEqual(expected);
    expect(await names.named({ namespace: 'shop', name: 'api' }, fullSight, signal)).toEqual(expected);
  });

  it('keeps what a controller makes of the object that was named, and the owner of a pod', async () => {
    const made = [here('shop', 'api-predictor'), here('shop', 'api-predictor-00001-deployment')];
    const found = { type: 'found', workloads: made };
    expect(await namesOf(found).find({ name: 'api' }, fullSight, signal)).toEqual(found);
    const owner = { type: 'found', workloads: [here('shop', 'web')] };
    expect(await namesOf(owner).find({ name: 'web-1', member: 'Pod' }, fullSight, signal)).toEqual(owner);
  });

  it('holds at most a hundred names', async () => {
    const workloads = Array.from({ length: 5_000 }, (_, at) => here(`n${at}`, 'api'));
    const others = Array.from({ length: 5_000 }, (_, at) => ({ kind: 'Job', name: `j${at}` }));
    const located = await namesOf({ type: 'located', workloads, others }).named(
      { name: 'api' },
      fullSight,
      signal,
    );
    expect(located).toMatchObject({ workloads: { length: 100 }, others: { length: 100 } });
    const nearest = Array.from({ length: 5_000 }, (_, at) => `shop/a${at}`);
    const near = { type: 'not-found', what: 'workload', name: 'api', nearest };
    expect(await namesOf(near).find({ name: 'api' }, fullSight, signal)).toMatchObject({
      nearest: { length: 100 },
    });
  });
});
