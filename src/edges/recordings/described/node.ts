import { type DescribedKind, type TextObject, textUid } from './described-kind.js';
import { eventsOf, rowsOf } from './events.js';
import {
  ageSecondsOf,
  amountsOf,
  annotationsOf,
  type Fields,
  fieldOf,
  fieldsOf,
  labelsOf,
  statedIn,
  timeOf,
  valuesOf,
} from './fields.js';

/** `describeNode` of kubectl's `describe.go`. */
export const node: DescribedKind = {
  kind: 'Node',
  fields: [
    'Name',
    'Roles',
    'Labels',
    'Annotations',
    'CreationTimestamp',
    'Taints',
    'Unschedulable',
    'Lease',
    'Conditions',
    'Addresses',
    'Capacity',
    'Allocatable',
    'Node-Local ResourceSlices',
    'System Info',
    'PodCIDR',
    'PodCIDRs',
    'ProviderID',
    'Non-terminated Pods',
    'Pods',
    'Allocated resources',
    'Events',
  ],
  isDescribed: (fields) => fields.has('Roles') && fields.has('System Info'),
  notStated: ['spec.taints[].timeAdded', 'metadata.managedFields', 'status.declaredFeatures'],
  read(fields) {
    const name = statedIn(fields, 'Name') ?? '';
    const uid = textUid('Node', '', name);
    const creationTimestamp = timeOf(statedIn(fields, 'CreationTimestamp'));
    return {
      object: {
        kind: 'Node',
        metadata: {
          name,
          namespace: '',
          uid,
          labels: labelsOf(fieldOf(fields, 'Labels')),
          annotations: annotationsOf(fieldOf(fields, 'Annotations')),
          ...(creationTimestamp !== undefined && { creationTimestamp }),
        },
        spec: {
          unschedulable: statedIn(fields, 'Unschedulable') === 'true',
          taints: valuesOf(fieldOf(fields, 'Taints')).flatMap(taintOf),
        },
        status: {
          capacity: amountsOf(fieldOf(fields, 'Capacity')),
          allocatable: amountsOf(fieldOf(fields, 'Allocatable')),
          conditions: conditionsOf(fields),
          nodeInfo: systemInfoOf(fields),
        },
      },
      others: [...leaseOf(fields, name), ...podsOn(fields, name), ...nodeEvents(fields, name)],
    };
  },
};

/** Kubelets name the node in place of its uid, and node events are in the namespace `default`. */
function nodeEvents(fields: Fields, name: string): readonly TextObject[] {
  return eventsOf(fields, { kind: 'Node', namespace: '', name, uid: textUid('Node', '', name) });
}

/** `key=value:Effect`; a taint without a value has no equals sign (`Taint.ToString`). */
function taintOf(line: string): readonly object[] {
  const [, key, value = '', effect] = /^([^\s=:]+)(?:=([^\s:]*))?:([A-Z]\w+)$/u.exec(line) ?? [];
  return key === undefined ? [] : [{ key, effect, ...(value !== '' && { value }) }];
}

function conditionsOf(fields: Fields): readonly object[] {
  return rowsOf(fieldOf(fields, 'Conditions')?.lines ?? []).map((row) => {
    const changed = timeOf(row.get('LastTransitionTime'));
    const heartbeat = timeOf(row.get('LastHeartbeatTime'));
    return {
      type: row.get('Type') ?? '',
      status: row.get('Status') ?? '',
      reason: row.get('Reason') ?? '',
      message: row.get('Message') ?? '',
      ...(changed !== undefined && { lastTransitionTime: changed }),
      ...(heartbeat !== undefined && { lastHeartbeatTime: heartbeat }),
    };
  });
}

function systemInfoOf(fields: Fields): object {
  const info = fieldsOf(fieldOf(fields, 'System Info')?.lines ?? [], () => true);
  const text = (key: string): string => statedIn(info, key) ?? '';
  return {
    kernelVersion: text('Kernel Version'),
    osImage: text('OS Image'),
    operatingSystem: text('Operating System'),
    architecture: text('Architecture'),
    containerRuntimeVersion: text('Container Runtime Version'),
    kubeletVersion: text('Kubelet Version'),
  };
}

function leaseOf(fields: Fields, name: string): readonly TextObject[] {
  const lines = fieldOf(fields, 'Lease')?.lines ?? [];
  const lease = fieldsOf(lines, (key) => /^(?:HolderIdentity|AcquireTime|RenewTime)$/u.test(key));
  const renewTime = timeOf(statedIn(lease, 'RenewTime'));
  if (renewTime === undefined) return [];
  const namespace = 'kube-node-lease';
  const holderIdentity = statedIn(lease, 'HolderIdentity');
  return [
    {
      kind: 'Lease',
      metadata: { name, namespace, uid: textUid('Lease', namespace, name) },
      spec: { renewTime, ...(holderIdentity !== undefined && { holderIdentity }) },
    },
  ];
}

/**
 * Pods that the node's table names: their requests of processor and memory, and nothing else of them. They
 * stand back for a pod that is read in another way.
 */
function podsOn(fields: Fields, nodeName: string): readonly TextObject[] {
  return rowsOf(fieldOf(fields, 'Non-terminated Pods')?.lines ?? []).flatMap((row) => {
    const [namespace = '', name = ''] = [row.get('Namespace'), row.get('Name')];
    const amount = (title: string): string | undefined => /^(\S+) \(\d+%\)$/u.exec(row.get(title) ?? '')?.[1];
    const [cpu, memory] = [amount('CPU Requests'), amount('Memory Requests')];
    if (namespace === '' || name === '' || cpu === undefined || memory === undefined) return [];
    return [
      {
        kind: 'Pod',
        metadata: { name, namespace, uid: textUid('Pod', namespace, name) },
        spec: { nodeName, containers: [{ name: '', resources: { requests: { cpu, memory } } }] },
        status: { phase: 'Running' },
        onlyNamed: true,
        age: ageSecondsOf(row.get('Age') ?? ''),
      },
    ];
  });
}

/** What all pods of the node ask for together, by resource: `nvidia.com/gpu  1  1`. */
export function allocatedOn(fields: Fields): ReadonlyMap<string, string> {
  const lines = (fieldOf(fields, 'Allocated resources')?.lines ?? []).filter(
    (line) => !line.trimStart().startsWith('('),
  );
  return new Map(
    rowsOf(lines).map((row) => [
      row.get('Resource') ?? '',
      /^\S+/u.exec(row.get('Requests') ?? '')?.[0] ?? '',
    ]),
  );
}
