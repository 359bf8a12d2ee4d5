import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1Pod } from '@kubernetes/client-node';
import { createApiCall } from '#src/edges/kubernetes/cluster-connection.js';
import type { Cluster } from '../harness/cluster.js';
import { collectionPath } from '../harness/resources.js';
import { untilListed } from '../services/played-controllers.js';

const group = 'kueue.x-k8s.io';

/** A definition without a schema: the objects are written as Kueue's own schema has them. */
const definition = (kind: string, plural: string, scope: 'Namespaced' | 'Cluster'): object => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope,
    names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
    versions: [
      {
        name: 'v1beta2',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
});

/**
 * What Kueue's webhook does with a pod of a queue (kueue `pkg/controller/jobs/pod/pod_webhook.go: Default`).
 */
const gatePolicy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicy',
  metadata: { name: 'kueue-gates' },
  spec: {
    failurePolicy: 'Fail',
    reinvocationPolicy: 'Never',
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
    },
    matchConditions: [
      { name: 'queued', expression: `'${group}/queue-name' in object.metadata.?labels.orValue({})` },
    ],
    mutations: [
      {
        patchType: 'ApplyConfiguration',
        applyConfiguration: {
          expression: `Object{spec: Object.spec{schedulingGates: [Object.spec.schedulingGates{name: '${group}/admission'}]}}`,
        },
      },
    ],
  },
};

const gateBinding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'MutatingAdmissionPolicyBinding',
  metadata: { name: 'kueue-gates' },
  spec: { policyName: 'kueue-gates' },
};

const definitions = [
  definition('Workload', 'workloads', 'Namespaced'),
  definition('LocalQueue', 'localqueues', 'Namespaced'),
  definition('ClusterQueue', 'clusterqueues', 'Cluster'),
  definition('Cohort', 'cohorts', 'Cluster'),
  definition('ResourceFlavor', 'resourceflavors', 'Cluster'),
];

/** Makes the API server serve Kueue's kinds, and gate the pods of queues. */
export async function defineKueue(cluster: Cluster): Promise<void> {
  const call = createApiCall(cluster.config);
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  for (const body of definitions) {
    const answer = await call({ method: 'POST', path, contentType: 'application/json', body });
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  }
  for (const kind of ['Workload', 'LocalQueue', 'ClusterQueue', 'Cohort', 'ResourceFlavor'] as const) {
    await untilListed(cluster, collectionPath(kind));
  }
  await cluster.objects.create(gatePolicy as KubernetesObject);
  await cluster.objects.create(gateBinding as KubernetesObject);
  await untilGating(cluster);
}

/**
 * The API server applies a new policy seconds later. A pod that it creates before that would start beside the
 * quota.
 */
async function untilGating(cluster: Cluster): Promise<void> {
  const pod: V1Pod = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'default', name: 'gated', labels: { [`${group}/queue-name`]: 'gpus' } },
    spec: { containers: [{ name: 'app', image: 'registry.example/app:1' }] },
  };
  const expiry = Date.now() + 60_000;
  for (;;) {
    const { spec } = await cluster.objects.create(pod, undefined, 'All');
    if ((spec?.schedulingGates ?? []).length > 0) return;
    if (Date.now() > expiry) throw new Error('pods of queues are not gated');
    await delay(100);
  }
}
