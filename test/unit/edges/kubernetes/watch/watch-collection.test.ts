import { describe, expect, it } from 'vitest';
import type { ApiAnswer } from '#src/edges/kubernetes/api-call.js';
import type { ClusterConnection } from '#src/edges/kubernetes/cluster-connection.js';
import { createCollectionWatcher } from '#src/edges/kubernetes/watch/watch-collection.js';

const selected = { path: '/api/v1/pods', fieldSelector: 'status.phase=Pending' };
const page = (names: readonly string[], next = ''): ApiAnswer => ({
  status: 200,
  body: { metadata: { continue: next, resourceVersion: '10' }, items: names },
  retryAfterMs: undefined,
});
const expired: ApiAnswer = { status: 410, body: { message: 'too old' }, retryAfterMs: undefined };

/** Plays answers to lists and watches in turn; when they are used up, the watcher is ended. */
async function runWatch(lists: readonly ApiAnswer[], watches: readonly ApiAnswer[]) {
  const questions: string[] = [];
  const received: unknown[] = [];
  const stopping = new AbortController();
  const [toList, toWatch] = [[...lists], [...watches]];
  const next = (answers: ApiAnswer[]): ApiAnswer => {
    const answer = answers.shift();
    if (answer === undefined) stopping.abort();
    return answer ?? expired;
  };
  const connection: ClusterConnection = {
    name: 'prod',
    async call({ path, query }) {
      questions.push(
        `list ${path} ${query?.fieldSelector} rv=${query?.resourceVersion} ${query?.resourceVersionMatch ?? query?.continue ?? ''}`.trim(),
      );
      return next(toList);
    },
    async stream({ path, query }) {
      questions.push(`watch ${path} ${query?.fieldSelector} rv=${query?.resourceVersion}`);
      return next(toWatch);
    },
  };
  const watch = createCollectionWatcher({ pageTimeoutMs: 5_000, firstWaitMs: 1, random: () => 0 });
  const nothing = (): void => undefined;
  await watch(
    connection,
    selected,
    {
      listBegins: nothing,
      listEnds: nothing,
      object: (object) => void received.push(object),
      inStep: nothing,
      trouble: nothing,
    },
    stopping.signal,
  );
  return { questions, told: received };
}

const of = (what: string): string => `${what} /api/v1/pods status.phase=Pending`;

describe('a watched collection with a selector', () => {
  it('is listed from the cache, page by page, and watched with the same selector', async () => {
    const { questions, told: received } = await runWatch([page(['a', 'b'], 'more'), page(['c'])], []);

    expect(questions).toEqual([
      `${of('list')} rv=0`,
      `${of('list')} rv=undefined more`,
      `${of('watch')} rv=10`,
    ]);
    expect(received).toEqual(['a', 'b', 'c']);
  });

  it('is listed at no older a version than the expired watch', async () => {
    const { questions } = await runWatch([page(['a']), page(['b'])], [expired]);

    expect(questions).toEqual([
      `${of('list')} rv=0`,
      `${of('watch')} rv=10`,
      `${of('list')} rv=10 NotOlderThan`,
      `${of('watch')} rv=10`,
    ]);
  });

  it('is listed at the version of the cache when the cache has not reached that version', async () => {
    const late: ApiAnswer = { status: 504, body: { message: 'Too large' }, retryAfterMs: 1_000 };
    const { questions } = await runWatch([page(['a']), late, page(['b'])], [expired]);

    expect(questions.filter((question) => question.startsWith('list'))).toEqual([
      `${of('list')} rv=0`,
      `${of('list')} rv=10 NotOlderThan`,
      `${of('list')} rv=0`,
    ]);
  });

  it('is read from etcd only after three lists from the cache were too old to watch from', async () => {
    const pages = [page([]), page([]), page([]), page([])];
    const { questions } = await runWatch(pages, [expired, expired, expired]);

    expect(questions.filter((question) => question.startsWith('list'))).toEqual([
      `${of('list')} rv=0`,
      `${of('list')} rv=10 NotOlderThan`,
      `${of('list')} rv=10 NotOlderThan`,
      `${of('list')} rv=undefined`,
    ]);
  });
});
