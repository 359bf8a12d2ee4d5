import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { ApiAnswer } from '#src/edges/kubernetes/api-call.js';
import type { ClusterConnection } from '#src/edges/kubernetes/cluster-connection.js';
import { createNodeCache, maxAgeMs } from '#src/edges/kubernetes/node-watch/node-cache.js';

const node = (name: string, version = '5', status: object = {}) => ({
  metadata: { name, uid: `${name}-uid`, resourceVersion: version },
  status,
});
const event = (type: string, object: object): string => `${JSON.stringify({ type, object })}\n`;
const bookmark = event('BOOKMARK', { kind: 'Node', metadata: { resourceVersion: '90' } });

/**
 * A cluster that returns its list at once and whose only watch sends the events of the test when the test
 * sends them.
 */
function watched(list: () => ApiAnswer | Promise<ApiAnswer>) {
  let now = 1_000;
  const messages: string[] = [];
  const troubles: string[] = [];
  const stopping = new AbortController();
  const connection: ClusterConnection = {
    name: 'prod',
    call: async () => list(),
    stream: async ({ signal }) => ({
      status: 200,
      chunks: (async function* () {
        while (!signal.aborted) {
          const next = messages.shift();
          if (next !== undefined) yield next;
          else await delay(1);
        }
      })(),
    }),
  };
  const cache = createNodeCache({
    connections: [connection],
    pageTimeoutMs: 5_000,
    firstWaitMs: 1,
    elapsed: () => now,
  });
  const watching = cache.watch('prod', (because) => troubles.push(because), stopping.signal);
  onTestFinished(async () => {
    stopping.abort();
    await watching;
  });
  return {
    cache,
    troubles,
    stop: () => stopping.abort(),
    watching,
    tell: (...events: readonly string[]) => messages.push(...events),
    pass: (ms: number) => {
      now += ms;
    },
    names: () => cache.nodes('prod')?.nodes.map(({ metadata }) => metadata.name),
  };
}

const listOf = (...items: readonly object[]): ApiAnswer => ({
  status: 200,
  body: { metadata: { resourceVersion: '10' }, items },
  retryAfterMs: undefined,
});

describe('the node cache', () => {
  it('returns the nodes of the list with every change since', async () => {
    const { names, tell, cache } = watched(() => listOf(node('a'), node('b')));
    await vi.waitFor(() => expect(names()).toEqual(['a', 'b']));
    tell(
      event('ADDED', node('c')),
      event('DELETED', node('a')),
      event('MODIFIED', node('b', '12', { allocatable: { cpu: '4' } })),
    );
    await vi.waitFor(() => expect(names()).toEqual(['c', 'b']));
    expect(cache.nodes('prod')?.nodes.at(-1)?.status.allocatable).toEqual({ cpu: '4' });
    expect(cache.nodes('elsewhere')).toBeUndefined();
  });

  it('returns nodes until the maximum age after the last message of the watch', async () => {
    const { names, tell, pass, cache } = watched(() => listOf(node('a')));
    await vi.waitFor(() => expect(names()).toEqual(['a']));
    pass(maxAgeMs);
    expect(cache.nodes('prod')?.ageMs).toBe(maxAgeMs);
    pass(1);
    // The connection is still open, and the watch has begun: neither proves that no event was missed.
    expect(names()).toBeUndefined();
    tell(bookmark);
    await vi.waitFor(() => expect(cache.nodes('prod')?.ageMs).toBe(0));
  });

  it('returns no nodes before the list is complete, after a refusal, or after the end', async () => {
    let answer: (given: ApiAnswer) => void = () => undefined;
    const pending = new Promise<ApiAnswer>((resolve) => {
      answer = resolve;
    });
    const slow = watched(() => pending);
    await delay(20);
    expect(slow.names()).toBeUndefined();
    answer(listOf(node('a')));
    await vi.waitFor(() => expect(slow.names()).toEqual(['a']));
    slow.stop();
    await slow.watching;
    expect(slow.names()).toBeUndefined();

    const refused = watched(() => ({ status: 403, body: {}, retryAfterMs: undefined }));
    await vi.waitFor(() => expect(refused.troubles).toEqual(['forbidden']));
    expect(refused.names()).toBeUndefined();
  });

  it('dates its nodes to the moment the list was requested', async () => {
    const rig = watched(async () => {
      rig.pass(maxAgeMs + 1);
      return listOf(node('a'));
    });
    await delay(30);
    expect(rig.names()).toBeUndefined();
    rig.tell(bookmark);
    await vi.waitFor(() => expect(rig.names()).toEqual(['a']));
  });

  it('returns no nodes while one of them cannot be read', async () => {
    const { names, tell } = watched(() => listOf(node('a')));
    await vi.waitFor(() => expect(names()).toEqual(['a']));
    tell(event('ADDED', { metadata: { name: 'odd' }, status: 7 }));
    await vi.waitFor(() => expect(names()).toBeUndefined());
    tell(event('DELETED', { metadata: { name: 'odd' }, status: 7 }));
    await vi.waitFor(() => expect(names()).toEqual(['a']));
  });
});
