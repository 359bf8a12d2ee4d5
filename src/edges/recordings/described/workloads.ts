import { unstatedDifference } from '../../../engine/workloads/template-equality.js';
import { type DescribedKind, type TextObject, textUid } from './described-kind.js';
import { eventsOf, rowsOf } from './events.js';
import type { Field, Fields } from './fields.js';
import { annotationsOf, fieldOf, fieldsOf, labelsOf, selectorOf, statedIn, timeOf } from './fields.js';
import { ownersOf } from './pod.js';
import { podSpecNotStated, podTemplateOf } from './pod-spec.js';

const templateNotStated = podSpecNotStated.map((path) => `spec.template.${path}`);
const common = [
  'Name',
  'Namespace',
  'CreationTimestamp',
  'Labels',
  'Annotations',
  'Selector',
  'Events',
] as const;

/** `describeDeployment` of kubectl's `describe.go`. */
export const deployment: DescribedKind = {
  kind: 'Deployment',
  fields: [
    ...common,
    'Replicas',
    'StrategyType',
    'MinReadySeconds',
    'RollingUpdateStrategy',
    'Pod Template',
    'Conditions',
    'OldReplicaSets',
    'OldReplicaSet',
    'NewReplicaSet',
  ],
  isDescribed: (fields) => fields.has('StrategyType') && fields.has('MinReadySeconds'),
  notStated: [
    ...templateNotStated,
    'metadata.generation',
    'metadata.managedFields',
    'spec.progressDeadlineSeconds',
    'status.observedGeneration',
    'status.readyReplicas',
    'status.conditions[].message',
    'status.conditions[].lastUpdateTime',
  ],
  read(fields) {
    const place = placeOf(fields);
    const counts = countsIn(statedIn(fields, 'Replicas'));
    const [, maxUnavailable, maxSurge] =
      /^(\d+%?) max unavailable, (\d+%?) max surge$/u.exec(statedIn(fields, 'RollingUpdateStrategy') ?? '') ??
      [];
    const conditions = conditionsOf(fieldOf(fields, 'Conditions'));
    const template = podTemplateOf(fieldOf(fields, 'Pod Template'));
    const selector = selectorOf(statedIn(fields, 'Selector') ?? '');
    // kubectl compares templates itself (`deploymentutil.GetNewReplicaSet`). '': it found no ReplicaSet of
    // the template.
    const newest =
      replicaSetsIn(statedIn(fields, 'NewReplicaSet'))[0]?.name ??
      (fields.has('NewReplicaSet') ? '' : undefined);
    // The controller states a pause in this condition, and nowhere else it is printed.
    const paused = conditions.some(
      ({ type, reason }) => type === 'Progressing' && reason === 'DeploymentPaused',
    );
    return {
      object: {
        kind: 'Deployment',
        metadata: metaOf('Deployment', fields),
        spec: {
          replicas: counts.desired ?? 0,
          selector,
          template,
          strategy: {
            type: statedIn(fields, 'StrategyType') ?? '',
            ...(maxSurge !== undefined && {
              rollingUpdate: { maxSurge: countOf(maxSurge), maxUnavailable: countOf(maxUnavailable ?? '') },
            }),
          },
          minReadySeconds: Number(statedIn(fields, 'MinReadySeconds') ?? 0),
          paused,
        },
        status: {
          replicas: counts.total ?? 0,
          updatedReplicas: counts.updated ?? 0,
          availableReplicas: counts.available ?? 0,
          unavailableReplicas: counts.unavailable ?? 0,
          // Available pods are ready; there may be more.
          readyReplicas: counts.available ?? 0,
          conditions,
        },
        newReplicaSet: newest,
      },
      others: [
        ...eventsOf(fields, {
          kind: 'Deployment',
          ...place,
          uid: textUid('Deployment', place.namespace, place.name),
        }),
        ...replicaSetStubs(fields, place, { template, selector }),
      ],
    };
  },
};

