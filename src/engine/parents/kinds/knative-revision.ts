import type { ParentResourceKind } from '../parent-resource-kind.js';

/**
 * Each Revision of a Knative Service is a Deployment of its own with maxUnavailable 0. Neither the Service
 * nor the Revision has a field for the strategy (knative serving
 * `pkg/reconciler/revision/resources/deploy.go: MakeDeployment`).
 */
export const knativeRevision: ParentResourceKind = {
  kind: 'Revision',
  group: 'serving.knative.dev',
  strategyFieldOf: () => undefined,
};
