import { schemas } from '#src/engine/objects/cluster-objects.js';
import { Application, HelmRelease, Kustomization } from '#src/engine/objects/gitops.js';
import type { Workload } from '#src/engine/objects/workload.js';
import type { OwnerObjects } from '#src/engine/owners/owner-objects.js';
import type { PlannedChange } from '#src/engine/owners/predict-drift.js';

export interface ObjectOptions {
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
  readonly managedFields?: readonly object[];
  readonly ownerReferences?: readonly object[];
  readonly strategy?: object;
}

export function deployment(options: ObjectOptions = {}): Workload {
  const { strategy, ...metadata } = options;
  return schemas.Deployment.parse({
    metadata: { name: 'inference', namespace: 'ml', uid: 'u', ...metadata },
    spec: { selector: {}, template: {}, ...(strategy === undefined ? {} : { strategy }) },
  });
}

const surge: PlannedChange['changes'] = [
  { path: 'spec.strategy.rollingUpdate.maxSurge', before: '25%', after: 0 },
  { path: 'spec.strategy.rollingUpdate.maxUnavailable', before: '25%', after: 1 },
];
export const recreate: PlannedChange['changes'] = [
  { path: 'spec.strategy.type', before: 'RollingUpdate', after: 'Recreate' },
  { path: 'spec.strategy.rollingUpdate.maxSurge', before: '25%' },
];
export const requiredAffinity =
  'spec.template.spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution';

export function planOf(changes: PlannedChange['changes'] = surge, kind = 'Deployment'): PlannedChange {
  return { target: { kind }, changes };
}

export function entry(manager: string, operation: 'Apply' | 'Update', spec: object): object {
  return { manager, operation, apiVersion: 'apps/v1', fieldsV1: { 'f:spec': spec } };
}

export const container = {
  'f:template': {
    'f:spec': { 'f:containers': { 'k:{"name":"app"}': { '.': {}, 'f:name': {}, 'f:image': {} } } },
  },
};
/** Without a strategy. */
export const withoutStrategy = { 'f:replicas': {}, ...container };
export const wholeStrategy = {
  'f:strategy': { 'f:type': {}, 'f:rollingUpdate': { 'f:maxSurge': {}, 'f:maxUnavailable': {} } },
};
/** As an update writes it: with the defaults of the API server. */
export const defaulted = {
  'f:progressDeadlineSeconds': {},
  'f:replicas': {},
  'f:strategy': { 'f:type': {}, 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {} } },
};
export const typeOnly = { 'f:strategy': { 'f:type': {} } };
export const affinity = {
  'f:template': {
    'f:spec': {
      'f:affinity': { 'f:nodeAffinity': { 'f:requiredDuringSchedulingIgnoredDuringExecution': {} } },
    },
  },
};

export function lastApplied(spec: object): Readonly<Record<string, string>> {
  const manifest = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'inference' }, spec };
  return { 'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify(manifest) };
}

export const tracked = { 'argocd.argoproj.io/tracking-id': 'shop:apps/Deployment:ml/inference' };
export const kustomized = {
  'kustomize.toolkit.fluxcd.io/name': 'apps',
  'kustomize.toolkit.fluxcd.io/namespace': 'flux-system',
};
export const released = {
  'helm.toolkit.fluxcd.io/name': 'shop',
  'helm.toolkit.fluxcd.io/namespace': 'flux-system',
};
export const helm: ObjectOptions = {
  annotations: { 'meta.helm.sh/release-name': 'shop', 'meta.helm.sh/release-namespace': 'ml' },
  labels: { 'app.kubernetes.io/managed-by': 'Helm' },
};

export function application(spec: object, annotations: object = {}): OwnerObjects {
  const object = Application.parse({ metadata: { name: 'shop', namespace: 'argocd', annotations }, spec });
  return { application: { type: 'found', object } };
}
export const selfHeal = { syncPolicy: { automated: { selfHeal: true } } };

export function kustomization(spec: object = {}): OwnerObjects {
  const object = Kustomization.parse({
    metadata: { name: 'apps', namespace: 'flux-system' },
    spec: { interval: '10m0s', ...spec },
  });
  return { kustomization: { type: 'found', object } };
}

export function helmRelease(spec: object = {}): OwnerObjects {
  const object = HelmRelease.parse({
    metadata: { name: 'shop', namespace: 'flux-system' },
    spec: { interval: '5m', ...spec },
  });
  return { helmRelease: { type: 'found', object } };
}
