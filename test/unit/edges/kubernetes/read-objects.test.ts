import { describe, expect, it } from 'vitest';
import type { ApiAnswer, ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { cachedList, type ListReading } from '#src/edges/kubernetes/list-reading.js';
import { MalformedProtobuf } from '#src/edges/kubernetes/protobuf/wire.js';
import { listObjects } from '#src/edges/kubernetes/read-objects.js';
import type { ResourceKind } from '#src/engine/objects/cluster-objects.js';

const protobufFirst = 'application/vnd.kubernetes.protobuf,application/json';

/** An API server that gives these responses in order, and the requests it received. */
function serverOf(answers: readonly (ApiAnswer | Error)[]) {
  const sentRequests: ApiRequest[] = [];
  const list = (kind: ResourceKind, max?: number, reading: ListReading = cachedList) =>
    listObjects(
      async (request) => {
        const answer = answers[sentRequests.length];
        sentRequests.push(request);
        if (answer instanceof Error || answer === undefined) throw answer ?? new Error('asked too often');
        return answer;
      },
      kind,
      { reading, ...(max === undefined ? {} : { max }) },
      new AbortController().signal,
    );
  return { asked: sentRequests, list };
}

function page(names: readonly string[], next?: string): ApiAnswer {
  const items = names.map((name) => ({ metadata: { name }, spec: { containers: [] } }));
  const metadata = next === undefined ? {} : { continue: next };
  return { status: 200, body: { metadata, items }, retryAfterMs: undefined };
}

function refused(status: number, message = 'no'): ApiAnswer {
  return { status, body: { message, reason: '' }, retryAfterMs: undefined };
}

describe('a list of objects', () => {
  it.each<[ResourceKind, string | undefined]>([
    ['Node', protobufFirst],
    ['Pod', protobufFirst],
    ['ConfigMap', undefined],
    ['NodeClaim', undefined],
  ])('of kind %s is requested with the Accept header %s', async (kind, accept) => {
    const { asked: sentRequests, list } = serverOf([page([])]);
    await list(kind);
    expect(sentRequests.map((request) => request.accept)).toEqual([accept]);
  });

  it('is read page by page with the same parameters', async () => {
    const { asked: sentRequests, list } = serverOf([page(['a'], 'one'), page(['b'], 'two'), page(['c'])]);
    expect(await list('Node')).toMatchObject({
      type: 'read',
      value: { cut: false, items: [{ metadata: { name: 'a' } }, { metadata: { name: 'b' } }, {}] },
    });
    expect(sentRequests.map(({ query, accept }) => [query?.continue, accept])).toEqual([
      [undefined, protobufFirst],
      ['one', protobufFirst],
      ['two', protobufFirst],
    ]);
  });

  it('reports that it was cut off at the limit', async () => {
    const { asked: sentRequests, list } = serverOf([page(['a', 'b'], 'one')]);
    expect(await list('Pod', 2)).toMatchObject({ type: 'read', value: { cut: true } });
    expect(sentRequests).toHaveLength(1);
  });

  it('is restarted when its continue token expires', async () => {
    const { asked: sentRequests, list } = serverOf([page(['a'], 'one'), refused(410), page(['a', 'b'])]);
    const read = await list('Node');
    expect(read.type === 'read' && read.value.items.map(({ metadata }) => metadata.name)).toEqual(['a', 'b']);
    expect(sentRequests.map(({ query }) => query?.continue)).toEqual([undefined, 'one', undefined]);
  });

  it.each([
    [403, 'forbidden'],
    [406, 'not-served'],
    [410, 'failed'],
    [500, 'unavailable'],
  ] as const)('that is refused with %i is reported as %s', async (status, because) => {
    const { list } = serverOf(Array.from({ length: 4 }, () => refused(status)));
    expect(await list('Node')).toEqual({ type: 'unreadable', because, message: 'no' });
  });

  it.each<[string, ApiAnswer | Error, string]>([
    ['that is no list', { status: 200, body: 'OK', retryAfterMs: undefined }, 'Pod : '],
    ['with something else in it', { ...page([]), body: { items: [7] } }, 'Pod : '],
  ])('%s is reported as malformed', async (_, answer, message) => {
    const read = await serverOf([answer]).list('Pod');
    expect(read).toMatchObject({ type: 'unreadable', because: 'malformed' });
    expect(read.type === 'unreadable' && read.message).toContain(message);
  });
});

describe('a list with objects that do not parse', () => {
  const good = { metadata: { name: 'good', namespace: 'shop' }, spec: { containers: [] } };
  const odd = (name: string) => ({ metadata: { name, namespace: 'shop' }, spec: { containers: 7 } });
  const answer = (items: readonly unknown[]): ApiAnswer => ({
    status: 200,
    body: { items },
    retryAfterMs: undefined,
  });

  it('keeps the other objects, names three malformed ones and counts the rest', async () => {
    const items = [odd('a'), good, odd('b'), odd('c'), odd('d'), odd('e')];
    const read = await serverOf([answer(items)]).list('Pod');

    expect(read.type === 'read' && read.value.items.map(({ metadata }) => metadata.name)).toEqual(['good']);
    expect(read.type === 'read' && read.value.malformed).toMatch(
      /^Pod shop\/a spec\.containers: .+; Pod shop\/b .+; Pod shop\/c .+; and 2 more$/,
    );
  });

  it('reports no malformed object where all of them parse', async () => {
    expect(await serverOf([answer([good])]).list('Pod')).toMatchObject({ value: { malformed: '' } });
  });
});

describe('a list in protobuf that cannot be read', () => {
  const broken = new MalformedProtobuf('3 bytes are missing');

  it('is requested again in JSON', async () => {
    const { asked: sentRequests, list } = serverOf([broken, page(['a'])]);
    expect(await list('Pod')).toMatchObject({
      type: 'read',
      value: { items: [{ metadata: { name: 'a' } }] },
    });
    expect(sentRequests.map(({ accept }) => accept)).toEqual([
      expect.stringContaining('protobuf'),
      undefined,
    ]);
  });

  it('is malformed where the JSON cannot be read either', async () => {
    const { asked: sentRequests, list } = serverOf([broken, broken]);
    expect(await list('Pod')).toEqual({
      type: 'unreadable',
      because: 'malformed',
      message: '3 bytes are missing',
    });
    expect(sentRequests).toHaveLength(2);
  });
});

describe('thousands of nodes', () => {
  const pages = (last: object): readonly ApiAnswer[] =>
    Array.from({ length: 3 }, (_, number) => {
      const items: object[] = Array.from({ length: 500 }, (_each, at) => ({
        metadata: { name: `node-${number}-${at}`, labels: { number } },
        status: { allocatable: { cpu: at, memory: '1Gi' } },
      }));
      if (number === 2) items.push(last);
      return {
        status: 200,
        body: { metadata: number === 2 ? {} : { continue: String(number) }, items },
        retryAfterMs: undefined,
      };
    });

  it('are parsed like a small list', async () => {
    const read = await serverOf(pages({ metadata: { name: 'last' } })).list('Node');
    const items = read.type === 'read' ? read.value.items : [];
    expect(items).toHaveLength(1_501);
    expect({ ...items[1_007], metadata: items[7]?.metadata }).toEqual(items[7]);
    expect(items[1_007]?.metadata).toMatchObject({ name: 'node-2-7', labels: { number: '2' } });
  });

  it('are read without the node that does not parse, which is named', async () => {
    const read = await serverOf(pages({ metadata: { name: 'odd', labels: [] } })).list('Node');

    expect(read).toMatchObject({
      type: 'read',
      value: { malformed: expect.stringMatching(/^Node odd metadata\.labels: /) },
    });
    expect(read.type === 'read' && read.value.items).toHaveLength(1_500);
  });
});
