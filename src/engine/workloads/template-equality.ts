import { compareText } from '../collections/collections.js';
import type { PodTemplate } from '../objects/pod-spec.js';
import { isObject, type JsonObject } from '../objects/wire.js';
import { parseQuantity } from '../scheduler/quantity.js';

export const podTemplateHashLabel = 'pod-template-hash';

/**
 * A field of a template's spec that the API does not have. Text leaves fields out, so that two templates may
 * look equal that are not: the value of this field differs then. It is no change that a person made.
 */
export const unstatedDifference = 'notRecorded';

const canonicalTexts = new WeakMap<JsonObject, string>();

/**
 * True when the Deployment controller takes both for one revision: equal but for the label
 * `pod-template-hash`, where absent, null and empty lists are one, absent is the API server's default, and
 * quantities are compared by value (kubernetes `deployment_util.go: EqualIgnoreHash`). Order within lists
 * counts, as it does there.
 */
export function sameTemplate(a: PodTemplate, b: PodTemplate): boolean {
  return a.raw === b.raw || canonicalTemplate(a.raw) === canonicalTemplate(b.raw);
}

/** One text for all spellings of one template; computed once for each object. */
export function canonicalTemplate(raw: JsonObject): string {
  const known = canonicalTexts.get(raw);
  if (known !== undefined) return known;
  const text = JSON.stringify(canonicalTemplateValue(raw));
  canonicalTexts.set(raw, text);
  return text;
}

/** The template in canonical form: keys sorted, defaults, nulls and the hash label left out. */
function canonicalTemplateValue(raw: JsonObject): JsonObject {
  const metadata = objectOf(raw.metadata);
  const { [podTemplateHashLabel]: _hash, ...labels } = objectOf(metadata.labels);
  const { creationTimestamp: _created, ...rest } = metadata;
  return objectOf(
    canonical('', { metadata: { ...rest, labels: texts(labels) }, spec: podSpec(objectOf(raw.spec)) }),
  );
}

function podSpec(spec: JsonObject): JsonObject {
  const hostNetwork = spec.hostNetwork === true;
  const { serviceAccount, ...rest } = without(spec, podSpecDefaults);
  return {
    ...rest,
    serviceAccountName: rest.serviceAccountName ?? serviceAccount,
    containers: each(spec.containers, (item) => container(item, hostNetwork)),
    initContainers: each(spec.initContainers, (item) => container(item, hostNetwork)),
    volumes: each(spec.volumes, volume),
  };
}

function container(item: JsonObject, hostNetwork: boolean): JsonObject {
  const resources = objectOf(item.resources);
  return {
    ...without(item, { ...containerDefaults, imagePullPolicy: defaultPullPolicy(item.image) }),
    resources: isEmpty(canonical('resources', resources)) ? undefined : resources,
    ports: each(item.ports, (port) => containerPort(port, hostNetwork)),
    env: each(item.env, envVar),
    livenessProbe: probe(item.livenessProbe),
    readinessProbe: probe(item.readinessProbe),
    startupProbe: probe(item.startupProbe),
    lifecycle: lifecycle(item.lifecycle),
  };
}

/** On the host's network every container port is a host port. */
function containerPort(port: JsonObject, hostNetwork: boolean): JsonObject {
  const implied = hostNetwork ? { hostPort: port.containerPort } : {};
  return without(port, { ...portDefaults, ...implied });
}

function envVar(item: JsonObject): JsonObject {
  if (!isObject(item.valueFrom)) return item;
  const { fieldRef } = item.valueFrom;
  if (!isObject(fieldRef)) return item;
  return { ...item, valueFrom: { ...item.valueFrom, fieldRef: without(fieldRef, fieldRefDefaults) } };
}

function probe(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  return handler(without(value, probeDefaults));
}

function lifecycle(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  return { ...value, ...each1(value, 'preStop', handler), ...each1(value, 'postStart', handler) };
}

function handler(value: JsonObject): JsonObject {
  return { ...value, ...each1(value, 'httpGet', (get) => without(get, httpGetDefaults)) };
}

function volume(value: JsonObject): JsonObject {
  const sources = Object.keys(value).filter((key) => key !== 'name' && value[key] != null);
  if (sources.length === 0) return { ...value, emptyDir: {} };
  return {
    ...value,
    ...Object.fromEntries(
      sourcesWithMode
        .filter((key) => isObject(value[key]))
        .map((key) => [key, withoutMode(objectOf(value[key]))]),
    ),
    ...each1(value, 'hostPath', (source) => without(source, { type: '' })),
    ...each1(value, 'iscsi', (source) => without(source, iscsiDefaults)),
    ...each1(value, 'rbd', (source) => without(source, rbdDefaults)),
    ...each1(value, 'scaleIO', (source) => without(source, scaleIODefaults)),
    ...each1(value, 'azureDisk', (source) => without(source, azureDiskDefaults)),
    ...each1(value, 'ephemeral', (source) =>
      deep(source, 'volumeClaimTemplate', (template) =>
        deep(template, 'spec', (spec) => without(spec, claimSpecDefaults)),
      ),
    ),
  };
}

