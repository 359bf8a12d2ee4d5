import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

/** Changes of one field of a pod template that no remediation makes, by schema and field. */
type Samples = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

export const deniedFields: Samples = {
  PodSpec: {
    activeDeadlineSeconds: 60,
    ephemeralContainers: [{ name: 'debug', image: 'x' }],
    nodeName: 'node-a',
    os: { name: 'linux' },
    overhead: { cpu: '1' },
    preemptionPolicy: 'Never',
    priority: 100,
    priorityClassName: 'high',
    resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }],
    restartPolicy: 'OnFailure',
    runtimeClassName: 'other',
    schedulerName: 'other',
    schedulingGates: [{ name: 'example.com/hold' }],
    schedulingGroup: { podGroupName: 'other' },
    securityContext: null,
    serviceAccount: 'admin',
    serviceAccountName: 'admin',
    shareProcessNamespace: true,
  },
  PodSecurityContext: {
    appArmorProfile: { type: 'Unconfined' },
    fsGroup: 0,
    fsGroupChangePolicy: 'OnRootMismatch',
    runAsGroup: 0,
    runAsNonRoot: null,
    runAsUser: 0,
    seLinuxChangePolicy: 'Recursive',
    seLinuxOptions: { type: 'spc_t' },
    seccompProfile: { type: 'Unconfined' },
    supplementalGroups: [0],
    supplementalGroupsPolicy: 'Merge',
    sysctls: [{ name: 'kernel.shm_rmid_forced', value: '1' }],
    windowsOptions: { gmsaCredentialSpecName: 'x' },
  },
  Container: { securityContext: null },
  SecurityContext: {
    allowPrivilegeEscalation: true,
    appArmorProfile: { type: 'Unconfined' },
    capabilities: null,
    privileged: true,
    procMount: 'Unmasked',
    readOnlyRootFilesystem: null,
    runAsGroup: 0,
    runAsNonRoot: false,
    runAsUser: 0,
    seLinuxOptions: { type: 'spc_t' },
    seccompProfile: { type: 'Unconfined' },
    windowsOptions: { gmsaCredentialSpecName: 'x' },
  },
  Volume: {
    awsElasticBlockStore: { volumeID: 'x' },
    azureDisk: { diskName: 'x', diskURI: 'https://x.blob.core.windows.net/x/x.vhd', kind: 'Dedicated' },
    azureFile: { secretName: 'x', shareName: 'x' },
    cephfs: { monitors: ['x'] },
    cinder: { volumeID: 'x' },
    csi: { driver: 'example.com' },
    fc: { targetWWNs: ['x'], lun: 0 },
    flexVolume: { driver: 'example.com/x' },
    flocker: { datasetName: 'x' },
    gcePersistentDisk: { pdName: 'x' },
    gitRepo: { repository: 'x' },
    glusterfs: { endpoints: 'x', path: 'x' },
    hostPath: { path: '/' },
    image: { reference: 'x' },
    iscsi: { targetPortal: 'x', iqn: 'iqn.2001-04.com.example:x', lun: 0 },
    nfs: { server: 'x', path: '/' },
    photonPersistentDisk: { pdID: 'x' },
    portworxVolume: { volumeID: 'x' },
    quobyte: { registry: 'x:1', volume: 'x' },
    rbd: { monitors: ['x'], image: 'x' },
    scaleIO: { gateway: 'x', system: 'x', secretRef: { name: 'x' }, volumeName: 'x' },
    storageos: { volumeName: 'x' },
    vsphereVolume: { volumePath: 'x' },
  },
  VolumeProjection: {
    clusterTrustBundle: { name: 'x', path: 'x' },
    podCertificate: { signerName: 'example.com/x', keyType: 'ED25519', credentialBundlePath: 'x' },
    serviceAccountToken: { path: 'x' },
  },
};

const hardened = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
};

/** The fields of a pod's spec that set one field of a schema, in a merge patch. */
export function specWith(schema: string, field: string, value: unknown): object {
  const container = { name: 'app', image: 'app:2', securityContext: hardened };
  switch (schema) {
    case 'PodSpec':
      return { [field]: value };
    case 'PodSecurityContext':
      return { securityContext: { [field]: value } };
    case 'Container':
      return { containers: [{ ...container, [field]: value }] };
    case 'SecurityContext': {
      // A privileged container may escalate, and unmasked processes need a namespace of users.
      const others = field === 'privileged' ? { allowPrivilegeEscalation: null } : {};
      return {
        ...(field === 'procMount' ? { hostUsers: false } : {}),
        containers: [{ ...container, securityContext: { ...hardened, ...others, [field]: value } }],
      };
    }
    case 'Volume':
      return { volumes: [{ name: 'data', [field]: value }] };
    case 'VolumeProjection':
      return { volumes: [{ name: 'data', projected: { sources: [{ [field]: value }] } }] };
    default:
      throw new Error(`no place for ${schema}`);
  }
}

