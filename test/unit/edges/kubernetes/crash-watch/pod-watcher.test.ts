import { describe, expect, it } from 'vitest';
import type { ApiAnswer, StreamRequest } from '#src/edges/kubernetes/api-call.js';
import type { ClusterConnection } from '#src/edges/kubernetes/cluster-connection.js';
import { createPodWatcher } from '#src/edges/kubernetes/crash-watch/pod-cache.js';
import { podObject } from '../../../doctor/crash-history/pods.js';

const answer = (status: number, body: unknown, retryAfterMs?: number): ApiAnswer => ({
  status,
  body,
  retryAfterMs,
});
const page = (uids: readonly string[], next = '', version = '10'): ApiAnswer =>
  answer(200, {
    metadata: { continue: next, resourceVersion: version },
    items: uids.map((uid) => podObject({ uid })),
  });
const event = (type: string, uid: string, version: string): string =>
  `${JSON.stringify({ type, object: podObject({ uid, metadata: { resourceVersion: version } }) })}\n`;
const bookmark = (version: string): string =>
  `${JSON.stringify({ type: 'BOOKMARK', object: { kind: 'Pod', metadata: { resourceVersion: version } } })}\n`;
const error = (reason: string): string =>
  `${JSON.stringify({ type: 'ERROR', object: { kind: 'Status', code: 410, reason, message: reason } })}\n`;

type Reply = ApiAnswer | Error | readonly string[];

/** Plays replies to lists and watches in turn, and ends the watcher when a list of replies is used up. */
async function runWatcher(lists: readonly Reply[], watches: readonly Reply[]) {
  const requests: string[] = [];
  const reports: string[] = [];
  const stopping = new AbortController();
  const next = (replies: Reply[]): Reply => {
    const reply = replies.shift();
    if (reply !== undefined) return reply;
    stopping.abort();
    return new DOMException('stopped', 'AbortError');
  };
  const [toList, toWatch] = [[...lists], [...watches]];
  const connection: ClusterConnection = {
    name: 'prod',
    async call({ path, query }) {
      requests.push(`list ${path} ${query?.continue ?? ''}`.trim());
      const reply = next(toList);
      if (reply instanceof Error) throw reply;
      return reply as ApiAnswer;
    },
    async stream({ query }: StreamRequest) {
      requests.push(`watch ${query?.resourceVersion} ${query?.allowWatchBookmarks}`);
      const reply = next(toWatch);
      if (reply instanceof Error) throw reply;
      if ('status' in reply) return reply;
      return { status: 200, chunks: stream(reply) };
    },
  };
  const watcher = createPodWatcher({
    connections: [connection],
    pageTimeoutMs: 5_000,
    firstWaitMs: 1,
    random: () => 0,
  });
  await watcher.watch(
    'prod',
    'shop',
    {
      listBegins: () => reports.push('list begins'),
      listEnds: () => reports.push('list ends'),
      pod: ({ metadata }, gone) => reports.push(`${gone ? 'gone' : 'pod'} ${metadata.uid}`),
      inStep: () => undefined,
      trouble: (because) => reports.push(because),
    },
    stopping.signal,
  );
  return { asked: requests, heard: reports };
}

async function* stream(texts: readonly string[]): AsyncGenerator<string> {
  yield* texts;
}

const path = '/api/v1/namespaces/shop/pods';

