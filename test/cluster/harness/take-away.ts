import { setTimeout as delay } from 'node:timers/promises';
import {
  KubernetesObjectApi,
  type V1ClusterRole,
  type V1PolicyRule,
  type V1Role,
} from '@kubernetes/client-node';
import type { ApiCall } from '../../../src/adapters/kubernetes/api-call.js';
import type { Cluster } from './cluster.js';
import { grant } from './shipped-rbac.js';

/** One verb on one resource, as a rule of a Role grants it. */
export interface Grant {
  readonly verb: string;
  readonly apiGroup: string;
  readonly resource: string;
}

export const nameOf = ({ verb, apiGroup, resource }: Grant): string => grant(verb, apiGroup, resource);

/** Every grant of a role, one by one. */
export function grantsIn(role: V1ClusterRole | V1Role): readonly Grant[] {
  return (role.rules ?? []).flatMap(({ apiGroups = [], resources = [], verbs }) =>
    apiGroups.flatMap((apiGroup) =>
      resources.flatMap((resource) => verbs.map((verb) => ({ verb, apiGroup, resource }))),
    ),
  );
}

/** The rules with each grant in a rule of its own, and without one of them. */
function rulesWithout(role: V1ClusterRole | V1Role, taken: Grant | undefined): V1PolicyRule[] {
  return grantsIn(role)
    .filter((each) => taken === undefined || nameOf(each) !== nameOf(taken))
    .map(({ verb, apiGroup, resource }) => ({ apiGroups: [apiGroup], resources: [resource], verbs: [verb] }));
}

/** Asks the API server what this account may do, until the answer is the expected one. */
async function untilAllowed(
  call: ApiCall,
  { verb, apiGroup, resource }: Grant,
  namespace: string,
  allowed: boolean,
): Promise<void> {
  const [plural, subresource] = resource.split('/');
  const resourceAttributes = { verb, group: apiGroup, resource: plural, subresource, namespace };
  const expiry = Date.now() + 15_000;
  for (;;) {
    const answer = await call({
      method: 'POST',
      path: '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      body: {
        apiVersion: 'authorization.k8s.io/v1',
        kind: 'SelfSubjectAccessReview',
        spec: { resourceAttributes },
      },
    });
    const { status } = answer.body as { readonly status?: { readonly allowed?: boolean } };
    if (status?.allowed === allowed) return;
    if (Date.now() > expiry) throw new Error(`${verb} ${resource} did not become ${allowed}`);
    await delay(20);
  }
}

/** Takes each grant away in turn, lets `without` look at what fails then, and gives it back. */
export async function takeAwayEach(
  cluster: Cluster,
  role: V1ClusterRole | V1Role,
  account: { readonly call: ApiCall; readonly namespace: string },
  without: (taken: Grant) => Promise<void>,
): Promise<void> {
  const objects = KubernetesObjectApi.makeApiClient(cluster.config);
  const write = async (taken: Grant | undefined): Promise<void> => {
    const current = await objects.read<V1ClusterRole>({
      apiVersion: role.apiVersion ?? '',
      kind: role.kind ?? '',
      metadata: {
        name: role.metadata?.name ?? '',
        ...(role.kind === 'Role' ? { namespace: account.namespace } : {}),
      },
    });
    await objects.replace({ ...current, rules: rulesWithout(role, taken) });
  };
  for (const taken of grantsIn(role)) {
    await write(taken);
    await untilAllowed(account.call, taken, account.namespace, false);
    await without(taken);
  }
  await write(undefined);
}
