import { readFileSync } from 'node:fs';
import type { KubernetesObject } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';

const nameLabel = 'leaderworkerset.sigs.k8s.io/name';

interface Hook {
  readonly name: string;
  readonly path: string;
  readonly rule: {
    readonly apiGroups: readonly string[];
    readonly apiVersions: readonly string[];
    readonly resources: readonly string[];
    readonly operations: readonly string[];
  };
  /** Other pods are no concern of its controller. */
  readonly objectSelector?: object;
}

const sets = {
  apiGroups: ['leaderworkerset.x-k8s.io'],
  apiVersions: ['v1'],
  resources: ['leaderworkersets'],
  operations: ['CREATE', 'UPDATE'],
};

const mutating: readonly Hook[] = [
  {
    name: 'mleaderworkerset.kb.io',
    path: '/mutate-leaderworkerset-x-k8s-io-v1-leaderworkerset',
    rule: sets,
  },
  {
    name: 'mpod.kb.io',
    path: '/mutate--v1-pod',
    rule: { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] },
    objectSelector: { matchExpressions: [{ key: nameLabel, operator: 'Exists' }] },
  },
];

const validating: readonly Hook[] = [
  {
    name: 'vleaderworkerset.kb.io',
    path: '/validate-leaderworkerset-x-k8s-io-v1-leaderworkerset',
    rule: sets,
  },
];

/**
 * The webhooks of the controller (lws `config/webhook/manifests.yaml`), reached by their address, as a test
 * has no Service. The controller shows the certificate of the API server.
 */
export async function createWebhooks(cluster: Cluster, port: number): Promise<void> {
  const caBundle = readFileSync(cluster.controlPlane.certificateAuthority).toString('base64');
  const configuration = (kind: string, hooks: readonly Hook[]): KubernetesObject =>
    Object.assign(
      { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: 'lws' } },
      {
        webhooks: hooks.map(({ name, path, rule, objectSelector }) => ({
          name,
          rules: [rule],
          ...(objectSelector === undefined ? {} : { objectSelector }),
          clientConfig: { url: `https://127.0.0.1:${port}${path}`, caBundle },
          admissionReviewVersions: ['v1'],
          sideEffects: 'None',
          failurePolicy: 'Fail',
        })),
      },
    );
  await cluster.objects.create(configuration('MutatingWebhookConfiguration', mutating));
  await cluster.objects.create(configuration('ValidatingWebhookConfiguration', validating));
}
