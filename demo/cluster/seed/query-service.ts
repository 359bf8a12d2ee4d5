import type { LocalCluster } from '../local-cluster.js';
import {
  changeContainers,
  create,
  dayMinutes,
  deploymentObject,
  type IncidentSeed,
  namespaceObject,
} from './incident-seed.js';

const query = { namespace: 'search', name: 'query' } as const;
const pool = { 'node.example/pool': 'search' } as const;
const goodImage = 'registry.example/search/query:2.6.0';
const badImage = 'registry.example/search/query:2.7.0';

/** Deployment `search/query`: healthy, alone in its node pool, until `deployBadVersion` changes it. */
export const queryService: IncidentSeed = {
  workload: 'deploy/query -n search',
  nodes: [{ name: 'search-a', number: 41, cpu: '8', memory: '32Gi', labels: pool }],
  conduct: [],
  steps: [
    {
      minutesAgo: dayMinutes,
      happens(registry) {
        create(registry, namespaceObject(query.namespace));
        const container = {
          name: 'query',
          image: goodImage,
          resources: { requests: { cpu: '1', memory: '12Gi' }, limits: { memory: '12Gi' } },
        };
        create(registry, deploymentObject(query, 1, container, { nodeSelector: pool }));
      },
    },
  ],
};

/**
 * Rolls out a version that requests twice the memory: the new pod does not fit beside the old one, which is
 * kept until the new one is ready.
 *
 * @throws when that version is there already
 */
export function deployBadVersion(cluster: LocalCluster): void {
  const deployment = cluster.find('apps/v1', 'Deployment', query.namespace, query.name);
  if (JSON.stringify(deployment?.spec).includes(badImage)) {
    throw new Error('Version 2.7.0 of search/query is deployed already. Reset the demo to deploy it again.');
  }
  changeContainers(cluster.registry, query.namespace, query.name, (container) => {
    container.image = badImage;
    container.resources = { requests: { cpu: '1', memory: '24Gi' }, limits: { memory: '24Gi' } };
  });
}
