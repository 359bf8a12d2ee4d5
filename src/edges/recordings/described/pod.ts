import { isObject } from '../../../engine/objects/wire.js';
import { apiVersionOf as workloadApiVersion } from '../../../engine/objects/workload.js';
import { containersOf } from './containers.js';
import { type DescribedKind, textUid } from './described-kind.js';
import { eventsOf, rowsOf } from './events.js';
import {
  ageSecondsOf,
  amountsOf,
  annotationsOf,
  type Field,
  type Fields,
  fieldOf,
  fieldsOf,
  labelsOf,
  statedIn,
  textOf,
  timeOf,
} from './fields.js';
import { podSpecFields, podSpecNotStated, podSpecOf } from './pod-spec.js';

/** `describePod` of kubectl's `describe.go`. */
export const pod: DescribedKind = {
  kind: 'Pod',
  fields: [
    'Name',
    'Namespace',
    'Priority',
    'Runtime Class Name',
    'Node',
    'Start Time',
    'Labels',
    'Annotations',
    'Status',
    'Termination Grace Period',
    'Reason',
    'Message',
    'SeccompProfile',
    'LocalhostProfile',
    'IP',
    'IPs',
    'Controlled By',
    'NominatedNodeName',
    'Resources',
    'Readiness Gates',
    'Conditions',
    'QoS Class',
    'Events',
    ...podSpecFields,
  ],
  isDescribed: (fields) =>
    fields.has('Node') && fields.has('Status') && fields.has('Containers') && fields.has('Namespace'),
  notStated: [
    ...podSpecNotStated,
    'metadata.creationTimestamp',
    'metadata.finalizers',
    'status.conditions[].reason',
    'status.conditions[].lastTransitionTime',
    'status.containerStatuses[].state.waiting.message',
    'status.containerStatuses[].allocatedResources',
  ],
  read(fields) {
    const name = statedIn(fields, 'Name') ?? '';
    const namespace = statedIn(fields, 'Namespace') ?? '';
    const uid = textUid('Pod', namespace, name);
    const status = statusOf(fields);
    const deletedFor = deletedForOf(statedIn(fields, 'Status'));
    const grace = /^(\d{1,9})s$/u.exec(statedIn(fields, 'Termination Grace Period') ?? '')?.[1];
    return {
      object: {
        kind: 'Pod',
        metadata: {
          name,
          namespace,
          uid,
          labels: labelsOf(fieldOf(fields, 'Labels')),
          annotations: annotationsOf(fieldOf(fields, 'Annotations')),
          ownerReferences: ownersOf(fields, namespace),
          ...(grace !== undefined && { deletionGracePeriodSeconds: Number(grace) }),
        },
        spec: withSidecars({ ...podSpecOf(fields), ...placeOf(fields) }, status),
        status,
        // kubectl prints the class of every pod, below the conditions.
        // Of several objects, kubectl prints events since 1.36 only where people ask for them.
        ...(!fields.has('Events') && { withoutEvents: true }),
        ...(!fields.has('QoS Class') && !fields.has('Conditions') && { cutBefore: 'status.conditions' }),
      },
      others: eventsOf(fields, { kind: 'Pod', namespace, name, uid }),
      ...(deletedFor !== undefined && { deletedFor }),
    };
  },
};

