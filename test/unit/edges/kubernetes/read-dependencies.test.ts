import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readDependencies } from '#src/edges/kubernetes/read-dependencies.js';
import { backingOff, ended, type FailingPodShape, failingPod } from '../../doctor/findings/crashes/build.js';

const saying = (message: string): FailingPodShape => ({
  containers: [{ state: backingOff, lastState: ended({ message }), ready: false }],
});

const services = [
  {
    metadata: { name: 'postgres', namespace: 'shop' },
    spec: { selector: { app: 'db' }, clusterIP: '10.0.0.7' },
  },
  { metadata: { name: 'outside', namespace: 'shop' }, spec: { clusterIP: '10.0.0.8' } },
  { metadata: { name: 'redis', namespace: 'data' }, spec: { selector: { app: 'redis' }, clusterIP: 'None' } },
];

/** Everything that was asked for, and what is unseen. */
async function reads(shape: FailingPodShape, status = 200) {
  const requests: ApiRequest[] = [];
  const gathering = createGathering(async (request) => {
    requests.push(request);
    const namespace = request.path.includes('/shop/') ? 'shop' : 'data';
    const items = request.path.endsWith('/services')
      ? services.filter(({ metadata }) => metadata.namespace === namespace)
      : [];
    return { status, body: status === 200 ? { items } : {}, retryAfterMs: undefined };
  }, AbortSignal.timeout(5_000));
  await readDependencies(gathering, [failingPod(shape)], []);
  const asked = requests.map(({ path, query }) =>
    [path.split('/namespaces/')[1], query?.labelSelector ?? query?.fieldSelector].filter(Boolean).join(' '),
  );
  return { asked, unseen: gathering.unseen() };
}

describe('the Services that a crashed container could not reach', () => {
  it.each<readonly [string, FailingPodShape, readonly string[]]>([
    [
      'with their EndpointSlices and pods',
      saying('postgres:5432 refused'),
      ['shop/services', 'shop/endpointslices kubernetes.io/service-name=postgres', 'shop/pods app=db'],
    ],
    [
      'by their address',
      saying('dial tcp 10.0.0.7:5432: connection refused'),
      ['shop/services', 'shop/endpointslices kubernetes.io/service-name=postgres', 'shop/pods app=db'],
    ],
    [
      'in another namespace by name',
      saying('redis.data.svc:6379 refused'),
      [
        'data/services metadata.name=redis',
        'data/endpointslices kubernetes.io/service-name=redis',
        'data/pods app=redis',
      ],
    ],
    ['without the pods of one that has no selector', saying('outside:80 refused'), ['shop/services']],
    ['not at all where nothing is named', saying('panic: no such table'), []],
    [
      'of a container whose back-off the kubelet does not show yet',
      { containers: [{ state: ended({ message: 'postgres:5432 refused' }), restarts: 2, ready: false }] },
      ['shop/services', 'shop/endpointslices kubernetes.io/service-name=postgres', 'shop/pods app=db'],
    ],
    [
      'not at all for an init container that has done its work',
      {
        inits: [
          { name: 'init', state: ended({ exitCode: 0, message: 'postgres:5432 refused' }), restarts: 2 },
        ],
      },
      [],
    ],
    [
      'not at all for a container that is not in back-off',
      { containers: [{ lastState: ended({ message: 'postgres:5432 refused' }) }] },
      [],
    ],
  ])('are read %s', async (_title, shape, asked) => {
    expect((await reads(shape)).asked).toEqual(asked);
  });

  it('are unseen without the right to list them', async () => {
    const { asked, unseen } = await reads(saying('postgres:5432 refused'), 403);

    expect(asked).toEqual(['shop/services']);
    expect(unseen).toMatchObject([{ what: 'Service', namespace: 'shop', because: 'forbidden' }]);
  });
});
