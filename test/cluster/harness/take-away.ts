import {
  KubernetesObjectApi,
  type V1ClusterRole,
  type V1PolicyRule,
  type V1Role,
} from '@kubernetes/client-node';
import type { Cluster } from './cluster.js';
import { type Grant, grantsIn, nameOf, untilAllowed } from './grants.js';

/** The rules with each grant in a rule of its own, and without one of them. */
function rulesWithout(role: V1ClusterRole | V1Role, taken: Grant | undefined): V1PolicyRule[] {
  return grantsIn(role)
    .filter((each) => taken === undefined || nameOf(each) !== nameOf(taken))
    .map(({ verb, apiGroup, resource }) => ({ apiGroups: [apiGroup], resources: [resource], verbs: [verb] }));
}

/** Removes one grant after the other, calls `without` while it is missing, and restores it. */
export async function takeAwayEach(
  cluster: Cluster,
  role: V1ClusterRole | V1Role,
  account: { readonly name: string; readonly namespace: string },
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
  const until = (allowed: boolean, granted: Grant): Promise<void> =>
    untilAllowed(cluster, { ...account, granted, allowed });
  const grants = grantsIn(role);
  for (const taken of grants) {
    await write(taken);
    await until(false, taken);
    await without(taken);
  }
  await write(undefined);
  for (const given of grants) await until(true, given);
}
