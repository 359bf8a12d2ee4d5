import { describe, expect, it } from 'vitest';
import { ownersOf } from '#src/doctor/findings/owners.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { buildSnapshot } from '../../../support/remediation-builders.js';

interface Marks {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly managers?: readonly string[];
  readonly operator?: boolean;
}

function owners(
  { annotations = {}, labels = {}, managers = [], operator = false }: Marks,
  autoscalers: readonly object[] = [],
) {
  const workload = schemas.Deployment.parse({
    metadata: {
      name: 'web',
      namespace: 'shop',
      annotations,
      labels,
      managedFields: managers.map((manager) => ({ manager })),
      ownerReferences: [{ kind: 'App', name: 'shop', uid: 'u', controller: operator }],
    },
    spec: { selector: {}, template: {} },
  });
  const HorizontalPodAutoscaler = autoscalers.map((fields) =>
    schemas.HorizontalPodAutoscaler.parse({
      metadata: { name: 'web-hpa', namespace: 'shop' },
      spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' } },
      ...fields,
    }),
  );
  return ownersOf(buildSnapshot(workload, { HorizontalPodAutoscaler }));
}

const applied = { 'kubectl.kubernetes.io/last-applied-configuration': '{}' };
const helm: Marks = {
  annotations: { 'meta.helm.sh/release-name': 'web', 'meta.helm.sh/release-namespace': 'releases' },
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
};
const argo = { by: 'Argo CD', kind: 'Application', namespace: '' };
const hpa = {
  by: 'HorizontalPodAutoscaler',
  kind: 'HorizontalPodAutoscaler',
  namespace: 'shop',
  name: 'web-hpa',
};

describe('the other writers of a workload', () => {
  it.each<[string, Marks, readonly object[]]>([
    ['no other writer', {}, []],
    ['an operator', { operator: true }, [{ by: 'operator', kind: 'App', namespace: 'shop', name: 'shop' }]],
    [
      'Argo CD by its tracking id',
      { annotations: { 'argocd.argoproj.io/tracking-id': 'storefront:apps/Deployment:shop/web' } },
      [{ ...argo, name: 'storefront' }],
    ],
    [
      'Argo CD by its label, where it writes fields',
      { managers: ['kubectl', 'argocd-controller'], labels: { 'app.kubernetes.io/instance': 'storefront' } },
      [{ ...argo, name: 'storefront' }],
    ],
    ['Argo CD without a name', { managers: ['argocd-controller'] }, [{ ...argo, name: '' }]],
    ['no writer by that label alone', { labels: { 'app.kubernetes.io/instance': 'storefront' } }, []],
    ['no writer by an empty tracking id', { annotations: { 'argocd.argoproj.io/tracking-id': '' } }, []],
    [
      'Flux by its Kustomization',
      {
        labels: {
          'kustomize.toolkit.fluxcd.io/name': 'apps',
          'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
        },
      },
      [{ by: 'Flux', kind: 'Kustomization', namespace: 'flux-system', name: 'apps' }],
    ],
    [
      'Flux, which is configured to ignore it',
      {
        labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' },
        annotations: { 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' },
      },
      [{ by: 'Flux', kind: 'Kustomization', namespace: '', name: 'apps' }],
    ],
    [
      'Flux by its HelmRelease, not Helm, which it runs',
      {
        ...helm,
        labels: {
          ...helm.labels,
          'helm.toolkit.fluxcd.io/name': 'web',
          'helm.toolkit.fluxcd.io/namespace': 'fs',
        },
      },
      [{ by: 'Flux', kind: 'HelmRelease', namespace: 'fs', name: 'web' }],
    ],
    [
      'Flux by a HelmRelease without a namespace',
      { labels: { 'helm.toolkit.fluxcd.io/name': 'web' } },
      [{ by: 'Flux', kind: 'HelmRelease', namespace: '', name: 'web' }],
    ],
    ['Helm', helm, [{ by: 'Helm', kind: 'Release', namespace: 'releases', name: 'web' }]],
    [
      'Helm without a namespace',
      { ...helm, annotations: { 'meta.helm.sh/release-name': 'web' } },
      [{ by: 'Helm', kind: 'Release', namespace: '', name: 'web' }],
    ],
    ['no writer by half of the marks of Helm', { annotations: { 'meta.helm.sh/release-name': 'web' } }, []],
    [
      'kubectl apply',
      { annotations: applied },
      [{ by: 'kubectl apply', kind: 'manifest', namespace: 'shop', name: 'web' }],
    ],
    [
      'Argo CD, not kubectl apply, whose mark it uses',
      {
        annotations: { ...applied, 'argocd.argoproj.io/tracking-id': 'storefront:apps/Deployment:shop/web' },
      },
      [{ ...argo, name: 'storefront' }],
    ],
  ])('%s', (_, marks, expected) => {
    expect(owners(marks)).toEqual(expected);
  });

  it.each<[string, object, readonly object[]]>([
    ['an autoscaler for its replicas', {}, [{ ...hpa }]],
    ['none of another name', { spec: { scaleTargetRef: { kind: 'Deployment', name: 'db' } } }, []],
    ['none of another kind', { spec: { scaleTargetRef: { kind: 'StatefulSet', name: 'web' } } }, []],
    ['none of another namespace', { metadata: { name: 'web-hpa', namespace: 'ml' } }, []],
  ])('%s', (_, autoscaler, expected) => {
    expect(owners({}, [autoscaler])).toEqual(expected);
  });

  it('are an operator, a release and an autoscaler, the most certain first', () => {
    expect(owners({ ...helm, operator: true }, [{}]).map(({ by }) => by)).toEqual([
      'operator',
      'Helm',
      'HorizontalPodAutoscaler',
    ]);
  });
});
