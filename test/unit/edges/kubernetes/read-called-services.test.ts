import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readCalledServices } from '#src/edges/kubernetes/read-own.js';
import { Event } from '#src/engine/objects/event.js';
import { refused } from '../../engine/creation/build.js';

/** The API server's words for a webhook that is called by the Service `policy`. */
const unreachable = (namespace: string) =>
  `Error creating: Internal error occurred: failed calling webhook "validate.policy.example": failed to call webhook: Post "https://policy.${namespace}.svc:443/validate?timeout=1s": no endpoints available for service "policy"`;

/** What is asked for, where the API server has this Service. */
async function asked(message: string, selector: object): Promise<readonly string[]> {
  const requests: ApiRequest[] = [];
  const gathering = createGathering(async (request) => {
    requests.push(request);
    const items = request.path.endsWith('/services')
      ? [{ metadata: { name: 'policy', namespace: 'shop' }, spec: { selector } }]
      : [];
    return { status: 200, body: { items }, retryAfterMs: undefined };
  }, AbortSignal.timeout(5_000));
  gathering.keep('Event', [
    Event.parse({
      metadata: { name: 'web-2.1', namespace: 'shop' },
      involvedObject: { kind: 'ReplicaSet', namespace: 'shop', name: 'web-2', uid: 'web-2-uid' },
      ...{ type: 'Warning', reason: 'FailedCreate', message },
    }),
  ]);
  await readCalledServices(gathering, refused().workload);
  return requests.map(({ path, query }) =>
    [path.split('/namespaces/')[1], query?.labelSelector ?? query?.fieldSelector].filter(Boolean).join(' '),
  );
}

describe('the Service of a webhook that refuses pods', () => {
  it('is read with the pods that it selects, of every workload', async () => {
    expect(await asked(unreachable('shop'), { app: 'policy' })).toEqual([
      'shop/services metadata.name=policy',
      'shop/pods app=policy',
    ]);
  });

  it.each<readonly [string, string, object, readonly string[]]>([
    [
      'has no pods to read without a selector',
      unreachable('shop'),
      {},
      ['shop/services metadata.name=policy'],
    ],
    ['is not read in another namespace', unreachable('guard'), { app: 'policy' }, []],
    ['is not read where a webhook answered', 'admission webhook "a" denied the request: no', {}, []],
  ])('%s', async (_, message, selector, expected) => {
    expect(await asked(message, selector)).toEqual(expected);
  });
});
