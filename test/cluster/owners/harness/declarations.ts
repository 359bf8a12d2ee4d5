import type { V1Affinity, V1Deployment, V1DeploymentStrategy } from '@kubernetes/client-node';
import { type DeploymentOptions, deploymentManifest } from '../../incidents/deployment-manifest.js';

export const restartedAt = 'kubectl.kubernetes.io/restartedAt';

/** A manifest of `inference` with these fields. */
export const declaring =
  (fields: Partial<DeploymentOptions>) =>
  (namespace: string): V1Deployment =>
    deploymentManifest({ namespace, name: 'inference', ...fields });

/** A manifest without `spec.replicas`, as beside an autoscaler. */
export function declaringNoReplicas(namespace: string): V1Deployment {
  const { spec, ...manifest } = declaring({})(namespace);
  if (spec === undefined) return manifest;
  const { replicas: _replicas, ...rest } = spec;
  return { ...manifest, spec: rest };
}

export const surgeOne: V1DeploymentStrategy = {
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
};
export const typeAlone: V1DeploymentStrategy = { type: 'RollingUpdate' };
export const surgeAlone: V1DeploymentStrategy = { rollingUpdate: { maxSurge: 1 } };
/** The values that the API server sets where nothing is declared. */
export const defaultValues: V1DeploymentStrategy = {
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' },
};

export const requiredAffinity: V1Affinity = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'kubernetes.io/os', operator: 'In', values: ['linux'] }] },
      ],
    },
  },
};

export const preferredAffinity: V1Affinity = {
  nodeAffinity: {
    preferredDuringSchedulingIgnoredDuringExecution: [
      {
        weight: 1,
        preference: { matchExpressions: [{ key: 'disk', operator: 'In', values: ['fast'] }] },
      },
    ],
  },
};

/** The manifest with another image. */
export function withImage(manifest: V1Deployment, image: string): V1Deployment {
  return JSON.parse(JSON.stringify(manifest).replaceAll(/"image":"[^"]*"/gu, `"image":"${image}"`));
}
