import {
  create,
  deploymentObject,
  type IncidentSeed,
  namespaceObject,
} from '../cluster/seed/incident-seed.js';

/** A workload of the storm. */
export interface FailingWorkload {
  readonly namespace: string;
  readonly name: string;
}

const image = 'registry.example/storm/';
const pullError = (of: string): string =>
  `rpc error: code = NotFound desc = failed to resolve reference "${of}": ${of}: not found`;

/** @returns `count` Deployments, dealt to the namespaces in turn */
export function failingWorkloads(count: number, namespaces: readonly string[]): readonly FailingWorkload[] {
  return Array.from({ length: count }, (_, number) => ({
    namespace: namespaces[number % namespaces.length] ?? 'default',
    name: `svc-${String(number + 1).padStart(2, '0')}`,
  }));
}

/** Deployments whose image tag was never pushed, each rolled out by itself twelve minutes ago. */
export function failingDeployments(workloads: readonly FailingWorkload[]): IncidentSeed {
  const imageOf = (name: string): string => `${image}${name}:missing`;
  const [first = { namespace: 'default', name: 'none' }] = workloads;
  return {
    workload: `deploy/${first.name} -n ${first.namespace}`,
    nodes: [1, 2, 3].map((number) => ({ name: `storm-${number}`, cpu: '16', memory: '64Gi', number })),
    conduct: workloads.map(({ name }) => ({ image: imageOf(name), pullError: pullError(imageOf(name)) })),
    steps: [
      {
        minutesAgo: 12,
        happens(registry) {
          for (const { namespace, name } of workloads) {
            create(registry, namespaceObject(namespace));
            const container = { name: 'main', image: imageOf(name), resources: { requests: { cpu: '50m' } } };
            create(registry, deploymentObject({ namespace, name }, 1, container));
          }
        },
      },
    ],
  };
}