interface PodStatus {
  readonly conditions: readonly { readonly type: string; readonly status: string }[];
  readonly initContainerStatuses: readonly Readonly<Record<string, unknown>>[];
  readonly containerStatuses: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

/**
 * An init container that runs on beside the others is not printed as one. The pod is initialized once every
 * other init container has completed, so one that has not completed then is such a sidecar. Where the text
 * was cut off before the conditions, one that runs may be a sidecar, unless a main container waits for it.
 */
function withSidecars(
  spec: { readonly initContainers: readonly Readonly<Record<string, unknown>>[] },
  { conditions, initContainerStatuses, containerStatuses }: PodStatus,
): object {
  const isInitialized = conditions.some(({ type, status }) => type === 'Initialized' && status === 'True');
  const mayBe = conditions.length === 0 && !containerStatuses.some(({ state }) => isWaitingForInit(state));
  const open = new Set(
    initContainerStatuses.flatMap(({ name, state }) =>
      isInitialized ? (hasCompleted(state) ? [] : [name]) : mayBe && isRunning(state) ? [name] : [],
    ),
  );
  return {
    ...spec,
    initContainers: spec.initContainers.map((container) =>
      open.has(container.name) ? { ...container, restartPolicy: 'Always' } : container,
    ),
  };
}

function isWaitingForInit(state: unknown): boolean {
  return isObject(state) && isObject(state.waiting) && state.waiting.reason === 'PodInitializing';
}

function isRunning(state: unknown): boolean {
  return isObject(state) && isObject(state.running);
}

function hasCompleted(state: unknown): boolean {
  return isObject(state) && isObject(state.terminated) && state.terminated.exitCode === 0;
}

/** `Controlled By: ReplicaSet/web-5d8f`; the uid is exchanged once the owner was read. */
export function ownersOf(fields: Fields, namespace: string): readonly object[] {
  const [, kind, name] = /^(\w+)\/(\S+)$/u.exec(statedIn(fields, 'Controlled By') ?? '') ?? [];
  return kind === undefined || name === undefined
    ? []
    : [{ apiVersion: apiVersionOf(kind), kind, name, controller: true, uid: textUid(kind, namespace, name) }];
}

/** Owners are printed without their group. */
function apiVersionOf(kind: string): string {
  if (kind === 'Node') return 'v1';
  return kind === 'Job' ? 'batch/v1' : workloadApiVersion(kind);
}

/** `Terminating (lasts 5m)`. A deletion that is due only later is printed as `<invalid>`. */
export function deletedForOf(status: string | undefined): number | undefined {
  const age = /^Terminating \((?:lasts|expires) ([^)]*)\)/u.exec(status ?? '')?.[1];
  if (age === undefined) return undefined;
  return ageSecondsOf(age) ?? 0;
}

function placeOf(fields: Fields): object {
  const node = statedIn(fields, 'Node')?.replace(/\/[^/]*$/u, '');
  const priority = statedIn(fields, 'Priority');
  const runtimeClassName = statedIn(fields, 'Runtime Class Name');
  const resources = fieldOf(fields, 'Resources');
  return {
    ...(node !== undefined && { nodeName: node }),
    ...(priority !== undefined && /^-?\d{1,10}$/u.test(priority) && { priority: Number(priority) }),
    ...(runtimeClassName !== undefined && { runtimeClassName }),
    ...(resources !== undefined && { resources: resourcesOf(resources) }),
    readinessGates: rowsOf(fieldOf(fields, 'Readiness Gates')?.lines ?? []).map((row) => ({
      conditionType: row.get('Type') ?? '',
    })),
  };
}

function resourcesOf({ lines }: Field): object {
  const fields = fieldsOf(lines, (key) => key === 'Limits' || key === 'Requests');
  return { limits: amountsOf(fieldOf(fields, 'Limits')), requests: amountsOf(fieldOf(fields, 'Requests')) };
}

function statusOf(fields: Fields): PodStatus {
  const statuses = (key: string): readonly Readonly<Record<string, unknown>>[] =>
    containersOf(fieldOf(fields, key)).flatMap(({ status }) => (status === undefined ? [] : [status]));
  const [init, main, ephemeral] = ['Init Containers', 'Containers', 'Ephemeral Containers'].map(statuses);
  const startTime = timeOf(statedIn(fields, 'Start Time'));
  const podIP = statedIn(fields, 'IP');
  const nominatedNodeName = statedIn(fields, 'NominatedNodeName');
  const qosClass = statedIn(fields, 'QoS Class');
  return {
    phase: phaseOf(fields, main ?? []),
    reason: statedIn(fields, 'Reason') ?? '',
    message: textOf(fields, 'Message'),
    ...(startTime !== undefined && { startTime }),
    ...(podIP !== undefined && { podIP }),
    ...(nominatedNodeName !== undefined && { nominatedNodeName }),
    ...(qosClass !== undefined && { qosClass }),
    conditions: rowsOf(fieldOf(fields, 'Conditions')?.lines ?? []).map((row) => ({
      type: row.get('Type') ?? '',
      status: row.get('Status') ?? '',
    })),
    initContainerStatuses: init ?? [],
    containerStatuses: main ?? [],
    ephemeralContainerStatuses: ephemeral,
  };
}

/** The phase of a pod that is being deleted is not printed. Its containers show whether they have started. */
function phaseOf(fields: Fields, statuses: readonly object[]): string {
  const status = statedIn(fields, 'Status') ?? '';
  if (!status.startsWith('Terminating')) return status === '' ? 'Pending' : status;
  return statuses.some((each) => !('state' in each && isWaiting(each.state))) ? 'Running' : 'Pending';
}

function isWaiting(state: unknown): boolean {
  return typeof state === 'object' && state !== null && !('running' in state) && !('terminated' in state);
}