describe('the pod watcher', () => {
  it('lists page by page, then watches from there on', async () => {
    const { asked: requests, heard: reports } = await runWatcher(
      [page(['a', 'b'], 'more'), page(['c'])],
      [[event('ADDED', 'd', '11'), event('MODIFIED', 'a', '12'), event('DELETED', 'b', '13')]],
    );
    expect(requests).toEqual([`list ${path}`, `list ${path} more`, 'watch 10 true', 'watch 13 true']);
    expect(reports).toEqual([
      'list begins',
      'pod a',
      'pod b',
      'pod c',
      'list ends',
      'pod d',
      'pod a',
      'gone b',
    ]);
  });

  it('continues from the last bookmark', async () => {
    const { asked: requests } = await runWatcher(
      [page(['a'])],
      [[event('MODIFIED', 'a', '11'), bookmark('42')], []],
    );
    expect(requests.slice(1)).toEqual(['watch 10 true', 'watch 42 true', 'watch 42 true']);
  });

  it.each<[string, Reply]>([
    ['an answer', answer(410, { reason: 'Expired' })],
    ['an event', [error('Expired')]],
    ['an event, as older servers spell it', [error('Gone')]],
  ])('lists again after 410 Gone in %s', async (_, gone) => {
    const { asked: requests, heard: reports } = await runWatcher(
      [page(['a']), page(['b'], '', '20')],
      [gone],
    );
    expect(requests).toEqual([`list ${path}`, 'watch 10 true', `list ${path}`, 'watch 20 true']);
    expect(reports).toEqual([
      'list begins',
      'pod a',
      'list ends',
      'expired',
      'list begins',
      'pod b',
      'list ends',
    ]);
  });

  it('restarts the list when its continue token expires', async () => {
    const { asked: requests, heard: reports } = await runWatcher(
      [page(['a'], 'more'), answer(410, {}), page(['a', 'b'])],
      [],
    );
    expect(requests).toEqual([`list ${path}`, `list ${path} more`, `list ${path}`, 'watch 10 true']);
    expect(reports.slice(-4)).toEqual(['list begins', 'pod a', 'pod b', 'list ends']);
  });

  it.each<[string, Reply, string]>([
    ['a failing server', answer(503, {}), 'unavailable'],
    ['a server that asks to wait', answer(429, {}, 1), 'throttled'],
    ['a connection that breaks', new Error('ECONNRESET'), 'unavailable'],
    ['an answer that is none', answer(200, 'ok'), 'malformed'],
  ])('waits for %s and lists again', async (_, trouble, because) => {
    const { heard: reports } = await runWatcher([trouble, page(['a'])], []);
    expect(reports).toEqual(['list begins', because, 'list begins', 'pod a', 'list ends']);
  });

  it('resumes at the last version after a failed watch, and lists again after an invalid event', async () => {
    const broken = await runWatcher([page(['a'])], [answer(500, {}), [event('MODIFIED', 'a', '11')]]);
    expect(broken.asked).toEqual([`list ${path}`, 'watch 10 true', 'watch 10 true', 'watch 11 true']);
    const odd = await runWatcher([page(['a']), page(['a'])], [['<html>\n']]);
    expect(odd.asked).toEqual([`list ${path}`, 'watch 10 true', `list ${path}`, 'watch 10 true']);
  });

  it('skips an object that is not a pod, and reports the other pods', async () => {
    const odd = `${JSON.stringify({ type: 'ADDED', object: { metadata: { resourceVersion: '11', name: 7 } } })}\n`;
    const { heard: reports, asked: requests } = await runWatcher(
      [page(['a'])],
      [[odd, event('ADDED', 'b', '12')]],
    );
    expect(reports.slice(-2)).toEqual(['malformed', 'pod b']);
    expect(requests.at(-1)).toBe('watch 12 true');
  });

  it('is not delayed by another cluster that never responds', async () => {
    const stopping = new AbortController();
    const silent: ClusterConnection = {
      name: 'silent',
      call: ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason))),
      stream: async () => answer(500, {}),
    };
    const healthy: ClusterConnection = {
      name: 'well',
      call: async () => page(['a']),
      stream: async () => answer(500, {}),
    };
    const watcher = createPodWatcher({
      connections: [silent, healthy],
      pageTimeoutMs: 60_000,
      firstWaitMs: 1,
    });
    const nothing = (): void => undefined;
    const hears = { listBegins: nothing, pod: nothing, inStep: nothing, trouble: nothing };
    const silence = watcher.watch('silent', '', { ...hears, listEnds: nothing }, stopping.signal);
    await new Promise<void>((resolve) => {
      void watcher.watch('well', '', { ...hears, listEnds: resolve }, stopping.signal);
    });
    stopping.abort();
    await silence;
  });
});
