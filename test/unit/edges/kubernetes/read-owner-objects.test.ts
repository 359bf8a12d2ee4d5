import { describe, expect, it } from 'vitest';
import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { createGathering } from '#src/edges/kubernetes/gathering.js';
import { readOwnerObjects } from '#src/edges/kubernetes/read-above.js';
import {
  deployment,
  kustomized,
  type ObjectOptions,
  released,
  tracked,
} from '../../engine/owners/builders.js';

const secret = 'hidden-value';
const application = {
  metadata: { name: 'shop', namespace: 'argocd', annotations: { note: secret } },
  spec: {
    syncPolicy: { automated: { selfHeal: true } },
    source: {
      repoURL: `https://user:${secret}@github.com/acme/deploy.git?token=${secret}`,
      path: 'prod',
      helm: { parameters: [{ name: 'password', value: secret }], values: secret },
      kustomize: { patches: [{ patch: secret }], images: [] },
    },
  },
  status: { summary: secret },
};
const release = {
  metadata: { name: 'shop', namespace: 'flux-system' },
  spec: { interval: '5m', values: { password: secret } },
};

async function read(object: ObjectOptions, answer: (path: string) => { status: number; body?: object }) {
  const paths: string[] = [];
  const call = async ({ path, query }: ApiRequest) => {
    paths.push(`${path}${query?.fieldSelector === undefined ? '' : ` ${query.fieldSelector}`}`);
    const { status, body = {} } = answer(path);
    return { status, body, retryAfterMs: undefined };
  };
  const signal = AbortSignal.timeout(5_000);
  const gathering = createGathering(call, signal);
  const unread = await readOwnerObjects(call, gathering, deployment(object), signal);
  return { paths, unread, objects: gathering.objects(), unseen: gathering.unseen() };
}

const elsewhere = { 'argocd.argoproj.io/tracking-id': 'team-a_shop:apps/Deployment:ml/inference' };
const refused = { status: 403 };

