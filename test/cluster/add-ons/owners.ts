import type { KubernetesObject } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import type { WorkloadRef } from '#src/engine/objects/workload.js';
import { collectionPath } from '../harness/resources.js';
import { untilRolledOut } from '../incidents/rolling.js';
import { define } from '../services/played-controllers.js';
import type { AddOn, Scene } from './add-on.js';
import { deadlock } from './scheduling.js';

const nothing = async (): Promise<undefined> => undefined;
const web = (shop: string, name = 'web'): WorkloadRef => ({
  cluster: 'test',
  kind: 'Deployment',
  namespace: shop,
  name,
});

/** The tool declares the strategy, as it does with a server-side apply. */
async function declare(
  { cluster, shop }: Scene,
  manager: string,
  metadata: { readonly name: string; readonly labels?: object; readonly annotations?: object },
): Promise<void> {
  const rollingUpdate = { maxSurge: 1, maxUnavailable: 0 };
  const answer = await createApiCall(cluster.config)({
    method: 'PATCH',
    path: `${collectionPath('Deployment', shop)}/${metadata.name}`,
    query: { fieldManager: manager, force: 'true' },
    contentType: 'application/apply-patch+yaml',
    body: {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata,
      spec: { strategy: { type: 'RollingUpdate', rollingUpdate } },
    },
  });
  if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
}

const make = ({ cluster }: Scene, object: object): Promise<unknown> =>
  cluster.create(object as KubernetesObject);

/** A second Deployment, which is complete. */
async function copy(scene: Scene): Promise<void> {
  const { cluster, shop } = scene;
  await make(scene, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: shop, name: 'other' },
    spec: {
      selector: { matchLabels: { app: 'other' } },
      template: {
        metadata: { labels: { app: 'other' } },
        spec: { containers: [{ name: 'app', image: 'registry.example/other:1' }] },
      },
    },
  });
  await untilRolledOut(cluster, shop, 'other');
}

/** Add-ons that tell who reverts a change, and when. */
export const owners: readonly AddOn[] = [
  {
    file: 'owners/argo-cd.yaml',
    prepare: (cluster) =>
      define(cluster, [
        { group: 'argoproj.io', kind: 'Application', plural: 'applications', version: 'v1alpha1' },
      ]).then(nothing),
    stage: async (scene) => {
      const { cluster, shop } = scene;
      const argocd = await cluster.createNamespace('argocd');
      for (const name of ['shop', 'others'])
        await make(scene, {
          apiVersion: 'argoproj.io/v1alpha1',
          kind: 'Application',
          metadata: { namespace: argocd, name },
          spec: { syncPolicy: { automated: {} } },
        });
      await deadlock(scene);
      await copy(scene);
      const id = (of: string, name: string) => ({
        name,
        annotations: { 'argocd.argoproj.io/tracking-id': `${of}:apps/Deployment:${shop}/${name}` },
      });
      await declare(scene, 'argocd-controller', id(`${argocd}_shop`, 'web'));
      await declare(scene, 'argocd-controller', id('others', 'other'));
      return {
        asked: [
          { workload: web(shop), reviews: ['patch-strategy-in-place'], mentions: [/sync/] },
          { workload: web(shop, 'other') },
        ],
      };
    },
    fix: 'patch-strategy-in-place',
  },
  {
    file: 'owners/flux.yaml',
    prepare: (cluster) =>
      define(cluster, [
        { group: 'kustomize.toolkit.fluxcd.io', kind: 'Kustomization', plural: 'kustomizations' },
        { group: 'helm.toolkit.fluxcd.io', kind: 'HelmRelease', plural: 'helmreleases', version: 'v2' },
        { group: 'source.toolkit.fluxcd.io', kind: 'GitRepository', plural: 'gitrepositories' },
      ]).then(nothing),
    stage: async (scene) => {
      const { shop } = scene;
      await make(scene, {
        apiVersion: 'kustomize.toolkit.fluxcd.io/v1',
        kind: 'Kustomization',
        metadata: { namespace: shop, name: 'apps' },
        spec: { interval: '1h', sourceRef: { kind: 'GitRepository', name: 'fleet' }, path: './apps' },
      });
      await make(scene, {
        apiVersion: 'source.toolkit.fluxcd.io/v1',
        kind: 'GitRepository',
        metadata: { namespace: shop, name: 'fleet' },
        spec: { url: 'https://git.example/fleet.git', interval: '1m' },
      });
      await make(scene, {
        apiVersion: 'helm.toolkit.fluxcd.io/v2',
        kind: 'HelmRelease',
        metadata: { namespace: shop, name: 'chart' },
        spec: { interval: '1h' },
      });
      await deadlock(scene);
      await copy(scene);
      const labels = (tool: string, name: string) => ({
        [`${tool}.toolkit.fluxcd.io/name`]: name,
        [`${tool}.toolkit.fluxcd.io/namespace`]: shop,
      });
      await declare(scene, 'kustomize-controller', { name: 'web', labels: labels('kustomize', 'apps') });
      await declare(scene, 'helm-controller', { name: 'other', labels: labels('helm', 'chart') });
      return {
        asked: [
          { workload: web(shop), reviews: ['patch-strategy-in-place'], mentions: [/1 h/] },
          { workload: web(shop, 'other') },
        ],
      };
    },
    fix: 'patch-strategy-in-place',
  },
];
