import { describe, expect, it } from 'vitest';
import { listObjects } from '../../../../../demo/cluster/api/list-objects.js';
import { type ListOptions, parseListOptions } from '../../../../../demo/cluster/api/list-options.js';
import { requireResourceType } from '../../../../../demo/cluster/resources/resource-types.js';
import { create, pod, refusalOf, type TestCluster, testCluster } from '../builders.js';

const pods = requireResourceType('', 'pods');

function options(query: Readonly<Record<string, string>>): ListOptions {
  return parseListOptions(pods, new URLSearchParams(query));
}

function page({ state }: TestCluster, query: Readonly<Record<string, string>>) {
  const { items, metadata } = listObjects(state.registry, pods, 'shop', options(query));
  return { names: items.map((item) => item.metadata.name), metadata };
}

function withPods(...names: readonly string[]): TestCluster {
  const cluster = testCluster();
  for (const name of names) create(cluster.state, pod(name, { app: name }));
  return cluster;
}

describe('the pages of a list', () => {
  it('contain all objects once, in the order of names, with the remaining count', () => {
    const cluster = withPods('c', 'a', 'b');
    const first = page(cluster, { limit: '2' });
    expect(first.names).toEqual(['a', 'b']);
    expect(first.metadata).toMatchObject({ remainingItemCount: 1 });
    const second = page(cluster, { limit: '2', continue: String(first.metadata.continue) });
    expect(second.names).toEqual(['c']);
    expect(second.metadata).not.toHaveProperty('continue');
    expect(second.metadata.resourceVersion).toBe(first.metadata.resourceVersion);
  });

  it('all show the collection as it was at the first page', () => {
    const cluster = withPods('a', 'c');
    const first = page(cluster, { limit: '1' });
    create(cluster.state, pod('b'));
    cluster.state.registry.store.remove(pods.storage, 'shop/c');
    expect(page(cluster, { limit: '5', continue: String(first.metadata.continue) }).names).toEqual(['c']);
  });

  it('omit the remaining count for a list with a selector', () => {
    const cluster = withPods('a', 'b');
    const { metadata } = page(cluster, { limit: '1', labelSelector: 'app' });
    expect(metadata).toHaveProperty('continue');
    expect(metadata).not.toHaveProperty('remainingItemCount');
  });

  it('end with 410 when the token is older than five minutes, with a token that continues inconsistently', () => {
    const cluster = withPods('a', 'b', 'd');
    const first = page(cluster, { limit: '1' });
    create(cluster.state, pod('c'));
    cluster.clock.advance(5 * 60_000 + 1);
    const token = String(first.metadata.continue);
    const refusal = refusalOf(() => page(cluster, { limit: '1', continue: token }));
    expect(refusal).toMatchObject({ code: 410, reason: 'Expired' });
    const metadata = refusal.metadata as { readonly continue: string };
    expect(page(cluster, { continue: metadata.continue }).names).toEqual(['b', 'c', 'd']);
  });

  it('end with 410 when the revision of the token was compacted', () => {
    const cluster = withPods('a', 'b');
    const first = page(cluster, { limit: '1' });
    create(cluster.state, pod('c'));
    cluster.state.registry.store.compact();
    const refusal = refusalOf(() => page(cluster, { continue: String(first.metadata.continue) }));
    expect(refusal).toMatchObject({ code: 410 });
  });

  it.each([
    ['garbage', 'abc'],
    ['another JSON', Buffer.from('{"v":"x"}').toString('base64url')],
  ])('end with 400 for %s as a token', (_sentence, token) => {
    const refusal = refusalOf(() => page(withPods('a'), { continue: token }));
    expect(refusal).toMatchObject({ code: 400, reason: 'BadRequest' });
  });

  it('ignore the limit of a list from the cache', () => {
    expect(page(withPods('a', 'b'), { limit: '1', resourceVersion: '0' }).names).toEqual(['a', 'b']);
  });

  it('apply the limit to a list of Events, which have no cache', () => {
    const { state } = testCluster();
    const events = requireResourceType('', 'events');
    for (const name of ['a', 'b']) {
      const involvedObject = { apiVersion: 'v1', kind: 'Pod', namespace: 'shop', name: 'web' };
      create(state, {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: { namespace: 'shop', name },
        involvedObject,
      });
    }
    const query = parseListOptions(events, new URLSearchParams({ limit: '1', resourceVersion: '0' }));
    const { items, metadata } = listObjects(state.registry, events, 'shop', query);
    expect(items).toHaveLength(1);
    expect(metadata).toHaveProperty('continue');
  });
});

