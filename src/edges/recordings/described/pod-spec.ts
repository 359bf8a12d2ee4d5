import { containersOf } from './containers.js';
import {
  annotationsOf,
  type Field,
  type Fields,
  fieldOf,
  fieldsOf,
  labelsOf,
  partsOf,
  selectorOf,
  statedIn,
  valuesOf,
} from './fields.js';

/** Fields of a pod's spec that pods and pod templates share. */
export const podSpecFields = [
  'Service Account',
  'Init Containers',
  'Containers',
  'Ephemeral Containers',
  'Volumes',
  'Topology Spread Constraints',
  'Priority Class Name',
  'Node-Selectors',
  'Tolerations',
  'SchedulingGroup',
] as const;

/** What `kubectl describe` leaves out of every pod's spec, or states only in part. */
export const podSpecNotStated = [
  'spec.affinity',
  'spec.schedulerName',
  'spec.schedulingGates',
  'spec.schedulingGroup',
  'spec.preemptionPolicy',
  'spec.resourceClaims',
  'spec.overhead',
  'spec.hostNetwork',
  'spec.restartPolicy',
  'spec.terminationGracePeriodSeconds',
  'spec.activeDeadlineSeconds',
  'spec.imagePullSecrets',
  'spec.initContainers[].restartPolicy',
  'spec.containers[].imagePullPolicy',
  'spec.containers[].lifecycle',
  'spec.containers[].ports[].hostIP',
  'spec.volumes[].*.items',
  'spec.topologySpreadConstraints[].minDomains',
] as const;

export function podSpecOf(fields: Fields) {
  const serviceAccountName = statedIn(fields, 'Service Account');
  const priorityClassName = statedIn(fields, 'Priority Class Name');
  const bare = (field: Field | undefined) => containersOf(field).map(({ container }) => container);
  return {
    ...(serviceAccountName !== undefined && { serviceAccountName }),
    ...(priorityClassName !== undefined && { priorityClassName }),
    initContainers: bare(fieldOf(fields, 'Init Containers')).map(withProbedPolicy),
    containers: bare(fieldOf(fields, 'Containers')),
    ephemeralContainers: bare(fieldOf(fields, 'Ephemeral Containers')),
    volumes: volumesOf(fieldOf(fields, 'Volumes')),
    nodeSelector: labelsOf(fieldOf(fields, 'Node-Selectors')),
    tolerations: valuesOf(fieldOf(fields, 'Tolerations')).map(tolerationOf),
    topologySpreadConstraints: valuesOf(fieldOf(fields, 'Topology Spread Constraints')).flatMap(spreadOf),
  };
}

/**
 * The API server accepts probes only on an init container that runs on
 * (`validation.go: validateInitContainers`).
 */
function withProbedPolicy(container: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { livenessProbe, readinessProbe, startupProbe } = container;
  const isProbed = [livenessProbe, readinessProbe, startupProbe].some((probe) => probe !== undefined);
  return isProbed ? { ...container, restartPolicy: 'Always' } : container;
}

export const templateKeys: ReadonlySet<string> = new Set(['Labels', 'Annotations', ...podSpecFields]);

/** The template below the field `Pod Template`. */
export function podTemplateOf(field: Field | undefined): object {
  const fields = fieldsOf(field?.lines ?? [], (key) => templateKeys.has(key));
  return {
    metadata: {
      labels: labelsOf(fieldOf(fields, 'Labels')),
      annotations: annotationsOf(fieldOf(fields, 'Annotations')),
    },
    spec: podSpecOf(fields),
  };
}

/** `key=value:Effect op=Exists for 300s` (describe.go `printTolerationsMultilineWithIndent`). */
function tolerationOf(line: string): object {
  const [, rest = '', seconds] = /^(.{0,4096}?)(?:\s{1,8}for (-?\d{1,18})s)?$/u.exec(line) ?? [];
  const exists = /(?:^|\s)op=Exists$/u.test(rest);
  const named = rest.replace(/\s{0,8}op=[A-Za-z]{1,30}$/u, '');
  const operator = exists ? 'Exists' : (/(?:^|\s)op=([A-Za-z]+)$/u.exec(rest)?.[1] ?? 'Equal');
  const colon = named.lastIndexOf(':');
  const [keyed, effect] = colon < 0 ? [named, ''] : [named.slice(0, colon), named.slice(colon + 1)];
  const equals = keyed.indexOf('=');
  const [key, value] = equals < 0 ? [keyed, ''] : [keyed.slice(0, equals), keyed.slice(equals + 1)];
  return {
    key,
    operator,
    ...(value !== '' && { value }),
    ...(effect !== '' && { effect }),
    ...(seconds !== undefined && { tolerationSeconds: Number(seconds) }),
  };
}

