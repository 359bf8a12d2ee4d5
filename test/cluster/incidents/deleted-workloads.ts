import type { V1Deployment, V1Namespace } from '@kubernetes/client-node';
import type { Cluster } from '../harness/cluster.js';
import { deploymentManifest } from './deployment-manifest.js';
import { deadlocks, deployment, type Happened, type Incident } from './incident.js';
import { untilRolledOut } from './rolling.js';

const finalizer = 'example.com/cleanup';

/** Deletes a Deployment that a finalizer keeps, with or without its namespace. */
async function deleteHeld(
  cluster: Cluster,
  prefix: string,
  kind: 'Namespace' | 'Deployment',
): Promise<Happened> {
  const namespace = await cluster.createNamespace(prefix);
  await cluster.createNodes({ name: 'n-a' });
  const manifest = deploymentManifest({ namespace, name: 'web' });
  await cluster.create({ ...manifest, metadata: { ...manifest.metadata, finalizers: [finalizer] } });
  await untilRolledOut(cluster, namespace, 'web');
  await cluster.remove(kind === 'Namespace' ? { kind, name: namespace } : { kind, namespace, name: 'web' });
  await cluster.until<V1Deployment, true>({
    what: 'the Deployment to be deleted',
    selection: { kind: 'Deployment', namespace },
    check: ([one]) => one?.metadata?.deletionTimestamp !== undefined || undefined,
  });
  if (kind === 'Namespace') {
    await cluster.until<V1Namespace, true>({
      what: 'the namespace controller to report what is left',
      selection: { kind },
      check: (all) =>
        all
          .find(({ metadata }) => metadata?.name === namespace)
          ?.status?.conditions?.some(({ type, status }) => type.endsWith('Remaining') && status === 'True') ||
        undefined,
    });
  }
  return { workload: deployment(namespace, 'web'), holders: [], blocked: [], messages: [] };
}

const known = { cause: 'workload-being-deleted', never: deadlocks, messages: [] } as const;

/** The finalizer outlives the test, so each needs a control plane of its own. */
export const deletedWorkloads: readonly Incident[] = [
  {
    id: 'deleted-with-finalizer',
    title: 'the Deployment was deleted ten minutes ago, and a finalizer keeps it',
    known: { ...known, stuckAfterSeconds: 600 },
    bringAbout: (cluster) => deleteHeld(cluster, 'deleted-with-finalizer', 'Deployment'),
  },
  {
    id: 'namespace-being-deleted',
    title: 'the namespace was deleted ten minutes ago, and a finalizer keeps the Deployment in it',
    known: { ...known, stuckAfterSeconds: 600 },
    bringAbout: (cluster) => deleteHeld(cluster, 'namespace-being-deleted', 'Namespace'),
  },
  {
    id: 'healthy-deleted-a-moment-ago',
    title: 'the Deployment was deleted a moment ago',
    known: { ...known, cause: undefined, stuckAfterSeconds: 10 },
    bringAbout: (cluster) => deleteHeld(cluster, 'healthy-deleted-a-moment-ago', 'Deployment'),
  },
];
