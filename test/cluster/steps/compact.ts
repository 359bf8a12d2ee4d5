/** Fields that no engine reads and that would make a step several times as long. */
const noise = new Set([
  'managedFields',
  'resourceVersion',
  'selfLink',
  'terminationMessagePath',
  'terminationMessagePolicy',
  'imagePullPolicy',
  'dnsPolicy',
  'enableServiceLinks',
  'serviceAccount',
  'serviceAccountName',
  'volumeMounts',
  'blockOwnerDeletion',
  'capacity',
  'nodeInfo',
  'addresses',
  'daemonEndpoints',
  'images',
]);
const longestUid = 8;

/** The step without noise. Whoever stores it checks that the engines answer as before. */
export function compact<Step>(step: Step): Step {
  return JSON.parse(JSON.stringify(step, shorter)) as Step;
}

function shorter(key: string, value: unknown): unknown {
  if (noise.has(key)) return undefined;
  if (key === 'uid' && typeof value === 'string') return value.slice(0, longestUid);
  if (key === 'securityContext' && Object.keys(value ?? {}).length === 0) return undefined;
  if (key === 'volumes' && Array.isArray(value)) return withoutTokens(value);
  return value;
}

/** The API server adds a volume with a token to each pod. */
function withoutTokens(volumes: readonly { readonly name?: string }[]): unknown {
  const others = volumes.filter(({ name }) => name?.startsWith('kube-api-access-') !== true);
  return others.length === 0 ? undefined : others;
}
