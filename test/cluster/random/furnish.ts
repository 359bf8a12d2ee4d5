import type { Cluster } from '../harness/cluster.js';
import { deviceClasses } from './device-cases.js';
import { namespaces } from './vocabulary.js';
import { volumeDrivers } from './volume-cases.js';

const priorities = [
  { name: 'low', value: 0, preemptionPolicy: 'PreemptLowerPriority' },
  { name: 'middle', value: 100, preemptionPolicy: 'PreemptLowerPriority' },
  { name: 'high', value: 1_000, preemptionPolicy: 'PreemptLowerPriority' },
  { name: 'never', value: 500, preemptionPolicy: 'Never' },
];
const overheads = [
  { name: 'small-overhead', podFixed: { cpu: '50m', memory: '10Mi' } },
  { name: 'large-overhead', podFixed: { cpu: '1', memory: '500M' } },
];

/** Creates the objects to which random pods refer; returns the namespaces as the API server stores them. */
export async function furnish(cluster: Cluster): Promise<readonly unknown[]> {
  await cluster.createNamespace('a', { team: 'x' });
  await cluster.createNamespace('b', { team: 'y' });
  for (const name of ['c', 'probe']) await cluster.createNamespace(name);
  for (const { name, ...fields } of priorities) {
    const manifest = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name } };
    await cluster.create({ ...manifest, ...fields });
  }
  for (const { name, podFixed } of overheads) {
    const manifest = { apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass', metadata: { name } };
    await cluster.create({ ...manifest, handler: name, overhead: { podFixed } });
  }
  for (const { body } of [...deviceClasses, ...volumeDrivers]) await cluster.create(body);
  const { items } = await cluster.objects.list('v1', 'Namespace');
  return items
    .filter(({ metadata }) => namespaces.some((name) => name === metadata?.name))
    .map((item) => JSON.parse(JSON.stringify(item)));
}