function withoutMode(source: JsonObject): JsonObject {
  return {
    ...without(source, { defaultMode: 420 }),
    items: each(source.items, downwardItem),
    sources: each(source.sources, (item) => ({
      ...item,
      ...each1(item, 'serviceAccountToken', (token) => without(token, tokenDefaults)),
      ...each1(item, 'downwardAPI', (api) => ({ ...api, items: each(api.items, downwardItem) })),
    })),
  };
}

function downwardItem(item: JsonObject): JsonObject {
  return deep(item, 'fieldRef', (reference) => without(reference, fieldRefDefaults));
}

/** Sorted keys; absent, null and empty lists and maps dropped; quantities by value. */
function canonical(key: string, value: unknown): unknown {
  if (value === undefined || value === null) return undefined;
  if (value === '' && !keptWhenEmpty.has(key)) return undefined;
  if ((value === false || value === 0) && omittedWhenZero.has(key)) return undefined;
  if (quantityFields.has(key)) return canonicalQuantity(value);
  if (Array.isArray(value)) {
    return value.length === 0 ? undefined : value.map((item) => canonical('', item) ?? null);
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value)
    .map(([name, field]) => [name, quantityOrCanonical(key, name, field)] as const)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => compareText(a, b));
  if (fields.length === 0 && mapFields.has(key)) return undefined;
  return Object.fromEntries(fields);
}

function quantityOrCanonical(parent: string, name: string, field: unknown): unknown {
  if (textMaps.has(parent) && field !== undefined) return String(field ?? '');
  const isQuantity = quantityMaps.has(parent) && (typeof field === 'string' || typeof field === 'number');
  return isQuantity ? canonicalQuantity(field) : canonical(name, field);
}

/** What is no quantity stays as it is: the API server would refuse it. */
function canonicalQuantity(value: unknown): string {
  const quantity = parseQuantity(String(value));
  return quantity === undefined ? String(value) : `${quantity.nano}n`;
}

function without(object: JsonObject, defaults: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(
      ([key, value]) => !(key in defaults) || JSON.stringify(value) !== JSON.stringify(defaults[key]),
    ),
  );
}

function deep(object: JsonObject, key: string, change: (value: JsonObject) => JsonObject): JsonObject {
  return { ...object, ...each1(object, key, change) };
}

function each1(object: JsonObject, key: string, change: (value: JsonObject) => JsonObject): JsonObject {
  const value = object[key];
  return isObject(value) ? { [key]: change(value) } : {};
}

function each(value: unknown, change: (item: JsonObject) => JsonObject): unknown {
  if (!Array.isArray(value)) return undefined;
  return value.map((item: unknown) => (isObject(item) ? change(item) : item));
}

/** Manifests may hold numbers where the API stores text. */
function texts(labels: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [key, String(value ?? '')]));
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (isObject(value) && Object.keys(value).length === 0);
}

function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

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

const iscsiDefaults: JsonObject = { iscsiInterface: 'default' };

const rbdDefaults: JsonObject = { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' };

const scaleIODefaults: JsonObject = { storageMode: 'ThinProvisioned', fsType: 'xfs' };

const azureDiskDefaults: JsonObject = {
  cachingMode: 'ReadWrite',
  kind: 'Shared',
  fsType: 'ext4',
  readOnly: false,
};

const tokenDefaults: JsonObject = { expirationSeconds: 3600 };

const claimSpecDefaults: JsonObject = { volumeMode: 'Filesystem' };

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
const mapFields: ReadonlySet<string> = new Set([
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
const omittedWhenZero: ReadonlySet<string> = new Set([
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
const keptWhenEmpty: ReadonlySet<string> = new Set(['storageClassName']);

/** Maps of quantities, and single quantities. */
const quantityMaps: ReadonlySet<string> = new Set(['limits', 'requests', 'overhead']);
const quantityFields: ReadonlySet<string> = new Set(['divisor', 'sizeLimit']);

/** Maps whose values are text: an empty value is a value. */
const textMaps: ReadonlySet<string> = new Set(['annotations', 'labels', 'matchLabels', 'nodeSelector']);
