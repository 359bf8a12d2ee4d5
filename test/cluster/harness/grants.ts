import { setTimeout as delay } from 'node:timers/promises';
import type { KubernetesObject, V1ClusterRole, V1Role, V1SubjectAccessReview } from '@kubernetes/client-node';
import type { Cluster } from './cluster.js';

/** One verb on one resource, as a rule of a Role grants it. */
export interface Grant {
  readonly verb: string;
  readonly apiGroup: string;
  readonly resource: string;
  /** Of a rule for named objects, one of them. */
  readonly object?: string;
}

/** `list pods`, `get apps/deployments`. */
export const nameOf = ({ verb, apiGroup, resource }: Grant): string =>
  `${verb} ${apiGroup === '' ? '' : `${apiGroup}/`}${resource}`;

export const isRole = (object: KubernetesObject): object is V1ClusterRole | V1Role => 'rules' in object;

/** Every grant of a role, one by one. */
export function grantsIn(role: V1ClusterRole | V1Role): readonly Grant[] {
  return (role.rules ?? []).flatMap(
    ({ apiGroups = [], resources = [], resourceNames: [object] = [], verbs }) =>
      apiGroups.flatMap((apiGroup) =>
        resources.flatMap((resource) =>
          verbs.map((verb) => ({ verb, apiGroup, resource, ...(object === undefined ? {} : { object }) })),
        ),
      ),
  );
}

/**
 * Asks the API server what a service account may do until the answer is the expected one. The authorizer of
 * the API server watches Roles and bindings, so a written one takes effect shortly afterwards.
 *
 * @throws Error when the answer has not become the expected one within a minute
 */
export async function untilAllowed(
  cluster: Pick<Cluster, 'objects'>,
  asked: {
    /** `rollout-doctor:rollout-doctor-reader`: namespace and name of the service account. */
    readonly name: string;
    /** '' for all namespaces. */
    readonly namespace: string;
    readonly granted: Grant;
    readonly allowed: boolean;
  },
): Promise<void> {
  const { verb, apiGroup, resource, object } = asked.granted;
  const [plural = '', subresource = ''] = resource.split('/');
  const review: V1SubjectAccessReview = {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    metadata: {},
    spec: {
      user: `system:serviceaccount:${asked.name}`,
      resourceAttributes: {
        verb,
        group: apiGroup,
        resource: plural,
        subresource,
        namespace: asked.namespace,
        ...(object === undefined ? {} : { name: object }),
      },
    },
  };
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { status }: V1SubjectAccessReview = await cluster.objects.create(review);
    if (status?.allowed === asked.allowed) return;
    if (Date.now() > deadline) throw new Error(`${verb} ${resource} did not become ${asked.allowed}`);
    await delay(20);
  }
}