/**
 * What the API server of this version refuses in a template, or drops from it where a feature is off, for
 * anybody.
 */
export const fieldsWithoutEffect: readonly string[] = [
  'PodSpec.activeDeadlineSeconds',
  'PodSpec.ephemeralContainers',
  'PodSpec.restartPolicy',
  'PodSpec.schedulingGroup',
  'VolumeProjection.clusterTrustBundle',
  'VolumeProjection.podCertificate',
];

/** Lists of the policy that name the fields that may change, by schema. */
const lists: Readonly<Record<string, string>> = {
  PodSpec: 'podFields',
  Container: 'containerFields',
  Volume: 'volumeFields',
  VolumeProjection: 'projectedFields',
};

/** The fields that the shipped policy lets change. */
export function changeableFields(schema: string): readonly string[] {
  const file = new URL('../../../deploy/admission/base/workloads.yaml', import.meta.url);
  const [policy] = parseAllDocuments(readFileSync(file, 'utf8')).map(
    (each): { readonly spec?: { readonly variables: readonly { name: string; expression: string }[] } } =>
      each.toJS(),
  );
  const found = policy?.spec?.variables.find(({ name }) => name === lists[schema]);
  return found === undefined ? [] : (JSON.parse(found.expression) as readonly string[]);
}

const without = (...keys: readonly string[]) => Object.fromEntries(keys.map((key) => [key, null]));
const app = { name: 'app', image: 'app:2', securityContext: hardened };
const required = (terms: readonly object[]) => ({
  affinity: {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
  },
});

/** Changes within the fields that may change. */
export const deniedWithin: Readonly<Record<string, object>> = {
  'a token by default': without('automountServiceAccountToken'),
  'user 0 in a new container': {
    containers: [app, { name: 'more', image: 'x', securityContext: { ...hardened, runAsUser: 0 } }],
  },
  'a new container without a security context': { containers: [app, { name: 'more', image: 'x' }] },
  'a new init container without a security context': { initContainers: [{ name: 'more', image: 'x' }] },
  'no dropped capabilities': {
    containers: [{ ...app, securityContext: { ...hardened, capabilities: { drop: ['KILL'] } } }],
  },
  'a port of the node': { containers: [{ ...app, ports: [{ containerPort: 80, hostPort: 80 }] }] },
  'a device claim of a container': {
    resourceClaims: [{ name: 'gpu', resourceClaimName: 'gpu' }],
    containers: [{ ...app, resources: { claims: [{ name: 'gpu' }] } }],
  },
  'a token beside a ConfigMap': {
    volumes: [
      {
        name: 'data',
        projected: { sources: [{ configMap: { name: 'x' } }, { serviceAccountToken: { path: 'x' } }] },
      },
    ],
  },
  'another node selector': { nodeSelector: { pool: 'other' } },
  'a node selector of one host': { nodeSelector: { 'kubernetes.io/hostname': 'node-a' } },
  'another toleration': { tolerations: [{ key: 'a', operator: 'Exists' }, { operator: 'Exists' }] },
  'a required host': required([
    { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-a'] }] },
  ]),
  'a required node by its field': required([
    { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-a'] }] },
  ]),
  'a preferred host': {
    affinity: {
      nodeAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          {
            weight: 100,
            preference: {
              matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-a'] }],
            },
          },
        ],
      },
    },
  },
  'the host of other pods': {
    affinity: {
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'bank' } } },
        ],
      },
    },
  },
};

/** What an earlier revision may differ in. */
export const allowedChanges: Readonly<Record<string, object>> = {
  'an image, a command, variables and probes': {
    containers: [
      {
        ...app,
        image: 'app:1',
        command: ['serve'],
        env: [{ name: 'MODE', valueFrom: { secretKeyRef: { name: 'x', key: 'y' } } }],
        livenessProbe: { tcpSocket: { port: 80 } },
        resources: { requests: { cpu: '2' } },
      },
    ],
  },
  'a further container in the same security context': { containers: [app, { ...app, name: 'more' }] },
  'an init container in the same security context': { initContainers: [{ ...app, name: 'init' }] },
  'volumes of data of the namespace': {
    volumes: [
      { name: 'data', secret: { secretName: 'x' } },
      { name: 'more', projected: { sources: [{ configMap: { name: 'x' } }] } },
      { name: 'claim', persistentVolumeClaim: { claimName: 'x' } },
    ],
  },
  'fewer constraints on nodes': { nodeSelector: { pool: null }, tolerations: null },
  'no node selector': without('nodeSelector'),
  'no affinity': without('affinity'),
  'an excluded node': required([
    { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'NotIn', values: ['node-a'] }] },
  ]),
  'a time to stop': { terminationGracePeriodSeconds: 5 },
};