/** `describeReplicaSet`. A ReplicationController looks the same, and no Deployment owns one. */
export const replicaSet: DescribedKind = {
  kind: 'ReplicaSet',
  fields: [...common, 'Controlled By', 'Replicas', 'Pods Status', 'Pod Template', 'Conditions'],
  isDescribed: (fields) =>
    /^\d+ current \/ \d+ desired$/u.test(statedIn(fields, 'Replicas') ?? '') && fields.has('Controlled By'),
  notStated: [
    ...templateNotStated,
    'metadata.creationTimestamp',
    'spec.minReadySeconds',
    'status.readyReplicas',
    'status.availableReplicas',
  ],
  read(fields) {
    const place = placeOf(fields);
    const { current = 0, desired = 0 } = countsIn(statedIn(fields, 'Replicas'));
    const uid = textUid('ReplicaSet', place.namespace, place.name);
    return {
      object: {
        kind: 'ReplicaSet',
        metadata: { ...metaOf('ReplicaSet', fields), ownerReferences: ownersOf(fields, place.namespace) },
        spec: {
          replicas: desired,
          selector: selectorOf(statedIn(fields, 'Selector') ?? ''),
          template: podTemplateOf(fieldOf(fields, 'Pod Template')),
        },
        status: { replicas: current, conditions: conditionsOf(fieldOf(fields, 'Conditions')) },
      },
      others: eventsOf(fields, { kind: 'ReplicaSet', ...place, uid }),
    };
  },
};

/** `describeStatefulSet`. */
export const statefulSet: DescribedKind = {
  kind: 'StatefulSet',
  fields: [
    ...common,
    'Service Name',
    'Pod Management Policy',
    'Replicas',
    'Update Strategy',
    'Persistent Volume Claim Retention Policy',
    'Pods Status',
    'Pod Template',
    'Volume Claims',
  ],
  isDescribed: (fields) => /^\d+ desired \| \d+ total$/u.test(statedIn(fields, 'Replicas') ?? ''),
  notStated: [
    ...templateNotStated,
    'metadata.generation',
    'metadata.managedFields',
    'spec.minReadySeconds',
    'spec.podManagementPolicy',
    'spec.ordinals',
    'status.currentRevision',
    'status.updateRevision',
    'status.readyReplicas',
    'status.updatedReplicas',
    'status.observedGeneration',
  ],
  read(fields) {
    const place = placeOf(fields);
    const { desired = 0, total = 0 } = countsIn(statedIn(fields, 'Replicas'));
    const strategy = fieldsOf(fieldOf(fields, 'Update Strategy')?.lines ?? [], () => true);
    const partition = statedIn(strategy, 'Partition');
    const maxUnavailable = statedIn(strategy, 'MaxUnavailable');
    const policy = statedIn(fields, 'Pod Management Policy');
    const uid = textUid('StatefulSet', place.namespace, place.name);
    return {
      object: {
        kind: 'StatefulSet',
        metadata: metaOf('StatefulSet', fields),
        spec: {
          replicas: desired,
          serviceName: statedIn(fields, 'Service Name') ?? '',
          selector: selectorOf(statedIn(fields, 'Selector') ?? ''),
          template: podTemplateOf(fieldOf(fields, 'Pod Template')),
          // Newer versions print no policy. With a larger budget, pods of a parallel set may still be
          // replaced.
          podManagementPolicy: policy ?? ((maxUnavailable ?? '1') === '1' ? 'OrderedReady' : 'Parallel'),
          updateStrategy: {
            type: statedIn(fields, 'Update Strategy') ?? '',
            ...(partition !== undefined && {
              rollingUpdate: {
                partition: Number(partition),
                ...(maxUnavailable !== undefined && { maxUnavailable: countOf(maxUnavailable) }),
              },
            }),
          },
          volumeClaimTemplates: claimTemplatesOf(fieldOf(fields, 'Volume Claims')),
        },
        status: { replicas: total },
      },
      others: eventsOf(fields, { kind: 'StatefulSet', ...place, uid }),
    };
  },
};

const daemonCounts = {
  desiredNumberScheduled: 'Desired Number of Nodes Scheduled',
  currentNumberScheduled: 'Current Number of Nodes Scheduled',
  updatedNumberScheduled: 'Number of Nodes Scheduled with Up-to-date Pods',
  numberAvailable: 'Number of Nodes Scheduled with Available Pods',
  numberMisscheduled: 'Number of Nodes Misscheduled',
} as const;

