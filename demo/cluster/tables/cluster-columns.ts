import type { ApiObject } from '../api-object.js';
import { listAt, numberAt, objectAt, textAt, textMapAt, textsAt, valueAt } from '../json.js';
import { ageColumn, ageOf, mapText, nameColumn } from './cells.js';
import { column, type TableColumn, wideColumn } from './table.js';

const roleLabel = 'node-role.kubernetes.io/';

export const nodeColumns: readonly TableColumn[] = [
  nameColumn,
  column('Status', (node) => {
    const ready = listAt(node, 'status', 'conditions').find((condition) => condition.type === 'Ready');
    const status = ready === undefined ? 'Unknown' : ready.status === 'True' ? 'Ready' : 'NotReady';
    return valueAt(node, 'spec', 'unschedulable') === true ? `${status},SchedulingDisabled` : status;
  }),
  column('Roles', (node) => {
    const roles = Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) => {
      if (key.startsWith(roleLabel) && key.length > roleLabel.length) return [key.slice(roleLabel.length)];
      return key === 'kubernetes.io/role' && value !== '' ? [value] : [];
    });
    return roles.length === 0 ? '<none>' : roles.sort().join(',');
  }),
  ageColumn,
  column('Version', (node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion') ?? ''),
  wideColumn('Internal-IP', (node) => addressOf(node, 'InternalIP')),
  wideColumn('External-IP', (node) => addressOf(node, 'ExternalIP')),
  wideColumn('OS-Image', (node) => textAt(node, 'status', 'nodeInfo', 'osImage') || '<unknown>'),
  wideColumn('Kernel-Version', (node) => {
    const kernel = textAt(node, 'status', 'nodeInfo', 'kernelVersion') || '<unknown>';
    const architecture = textAt(node, 'status', 'nodeInfo', 'architecture');
    return architecture === undefined ? kernel : `${kernel} (${architecture})`;
  }),
  wideColumn(
    'Container-Runtime',
    (node) => textAt(node, 'status', 'nodeInfo', 'containerRuntimeVersion') || '<unknown>',
  ),
];

function addressOf(node: ApiObject, type: string): string {
  const found = listAt(node, 'status', 'addresses').find((address) => address.type === type);
  return textAt(found, 'address') ?? '<none>';
}

export const eventColumns: readonly TableColumn[] = [
  column('Last Seen', (event, now) => lastSeen(event, now)),
  column('Type', (event) => textAt(event, 'type') ?? ''),
  column('Reason', (event) => textAt(event, 'reason') ?? ''),
  column('Object', (event) => {
    const { kind, name } = objectAt(event, 'involvedObject');
    return name ? `${String(kind).toLowerCase()}/${name}` : String(kind).toLowerCase();
  }),
  wideColumn('Subobject', (event) => textAt(event, 'involvedObject', 'fieldPath') ?? ''),
  wideColumn('Source', (event) => {
    const component = textAt(event, 'source', 'component') || textAt(event, 'reportingComponent') || '';
    const host = textAt(event, 'source', 'host') || textAt(event, 'reportingInstance') || '';
    return host === '' ? component : `${component}, ${host}`;
  }),
  column('Message', (event) => (textAt(event, 'message') ?? '').trim()),
  wideColumn('First Seen', (event, now) =>
    ageOf(textAt(event, 'firstTimestamp') ?? textAt(event, 'eventTime'), now),
  ),
  wideColumn('Count', (event) => `${numberAt(event, 'series', 'count') ?? numberAt(event, 'count') ?? 1}`),
  { ...nameColumn, wide: true },
];

function lastSeen(event: ApiObject, now: number): string {
  const series = textAt(event, 'series', 'lastObservedTime');
  return ageOf(
    series ?? textAt(event, 'lastTimestamp') ?? textAt(event, 'firstTimestamp') ?? textAt(event, 'eventTime'),
    now,
  );
}

export const namespaceColumns: readonly TableColumn[] = [
  nameColumn,
  column('Status', (namespace) => textAt(namespace, 'status', 'phase') ?? ''),
  ageColumn,
];

export const serviceColumns: readonly TableColumn[] = [
  nameColumn,
  column('Type', (service) => textAt(service, 'spec', 'type') ?? ''),
  column('Cluster-IP', (service) => textAt(service, 'spec', 'clusterIP') || '<none>'),
  column('External-IP', (service) => textsAt(service, 'spec', 'externalIPs').join(',') || '<none>'),
  column('Port(s)', (service) => {
    const ports = listAt(service, 'spec', 'ports').map(({ port, nodePort, protocol }) =>
      nodePort === undefined ? `${port}/${protocol}` : `${port}:${nodePort}/${protocol}`,
    );
    return ports.length === 0 ? '<none>' : ports.join(',');
  }),
  ageColumn,
  wideColumn('Selector', (service) => mapText(textMapAt(service, 'spec', 'selector'))),
];

export const configMapColumns: readonly TableColumn[] = [
  nameColumn,
  column(
    'Data',
    (object) =>
      Object.keys(objectAt(object, 'data')).length + Object.keys(objectAt(object, 'binaryData')).length,
    'integer',
  ),
  ageColumn,
];

export const secretColumns: readonly TableColumn[] = [
  nameColumn,
  column('Type', (secret) => textAt(secret, 'type') ?? ''),
  column('Data', (secret) => Object.keys(objectAt(secret, 'data')).length, 'integer'),
  ageColumn,
];

export const resourceQuotaColumns: readonly TableColumn[] = [
  nameColumn,
  column('Request', (quota) => usage(quota, (name) => !name.startsWith('limits.'))),
  column('Limit', (quota) => usage(quota, (name) => name.startsWith('limits.'))),
  ageColumn,
];

function usage(quota: ApiObject, shows: (name: string) => boolean): string {
  const hard = textMapAt(quota, 'status', 'hard');
  const used = textMapAt(quota, 'status', 'used');
  const names = Object.keys(hard).filter(shows).sort();
  return names.map((name) => `${name}: ${used[name] ?? '0'}/${hard[name]}`).join(', ');
}

export const priorityClassColumns: readonly TableColumn[] = [
  nameColumn,
  column('Value', (object) => numberAt(object, 'value') ?? 0, 'integer'),
  column('Global-Default', (object) => valueAt(object, 'globalDefault') === true, 'boolean'),
  ageColumn,
  column('PreemptionPolicy', (object) => textAt(object, 'preemptionPolicy') ?? ''),
];

export const leaseColumns: readonly TableColumn[] = [
  nameColumn,
  column('Holder', (lease) => textAt(lease, 'spec', 'holderIdentity') ?? ''),
  ageColumn,
];

export const controllerRevisionColumns: readonly TableColumn[] = [
  nameColumn,
  column('Controller', ({ metadata }) => {
    const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
    if (owner === undefined) return '<none>';
    const group = owner.apiVersion.split('/')[0] ?? '';
    return `${owner.kind.toLowerCase()}${owner.apiVersion.includes('/') ? `.${group}` : ''}/${owner.name}`;
  }),
  column('Revision', (object) => `${numberAt(object, 'revision') ?? 0}`),
  ageColumn,
];

export const podDisruptionBudgetColumns: readonly TableColumn[] = [
  nameColumn,
  column('Min Available', (budget) => String(valueAt(budget, 'spec', 'minAvailable') ?? 'N/A')),
  column('Max Unavailable', (budget) => String(valueAt(budget, 'spec', 'maxUnavailable') ?? 'N/A')),
  column('Allowed Disruptions', (budget) => numberAt(budget, 'status', 'disruptionsAllowed') ?? 0, 'integer'),
  ageColumn,
];

export const autoscalerColumns: readonly TableColumn[] = [
  nameColumn,
  column('Reference', (hpa) => {
    const { kind, name } = objectAt(hpa, 'spec', 'scaleTargetRef');
    return `${kind}/${name}`;
  }),
  column('MinPods', (hpa) => `${numberAt(hpa, 'spec', 'minReplicas') ?? 1}`),
  column('MaxPods', (hpa) => `${numberAt(hpa, 'spec', 'maxReplicas') ?? 0}`),
  column('Replicas', (hpa) => `${numberAt(hpa, 'status', 'currentReplicas') ?? 0}`),
  ageColumn,
];