/** `topology.kubernetes.io/zone:DoNotSchedule when max skew 1 is exceeded for selector app=web`. */
function spreadOf(line: string): readonly object[] {
  const [, topologyKey, whenUnsatisfiable, maxSkew, selector] =
    /^(\S{1,400}):(\w{1,60}) when max skew (\d{1,9}) is exceeded(?: for selector (.{0,4096}))?$/u.exec(
      line,
    ) ?? [];
  if (topologyKey === undefined) return [];
  return [
    {
      topologyKey,
      whenUnsatisfiable,
      maxSkew: Number(maxSkew),
      ...(selector !== undefined && { labelSelector: selectorOf(selector) }),
    },
  ];
}

export const volumeKeys: ReadonlySet<string> = new Set([
  'Type',
  'ClaimName',
  'ReadOnly',
  'Name',
  'SecretName',
  'ConfigMapName',
  'ConfigMapOptional',
  'Optional',
  'Path',
  'Driver',
  'PDName',
  'VolumeID',
  'IQN',
  'Lun',
  'CephMonitors',
  'RBDImage',
  'RBDPool',
  'Medium',
  'SizeLimit',
]);

function volumesOf(field: Field | undefined): readonly object[] {
  if (field === undefined) return [];
  return partsOf(field).map(({ name, lines }) => {
    const fields = fieldsOf(lines, (key) => volumeKeys.has(key));
    return { name, ...volumeSource(fields, lines) };
  });
}

/** Sources of which rules read nothing are left out: the volume is known by its name. */
function volumeSource(fields: Fields, lines: readonly string[]): object {
  const text = (key: string): string => statedIn(fields, key) ?? '';
  const readOnly = text('ReadOnly') === 'true';
  const optional = text('Optional') === 'true';
  switch (/^\w+/u.exec(text('Type'))?.[0]) {
    case 'PersistentVolumeClaim':
      return { persistentVolumeClaim: { claimName: text('ClaimName'), readOnly } };
    case 'EmptyDir': {
      const sizeLimit = text('SizeLimit');
      const isLimited = /^\d/u.test(sizeLimit);
      return { emptyDir: { medium: text('Medium'), ...(isLimited ? { sizeLimit } : {}) } };
    }
    case 'EphemeralVolume':
      return { ephemeral: {} };
    case 'ConfigMap':
      return { configMap: { name: text('Name'), optional } };
    case 'Secret':
      return { secret: { secretName: text('SecretName'), optional } };
    case 'Projected':
      return { projected: { sources: projectedSources(lines) } };
    case 'HostPath':
      return { hostPath: { path: text('Path') } };
    case 'CSI':
      return { csi: { driver: text('Driver') } };
    case 'GCEPersistentDisk':
      return { gcePersistentDisk: { pdName: text('PDName'), readOnly } };
    case 'AWSElasticBlockStore':
      return { awsElasticBlockStore: { volumeID: text('VolumeID') } };
    case 'ISCSI':
      return { iscsi: { iqn: text('IQN'), lun: Number(text('Lun')) || 0, readOnly } };
    case 'RBD':
      return {
        rbd: {
          monitors: text('CephMonitors')
            .replace(/^\[|\]$/gu, '')
            .split(' '),
          pool: text('RBDPool'),
          image: text('RBDImage'),
          readOnly,
        },
      };
    default:
      return {};
  }
}

/** Older versions print `ConfigMapOptional: <nil>` and `SecretOptionalName: <nil>` in place of `Optional`. */
function projectedSources(lines: readonly string[]): readonly object[] {
  const sources: { kind: 'configMap' | 'secret'; name: string; optional: boolean }[] = [];
  for (const line of lines) {
    const trimmed = line.trim();
    const [before = '', key = ''] = /^(\w{1,60}):(?=\s)/u.exec(trimmed) ?? [];
    const value = trimmed.slice(before.length);
    const last = sources.at(-1);
    if (key === 'ConfigMapName') sources.push({ kind: 'configMap', name: value.trim(), optional: false });
    else if (key === 'SecretName') sources.push({ kind: 'secret', name: value.trim(), optional: false });
    else if (/Optional/u.test(key) && last !== undefined) last.optional = value.trim() === 'true';
  }
  return sources.map(({ kind, ...source }) => ({ [kind]: source }));
}
