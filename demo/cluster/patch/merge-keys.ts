/**
 * How lists of the served kinds merge: the `patchMergeKey` and `patchStrategy` tags of `k8s.io/api`, by field
 * name. A list that is missing here is atomic: a patch replaces it whole (tolerations, taints, args,
 * nodeSelectorTerms).
 */
const keyByField: Readonly<Record<string, string>> = {
  conditions: 'type',
  containers: 'name',
  env: 'name',
  ephemeralContainers: 'name',
  hostAliases: 'ip',
  hostIPs: 'ip',
  imagePullSecrets: 'name',
  initContainers: 'name',
  ownerReferences: 'uid',
  podIPs: 'ip',
  resourceClaims: 'name',
  resourceClaimStatuses: 'name',
  schedulingGates: 'name',
  secrets: 'name',
  topologySpreadConstraints: 'topologyKey',
  volumeDevices: 'devicePath',
  volumeMounts: 'mountPath',
  volumes: 'name',
};

const mergedPrimitives: ReadonlySet<string> = new Set(['finalizers', 'podCIDRs']);

/** Objects of which a patch with `$retainKeys` keeps nothing but what it names. */
const retainKeysFields: ReadonlySet<string> = new Set(['strategy', 'updateStrategy', 'volumes']);

/** The field that tells items of that list apart; `undefined` for an atomic list. */
export function mergeKeyOf(kind: string, field: string): string | undefined {
  if (field === 'ports') return kind === 'Service' ? 'port' : 'containerPort';
  if (field === 'addresses' && kind === 'Node') return 'type';
  return keyByField[field];
}

export function mergesPrimitives(field: string): boolean {
  return mergedPrimitives.has(field);
}

export function honoursRetainKeys(field: string): boolean {
  return retainKeysFields.has(field);
}
