/** Few names, so that random objects often refer to each other. */
export const namespaces = ['a', 'b', 'c'] as const;
export const apps = ['web', 'db', 'cache'] as const;
/** Of what belongs to the nodes of a case and goes with them. */
export const nodeLabel = { 'random.test/node': 'yes' } as const;
export const zones = ['z1', 'z2', 'z3'] as const;
export const topologyKeys = ['kubernetes.io/hostname', 'topology.kubernetes.io/zone', 'rack'] as const;
export const taintKeys = ['dedicated', 'gpu', 'maintenance'] as const;
export const effects = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'] as const;
export const extendedResources = ['nvidia.com/gpu', 'example.com/dongle'] as const;
export const priorityClasses = ['low', 'middle', 'high', 'never'] as const;
export const runtimeClasses = ['small-overhead', 'large-overhead'] as const;

/** The same amounts in several of the notations that the API accepts. */
export const cpuAmounts = [
  '0',
  '100m',
  '0.1',
  '250m',
  '500m',
  '1',
  '1.5',
  '1500m',
  '2',
  '2000m',
  '1e0',
  '3',
  '333m',
  '.5',
  '2E0',
] as const;
export const memoryAmounts = [
  '0',
  '64Mi',
  '128Mi',
  '256Mi',
  '0.5Gi',
  '1Gi',
  '512M',
  '1e9',
  '1024Ki',
  '2Gi',
  '1048576k',
  '1G',
] as const;
export const diskAmounts = ['1Gi', '500M', '100Mi', '2e9'] as const;