describe('the objects of deployment tools', () => {
  it('are not requested without marks', async () => {
    const { paths, unread } = await read({}, () => refused);

    expect({ paths, unread }).toEqual({ paths: [], unread: [] });
  });

  it.each<[string, ObjectOptions, string]>([
    [
      'an Application in a named namespace',
      { annotations: elsewhere },
      '/apis/argoproj.io/v1alpha1/namespaces/team-a/applications/shop',
    ],
    [
      'a Kustomization',
      { labels: kustomized },
      '/apis/kustomize.toolkit.fluxcd.io/v1/namespaces/flux-system/kustomizations/apps',
    ],
    [
      'a HelmRelease',
      { labels: released },
      '/apis/helm.toolkit.fluxcd.io/v2/namespaces/flux-system/helmreleases/shop',
    ],
  ])('are read by name: %s', async (_, object, path) => {
    expect((await read(object, () => refused)).paths).toEqual([path]);
  });

  it('are found by name in all namespaces where the mark states none', async () => {
    const { paths, objects } = await read({ annotations: tracked }, () => ({
      status: 200,
      body: { metadata: {}, items: [application] },
    }));

    expect(paths).toEqual(['/apis/argoproj.io/v1alpha1/applications metadata.name=shop']);
    expect(objects.Application).toMatchObject([{ spec: { syncPolicy: { automated: { selfHeal: true } } } }]);
  });

  it.each([
    ['missing', []],
    ['ambiguous', [application, { ...application, metadata: { name: 'shop', namespace: 'b' } }]],
  ])('count as %s', async (because, items) => {
    const { unread } = await read({ annotations: tracked }, () => ({
      status: 200,
      body: { metadata: {}, items },
    }));

    expect(unread).toEqual([{ kind: 'Application', because }]);
  });

  it('are kept without credentials, values and messages', async () => {
    const { objects } = await read({ annotations: elsewhere, labels: released }, (path) => ({
      status: 200,
      body: path.includes('applications') ? application : release,
    }));

    const repoURL = { host: 'github.com', path: 'acme/deploy' };
    const source = { repoURL, path: 'prod', helm: { parameters: ['password'] }, kustomize: ['patches'] };
    expect(objects.Application).toMatchObject([{ spec: { source } }]);
    expect(objects.HelmRelease).toMatchObject([{ spec: { interval: '5m' } }]);
    expect(JSON.stringify([objects.Application, objects.HelmRelease])).not.toContain(secret);
  });

  it('include what leads from a HelmRelease or an Application to Git', async () => {
    const sourceRef = { kind: 'GitRepository', name: 'charts' };
    const labels = {
      'kustomize.toolkit.fluxcd.io/name': 'apps',
      'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
    };
    const flux = await read({ labels: released }, (path) => ({
      status: path.includes('helmreleases') ? 200 : 404,
      body: path.includes('helmreleases')
        ? { ...release, metadata: { ...release.metadata, labels }, spec: { chart: { spec: { sourceRef } } } }
        : {},
    }));
    expect(
      flux.paths
        .slice(1)
        .toSorted()
        .map((path) => path.split('/').slice(-2).join('/')),
    ).toEqual(['kustomizations/apps', 'gitrepositories/charts']);

    const id = 'a_root:argoproj.io/Application:b/shop';
    const annotations = { 'argocd.argoproj.io/tracking-id': id };
    const argo = await read({ annotations: elsewhere }, (path) => ({
      status: path.endsWith('/root') ? 403 : 200,
      body: { ...application, metadata: { name: 'shop', namespace: 'b', annotations } },
    }));
    expect(argo.paths[1]).toMatch(/namespaces\/a\/applications\/root$/u);
    // Nothing but the place of inline values rests on it.
    expect(argo.unread).toEqual([]);
  });

  it('include the GitRepository of a Kustomization, in its own namespace or another one', async () => {
    const url = `https://user:${secret}@github.com/acme/deploy`;
    const answer = (namespace?: string) => (path: string) => ({
      status: 200,
      body: path.includes('gitrepositories')
        ? { metadata: { name: 'deploy', namespace: 'flux-system' }, spec: { url } }
        : {
            metadata: { name: 'apps', namespace: 'flux-system' },
            spec: { sourceRef: { kind: 'GitRepository', name: 'deploy', namespace } },
          },
    });
    const { paths, objects } = await read({ labels: kustomized }, answer());
    const folder = '/apis/source.toolkit.fluxcd.io/v1/namespaces';

    expect(paths[1]).toBe(`${folder}/flux-system/gitrepositories/deploy`);
    expect(objects.GitRepository).toMatchObject([
      { spec: { url: { host: 'github.com', path: 'acme/deploy' } } },
    ]);
    expect(JSON.stringify(objects.GitRepository)).not.toContain(secret);
    expect((await read({ labels: kustomized }, answer('git'))).paths[1]).toBe(
      `${folder}/git/gitrepositories/deploy`,
    );
    expect((await read({ labels: kustomized }, answer('../x'))).paths).toHaveLength(1);
  });

  it('report a GitRepository that may not be read', async () => {
    const { unread } = await read({ labels: kustomized }, (path) =>
      path.includes('gitrepositories')
        ? refused
        : {
            status: 200,
            body: {
              metadata: { name: 'apps', namespace: 'flux-system' },
              spec: { sourceRef: { kind: 'GitRepository', name: 'deploy' } },
            },
          },
    );

    expect(unread).toEqual([{ kind: 'GitRepository', because: 'forbidden' }]);
  });

  it('that may not be read are reported, and nothing else counts as unread', async () => {
    const { unread, unseen } = await read({ labels: kustomized }, () => refused);

    expect(unread).toEqual([{ kind: 'Kustomization', because: 'forbidden' }]);
    expect(unseen).toEqual([]);
  });

  it('are not requested by a mark that is no name', async () => {
    const labels = { ...kustomized, 'kustomize.toolkit.fluxcd.io/name': '../secrets' };

    expect((await read({ labels }, () => refused)).paths).toEqual([]);
  });
});
