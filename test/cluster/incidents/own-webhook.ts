import type { V1Pod } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deadlocks, deployment, type Happened, type Incident } from './incident.js';
import { rollOut, untilNotCreated } from './rolling.js';

/** A webhook for pods that the API server calls by this Service, which selects the pods of `serving`. */
async function serveWebhook(cluster: Cluster, namespace: string, serving: string): Promise<void> {
  await cluster.create({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { namespace, name: 'policy-webhook' },
    spec: { selector: { app: serving }, ports: [{ port: 443 }] },
  } as object);
  await cluster.create({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: namespace },
    webhooks: [
      {
        name: 'validate.policy.example',
        clientConfig: { service: { namespace, name: 'policy-webhook', path: '/validate' } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
        failurePolicy: 'Fail',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 1,
      },
    ],
  } as object);
}

/** The workload was scaled to zero for maintenance, and is scaled up again. */
async function losePods(cluster: Cluster, prefix: string, serving: string): Promise<Happened> {
  const namespace = await cluster.createNamespace(prefix);
  const policy = deployment(namespace, 'policy');
  await cluster.createNodes({ name: 'n-a' });
  await rollOut(cluster, { namespace, name: policy.name });
  await cluster.patch(policy, { spec: { replicas: 0 } });
  await cluster.until<V1Pod, true>({
    what: 'no pod',
    selection: { kind: 'Pod', namespace },
    check: (pods) => (pods.length === 0 ? true : undefined),
  });
  await serveWebhook(cluster, namespace, serving);
  await cluster.patch(policy, { spec: { replicas: 1 } });
  const refused = await untilNotCreated(cluster, namespace, policy.name, [
    'failed calling webhook "validate.policy.example"',
    'no endpoints available for service "policy-webhook"',
  ]);
  return { workload: policy, holders: [], ...refused };
}

/** A second pod is wanted while the first one is not ready for a moment, and its node is. */
async function growWhileUnready(cluster: Cluster): Promise<Happened> {
  const namespace = await cluster.createNamespace('growing-webhook');
  const policy = deployment(namespace, 'policy');
  await cluster.createNodes({ name: 'n-a' });
  const [first = ''] = await rollOut(cluster, { namespace, name: policy.name });
  const lastTransitionTime = new Date().toISOString().replace(/\.\d+Z$/, 'Z');
  await cluster.patchPodStatus(namespace, first, {
    conditions: [{ type: 'Ready', status: 'False', lastTransitionTime }],
  });
  await serveWebhook(cluster, namespace, policy.name);
  await cluster.patch(policy, { spec: { replicas: 2 } });
  const refused = await untilNotCreated(cluster, namespace, policy.name, ['failed calling webhook']);
  return { workload: policy, holders: [], ...refused };
}

const known = { cause: 'admission-denied', never: deadlocks } as const;

export const ownWebhooks: readonly Incident[] = [
  {
    id: 'webhook-refuses-its-own-pods',
    title: 'the pods that serve an admission webhook are gone, and the webhook keeps new ones away',
    known: { ...known, messages: ['policy-webhook'] },
    reproduce: (cluster) => losePods(cluster, 'own-webhook', 'policy'),
  },
  {
    id: 'webhook-of-other-pods-is-down',
    title: 'the pods of another workload serve the admission webhook that keeps the pods away',
    known: { ...known, messages: ['policy-webhook'] },
    reproduce: (cluster) => losePods(cluster, 'other-webhook', 'guard'),
  },
  {
    id: 'webhook-whose-pod-may-become-ready',
    title:
      'a pod that serves an admission webhook exists and is not ready, and the webhook keeps a second one away',
    known: { ...known, messages: ['policy-webhook'] },
    reproduce: growWhileUnready,
  },
];
