import { describe, expect, it } from 'vitest';
import type { ApiAnswer, ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { confirmProof, readPodsByNode, watchedPodsOf } from '#src/edges/kubernetes/read-pods-by-node.js';
import { Pod } from '#src/engine/objects/pod.js';

const pod = (name: string, resourceVersion: string, fields: object = {}) => ({
  metadata: { name, namespace: 'shop', uid: `${name}-uid`, resourceVersion },
  spec: { containers: [], ...fields },
});
const listOf = (items: readonly object[], resourceVersion = '90'): ApiAnswer => ({
  status: 200,
  body: { metadata: { resourceVersion }, items },
  retryAfterMs: undefined,
});
const refusal = (status: number): ApiAnswer => ({ status, body: { message: 'no' }, retryAfterMs: undefined });

function gatheringFrom(answerTo: (request: ApiRequest) => ApiAnswer | Promise<ApiAnswer>) {
  const sentRequests: ApiRequest[] = [];
  const gathering = createGathering(async (request) => {
    sentRequests.push(request);
    return answerTo(request);
  }, new AbortController().signal);
  return { asked: sentRequests, gathering };
}

const versionsOf = (objects: { readonly Pod: readonly Pod[] }) =>
  objects.Pod.map(({ metadata }) => `${metadata.name}@${metadata.resourceVersion}`);

describe('the objects read for one diagnosis', () => {
  it.each([
    ['a newer state', ['9', '10'], ['a@10']],
    ['an older state', ['10', '9'], ['a@10']],
    ['a version that is no number', ['10', 'x'], ['a@x']],
  ])('keep the newest state of an object when %s comes second', async (_, versions, expected) => {
    const answers = versions.map((version) => listOf([pod('a', version)]));
    const { gathering } = gatheringFrom(() => answers.shift() ?? refusal(500));
    await gathering.list('Pod', {});
    await gathering.list('Pod', {});
    expect(versionsOf(gathering.objects())).toEqual(expected);
  });

  it('keep another object of the same name, whatever its version', async () => {
    const second = { ...pod('a', '3'), metadata: { ...pod('a', '3').metadata, uid: 'other' } };
    const answers = [listOf([pod('a', '10')]), listOf([second])];
    const { gathering } = gatheringFrom(() => answers.shift() ?? refusal(500));
    await gathering.list('Pod', {});
    await gathering.list('Pod', {});
    expect(versionsOf(gathering.objects())).toEqual(['a@3']);
  });

  it('show what was read since they were asked for, sorted by name', async () => {
    const answers = [listOf([pod('b', '1')]), listOf([pod('a', '2'), pod('b', '3')]), refusal(404)];
    const { gathering } = gatheringFrom(() => answers.shift() ?? refusal(500));
    await gathering.list('Pod', {});
    const before = gathering.objects();
    await gathering.list('Pod', {});
    expect(versionsOf(gathering.objects())).toEqual(['a@2', 'b@3']);
    await gathering.confirm('Pod', { namespace: 'shop', name: 'a' });
    expect([before, gathering.objects()].map(versionsOf)).toEqual([['b@1'], ['b@3']]);
  });

  it('are listed at no older a version than demanded, and at no older a version than before', async () => {
    const { asked: sentRequests, gathering } = gatheringFrom(() => listOf([], '120'));
    gathering.demand(['Pod'], '100');
    await gathering.list('Pod', { namespace: 'shop' });
    await gathering.list('Pod', {});
    await gathering.list('Node', {});
    expect(sentRequests.map(({ query }) => [query?.resourceVersion, query?.resourceVersionMatch])).toEqual([
      ['100', 'NotOlderThan'],
      ['120', 'NotOlderThan'],
      ['0', undefined],
    ]);
  });

  it('are waited for only once when the cache has not reached the demanded version, which is reported', async () => {
    const { asked: sentRequests, gathering } = gatheringFrom(({ query }) =>
      query?.resourceVersion === '0' ? listOf([pod('a', '90')]) : refusal(504),
    );
    gathering.demand(['Pod'], '100');
    expect(await gathering.list('Pod', {})).toHaveLength(1);
    await gathering.list('Pod', {});
    expect(sentRequests.map(({ query }) => query?.resourceVersion)).toEqual(['100', '0', '0']);
    expect(gathering.older()).toEqual(['Pod']);
    expect(gathering.unseen()).toEqual([]);
  });
});

describe('pods from the watch', () => {
  const watched = (name: string, version: string) => Pod.parse(pod(name, version, { nodeName: 'n' }));
  const whole = pod('a', '10', { nodeName: 'n', containers: [{ name: 'a', image: 'canary' }] });

  it('are kept beside pods that were read in full, and do not replace them', async () => {
    const { gathering } = gatheringFrom(() => listOf([whole]));
    await gathering.list('Pod', {});
    expect(gathering.adopt('Pod', [watched('a', '10'), watched('b', '12')])).toBe(true);
    expect(versionsOf(gathering.objects())).toEqual(['a@10', 'b@12']);
    expect(JSON.stringify(gathering.objects().Pod)).toContain('canary');
  });

  it.each([
    ['another version', watched('a', '11')],
    ['another object', { ...watched('a', '10'), metadata: { ...watched('a', '10').metadata, uid: 'other' } }],
  ])('are not kept where one of them was read as %s', async (_, other) => {
    const { gathering } = gatheringFrom(() => listOf([whole]));
    await gathering.list('Pod', {});
    expect(gathering.adopt('Pod', [watched('b', '12'), other])).toBe(false);
    expect(versionsOf(gathering.objects())).toEqual(['a@10']);
  });

  it('are replaced by pods that are read in full later', async () => {
    const { gathering } = gatheringFrom(() => listOf([whole]));
    gathering.adopt('Pod', [watched('a', '10')]);
    await gathering.list('Pod', {});
    expect(JSON.stringify(gathering.objects().Pod)).toContain('canary');
  });

  it('are used only as new as the lists of pods, and are listed on the nodes of the proof', async () => {
    const { gathering } = gatheringFrom(() => listOf([], '120'));
    const sentRequests: string[] = [];
    const on = (node: string) => [watched(`on-${node}`, '100')];
    const watch = async (notOlderThan: string) => {
      sentRequests.push(notOlderThan);
      return on;
    };
    const withoutDemand = await watchedPodsOf(gathering, [], 1, watch);
    expect(withoutDemand.keep('n')).toBe(false);
    gathering.demand(['Pod'], '90');
    await gathering.list('Pod', {});
    const { keep, nodes } = await watchedPodsOf(gathering, [Pod.parse(whole)], 1, watch);
    expect(sentRequests).toEqual(['120']);
    expect([keep('n'), keep('m')]).toEqual([false, true]);
    expect([...nodes]).toEqual(['m']);
    expect(versionsOf(gathering.objects())).toEqual(['on-m@100']);
  });
});

describe('the objects that a proof rests on', () => {
  const gpu = { resources: { requests: { 'nvidia.com/gpu': '1', cpu: '1' } } };
  const waiting = pod('new', '10', { containers: [{ name: 'a', image: 'a', ...gpu }] });
  const running = pod('old', '11', { nodeName: 'gpu-a', containers: [{ name: 'a', image: 'a', ...gpu }] });
  const foreign = pod('other', '12', { nodeName: 'gpu-b', containers: [{ name: 'a', image: 'a', ...gpu }] });
  const bystander = pod('plain', '13', { nodeName: 'gpu-a' });

  async function confirmedAgainst(now: Readonly<Record<string, object | number>>) {
    const { asked: sentRequests, gathering } = gatheringFrom(({ path }) => {
      const name = path.split('/').at(-1) ?? '';
      if (name === 'pods') return listOf([waiting, running, foreign, bystander]);
      const found = now[name];
      if (typeof found === 'object') return { status: 200, body: found, retryAfterMs: undefined };
      return refusal(found ?? 404);
    });
    await gathering.list('Pod', {});
    const own = [running, waiting].map((each) => Pod.parse(each));
    const confirmed = await confirmProof(gathering, own);
    const read = sentRequests.slice(1).map(({ path, query }) => `${path} ${JSON.stringify(query)}`);
    return { confirmed, read, versions: versionsOf(gathering.objects()), unseen: gathering.unseen() };
  }

  it('are read again by name: own pods, the pods that hold what these wait for, and their nodes', async () => {
    const node = { metadata: { name: 'gpu-a', uid: 'n' }, status: {} };
    const { read, confirmed } = await confirmedAgainst({
      new: waiting,
      old: running,
      other: foreign,
      'gpu-a': node,
    });
    expect(read).toEqual([
      '/api/v1/namespaces/shop/pods/new undefined',
      '/api/v1/namespaces/shop/pods/old undefined',
      '/api/v1/namespaces/shop/pods/other undefined',
      '/api/v1/nodes/gpu-a undefined',
    ]);
    expect(confirmed).toMatchObject({ confirmed: 4, unconfirmed: 0 });
  });

  it('are corrected where they changed or no longer exist', async () => {
    const scheduled = pod('new', '20', { nodeName: 'gpu-b' });
    const { confirmed, versions } = await confirmedAgainst({ new: scheduled, other: foreign, 'gpu-a': 404 });
    expect(confirmed).toEqual({ confirmed: 4, corrected: 3, unconfirmed: 0 });
    expect(versions).toEqual(['new@20', 'other@12', 'plain@13']);
  });

  it('stay as the cache has them where reading by name is forbidden', async () => {
    const forbidden = { new: 403, old: 403, other: 403, 'gpu-a': 403 };
    const { confirmed, versions, unseen } = await confirmedAgainst(forbidden);
    expect(confirmed).toEqual({ confirmed: 0, corrected: 0, unconfirmed: 4 });
    expect(versions).toHaveLength(4);
    expect(unseen).toEqual([]);
  });
});

describe('the pods of many nodes', () => {
  const names = Array.from({ length: 64 }, (_, number) => `node-${number}`);

  it('are no longer requested after three nodes did not respond', async () => {
    const { asked: sentRequests, gathering } = gatheringFrom(() => {
      throw Object.assign(new Error('late'), { name: 'TimeoutError' });
    });
    expect(await readPodsByNode(gathering, names, { atOnce: 4 })).toEqual(new Set());
    expect(sentRequests.length).toBeLessThanOrEqual(3 + 4);
    expect(gathering.unseen()).toMatchObject([{ what: 'Pod', because: 'timeout' }]);
  });

  it('count as read only for the nodes that responded', async () => {
    const { gathering } = gatheringFrom(({ query }) =>
      query?.fieldSelector === 'spec.nodeName=node-1' ? refusal(500) : listOf([]),
    );
    const read = await readPodsByNode(gathering, names, { atOnce: 4 });
    expect(read.size).toBe(63);
    expect(read.has('node-1')).toBe(false);
  });
});
