import type { JsonObject } from '../../demo/cluster/json.js';
import type { LocalCluster } from '../../demo/cluster/local-cluster.js';

interface Rolled {
  readonly namespace: string;
  readonly name: string;
  readonly cpu: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
}

const podSpec = (image: string, { cpu, nodeSelector = {} }: Rolled) => ({
  nodeSelector,
  containers: [{ name: 'app', image, resources: { requests: { cpu } } }],
});

/** A Deployment of one pod with the default strategy: the new pod must be ready before the old one stops. */
export function deploymentOf(rolled: Rolled): JsonObject {
  const { namespace, name } = rolled;
  const labels = { app: name };
  const template = { metadata: { labels }, spec: podSpec('app:1', rolled) };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  } as unknown as JsonObject;
}

/** Another image, as `kubectl set image` sends it: another revision. */
export async function rollOut(cluster: LocalCluster, rolled: Rolled): Promise<void> {
  const path = `/apis/apps/v1/namespaces/${rolled.namespace}/deployments/${rolled.name}`;
  const answer = await fetch(`${cluster.url}${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json', authorization: 'Bearer admin' },
    body: JSON.stringify({ spec: { template: { spec: podSpec('app:2', rolled) } } }),
  });
  if (!answer.ok) throw new Error(await answer.text());
}