/** `describeDaemonSet`. */
export const daemonSet: DescribedKind = {
  kind: 'DaemonSet',
  fields: [...common, 'Node-Selector', ...Object.values(daemonCounts), 'Pods Status', 'Pod Template'],
  isDescribed: (fields) => fields.has(daemonCounts.desiredNumberScheduled),
  notStated: [
    ...templateNotStated,
    'metadata.generation',
    'metadata.managedFields',
    'metadata.creationTimestamp',
    'spec.updateStrategy',
    'spec.minReadySeconds',
    'status.observedGeneration',
  ],
  read(fields) {
    const place = placeOf(fields);
    const counts = Object.fromEntries(
      Object.entries(daemonCounts).map(([count, key]) => [count, Number(statedIn(fields, key) ?? 0)]),
    );
    const { desiredNumberScheduled = 0, numberAvailable = 0 } = counts;
    const uid = textUid('DaemonSet', place.namespace, place.name);
    return {
      object: {
        kind: 'DaemonSet',
        metadata: metaOf('DaemonSet', fields),
        spec: {
          selector: selectorOf(statedIn(fields, 'Selector') ?? ''),
          template: podTemplateOf(fieldOf(fields, 'Pod Template')),
        },
        status: {
          ...counts,
          numberReady: numberAvailable,
          numberUnavailable: Math.max(desiredNumberScheduled - numberAvailable, 0),
        },
      },
      others: eventsOf(fields, { kind: 'DaemonSet', ...place, uid }),
    };
  },
};

function placeOf(fields: Fields): { readonly namespace: string; readonly name: string } {
  return { namespace: statedIn(fields, 'Namespace') ?? '', name: statedIn(fields, 'Name') ?? '' };
}

function metaOf(kind: string, fields: Fields) {
  const { namespace, name } = placeOf(fields);
  const creationTimestamp = timeOf(statedIn(fields, 'CreationTimestamp'));
  return {
    name,
    namespace,
    uid: textUid(kind, namespace, name),
    labels: labelsOf(fieldOf(fields, 'Labels')),
    annotations: annotationsOf(fieldOf(fields, 'Annotations')),
    ...(creationTimestamp !== undefined && { creationTimestamp }),
  };
}

/** Numbers by the word behind each: `3 desired | 1 updated`, `2 current / 3 desired`. */
function countsIn(text: string | undefined): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...(text ?? '').matchAll(/(\d{1,9}) ([a-z]+)/gu)].map(([, count, word]) => [word, Number(count)]),
  );
}

function countOf(text: string): number | string {
  return text.endsWith('%') ? text : Number(text);
}

function conditionsOf(field: Field | undefined) {
  return rowsOf(field?.lines ?? []).map((row) => ({
    type: row.get('Type') ?? '',
    status: row.get('Status') ?? '',
    reason: row.get('Reason') ?? '',
  }));
}

/** The claims of a StatefulSet stand one below the other, each from its name on. */
function claimTemplatesOf(field: Field | undefined): readonly object[] {
  return (field?.lines ?? []).flatMap((line) => {
    const name = /^ {2}Name:\s+(\S+)\s*$/u.exec(line)?.[1];
    return name === undefined ? [] : [{ metadata: { name } }];
  });
}

/** `web-5d8f (2/3 replicas created), …`. */
function replicaSetsIn(text: string | undefined) {
  return [
    ...(text ?? '').matchAll(/([a-z0-9][a-z0-9.-]{0,252}) \((\d{1,9})\/(\d{1,9}) replicas created\)/gu),
  ].map(([, name = '', current, desired]) => ({ name, current: Number(current), desired: Number(desired) }));
}

/**
 * ReplicaSets that a Deployment names: their counts, and of the new one its template. They stand back for
 * ReplicaSets that are read in another way.
 */
function replicaSetStubs(
  fields: Fields,
  { namespace, name: owner }: { namespace: string; name: string },
  { template, selector }: { template: object; selector: object },
): readonly TextObject[] {
  const stub =
    (isNew: boolean) =>
    ({ name, current, desired }: ReturnType<typeof replicaSetsIn>[number]) => ({
      kind: 'ReplicaSet',
      metadata: {
        name,
        namespace,
        uid: textUid('ReplicaSet', namespace, name),
        ownerReferences: [
          {
            apiVersion: 'apps/v1',
            kind: 'Deployment',
            name: owner,
            controller: true,
            uid: textUid('Deployment', namespace, owner),
          },
        ],
      },
      spec: {
        replicas: desired,
        selector,
        template: isNew ? template : { metadata: {}, spec: { containers: [], [unstatedDifference]: name } },
      },
      status: { replicas: current },
      onlyNamed: true,
    });
  return [
    ...replicaSetsIn(statedIn(fields, 'OldReplicaSets', 'OldReplicaSet')).map(stub(false)),
    ...replicaSetsIn(statedIn(fields, 'NewReplicaSet')).map(stub(true)),
  ];
}