describe('the resourceVersion of a list', () => {
  it('selects a past state only with the Exact match', () => {
    const cluster = withPods('a');
    const past = String(page(cluster, {}).metadata.resourceVersion);
    create(cluster.state, pod('b'));
    expect(page(cluster, { resourceVersion: past, resourceVersionMatch: 'Exact' }).names).toEqual(['a']);
    expect(page(cluster, { resourceVersion: past, resourceVersionMatch: 'NotOlderThan' }).names).toEqual([
      'a',
      'b',
    ]);
  });

  it('is answered with 504 when it is in the future', () => {
    const refusal = refusalOf(() => page(withPods('a'), { resourceVersion: '99999999' }));
    expect(refusal).toMatchObject({
      code: 504,
      details: { causes: [{ reason: 'ResourceVersionTooLarge' }] },
    });
  });

  it('is answered with 410 when it is exact and was compacted', () => {
    const cluster = withPods('a');
    const past = String(page(cluster, {}).metadata.resourceVersion);
    create(cluster.state, pod('b'));
    cluster.state.registry.store.compact();
    const query = { resourceVersion: past, resourceVersionMatch: 'Exact' };
    expect(refusalOf(() => page(cluster, query))).toMatchObject({ code: 410 });
  });
});

describe('selection', () => {
  it('by node uses the index and finds what a full search finds', () => {
    const cluster = testCluster();
    create(cluster.state, pod('a', {}, { nodeName: 'n-1' }));
    create(cluster.state, pod('b', {}, { nodeName: 'n-2' }));
    create(cluster.state, pod('c'));
    expect(page(cluster, { fieldSelector: 'spec.nodeName=n-1' }).names).toEqual(['a']);
    expect(page(cluster, { fieldSelector: 'spec.nodeName!=n-1' }).names).toEqual(['b', 'c']);
    expect(page(cluster, { fieldSelector: 'spec.nodeName=,status.phase=Pending' }).names).toEqual(['c']);
  });

  it.each([
    ['an unknown field of pods', { fieldSelector: 'spec.foo=1' }, 400, 'field label not supported: spec.foo'],
    ['a broken field selector', { fieldSelector: 'foo' }, 400, "can't understand 'foo'"],
    ['a broken label selector', { labelSelector: 'a in b' }, 400, 'unable to parse requirement'],
    ['a resourceVersion that is no number', { resourceVersion: 'abc' }, 400, 'invalid resource version'],
    ['a limit that is no number', { limit: 'x' }, 400, 'strconv.ParseInt'],
    [
      'a match without a version',
      { resourceVersionMatch: 'Exact' },
      422,
      'unless resourceVersion is provided',
    ],
    [
      'an exact match with 0',
      { resourceVersionMatch: 'Exact', resourceVersion: '0' },
      422,
      'is forbidden for resourceVersion "0"',
    ],
    [
      'an unknown match',
      { resourceVersionMatch: 'Foo', resourceVersion: '5' },
      422,
      'supported values: "Exact", "NotOlderThan", ""',
    ],
    [
      'initial events without a match',
      { watch: '1', sendInitialEvents: 'true' },
      422,
      'sendInitialEvents requires setting resourceVersionMatch',
    ],
    [
      'initial events of a list',
      { sendInitialEvents: 'true' },
      422,
      'sendInitialEvents is forbidden for list',
    ],
  ])('refuses %s', (_sentence, query, code, message) => {
    const refusal = refusalOf(() => options(query as unknown as Record<string, string>));
    expect(refusal).toMatchObject({ code });
    expect(refusal.message).toContain(message);
  });
});
