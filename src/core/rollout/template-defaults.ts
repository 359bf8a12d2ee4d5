import type { JsonObject } from '../cluster/wire.js';

/**
 * Values the API server stores where a manifest says nothing (kubernetes `pkg/apis/core/v1/defaults.go`), by
 * the kind of object they belong to. A template equal to another but for these is the same template.
 */
export const podSpecDefaults: JsonObject = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  terminationGracePeriodSeconds: 30,
  schedulerName: 'default-scheduler',
  securityContext: {},
  enableServiceLinks: true,
};

export const containerDefaults: JsonObject = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
};

export const probeDefaults: JsonObject = {
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
};

export const httpGetDefaults: JsonObject = { path: '/', scheme: 'HTTP' };

export const portDefaults: JsonObject = { protocol: 'TCP' };

export const fieldRefDefaults: JsonObject = { apiVersion: 'v1' };

export const iscsiDefaults: JsonObject = { iscsiInterface: 'default' };

export const rbdDefaults: JsonObject = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' };

export const scaleIODefaults: JsonObject = { storageMode: 'ThinProvisioned', fsType: 'xfs' };

export const azureDiskDefaults: JsonObject = {
  cachingMode: 'ReadWrite',
  kind: 'Shared',
  fsType: 'ext4',
  readOnly: false,
};

export const tokenDefaults: JsonObject = { expirationSeconds: 3600 };

export const claimSpecDefaults: JsonObject = { volumeMode: 'Filesystem' };

/** Volume sources whose files get mode 0644. */
export const sourcesWithMode: readonly string[] = ['configMap', 'secret', 'downwardAPI', 'projected'];

/** `Always` for the tag `latest` or none, else `IfNotPresent`; a digest is a tag of its own. */
export function defaultPullPolicy(image: unknown): string {
  if (typeof image !== 'string') return 'IfNotPresent';
  if (image.includes('@')) return 'IfNotPresent';
  const lastPart = image.slice(image.lastIndexOf('/') + 1);
  const colon = lastPart.indexOf(':');
  const tag = colon === -1 ? 'latest' : lastPart.slice(colon + 1);
  return tag === 'latest' ? 'Always' : 'IfNotPresent';
}

/** Lists and maps: empty equals absent. An empty object elsewhere is a choice (`emptyDir: {}`). */
export const mapFields: ReadonlySet<string> = new Set([
  'annotations',
  'labels',
  'limits',
  'matchLabels',
  'metadata',
  'nodeSelector',
  'options',
  'overhead',
  'requests',
  'volumeAttributes',
]);

/** Fields that are plain values in the API's types: their zero value is not stored. */
export const omittedWhenZero: ReadonlySet<string> = new Set([
  'hostIPC',
  'hostNetwork',
  'hostPID',
  'hostPort',
  'initialDelaySeconds',
  'readOnly',
  'stdin',
  'stdinOnce',
  'tty',
]);

/** Pointers to text: empty is a value of its own. */
export const keptWhenEmpty: ReadonlySet<string> = new Set(['storageClassName']);

/** Maps of quantities, and single quantities. */
export const quantityMaps: ReadonlySet<string> = new Set(['limits', 'requests', 'overhead']);
export const quantityFields: ReadonlySet<string> = new Set(['divisor', 'sizeLimit']);

/** Maps whose values are text: an empty value is a value. */
export const textMaps: ReadonlySet<string> = new Set([
  'annotations',
  'labels',
  'matchLabels',
  'nodeSelector',
]);
