import type { ApiRequest } from '#src/edges/kubernetes/api-call.js';
import { namespace, type WorkloadKind, workloads } from './admission-objects.js';

export const approval = 'rollout-doctor.dev/approval';

const plurals = { Deployment: 'deployments', StatefulSet: 'statefulsets', DaemonSet: 'daemonsets' } as const;

export function pathOf(kind: WorkloadKind): string {
  return `/apis/apps/v1/namespaces/${namespace}/${plurals[kind]}/${workloads[kind]}`;
}

/** A merge patch with a new approval, as in every change of ours. */
export function patch(
  path: string,
  body: { readonly metadata?: object; readonly spec?: object },
): ApiRequest {
  const metadata = { ...body.metadata } as { readonly annotations?: object };
  const annotations = { ...metadata.annotations, [approval]: 'attack-1' };
  return {
    method: 'PATCH',
    path,
    contentType: 'application/merge-patch+json',
    body: { ...body, metadata: { ...metadata, annotations } },
  };
}

type Body = { readonly metadata?: object; readonly spec?: object };
const template = (fields: object): Body => ({ spec: { template: fields } });
const podSpec = (fields: object): Body => template({ spec: fields });
const container = (fields: object): Body =>
  podSpec({ containers: [{ name: 'app', image: 'app:2', ...fields }] });
const volume = (fields: object): Body => podSpec({ volumes: [{ name: 'data', ...fields }] });

/** Fields that no remediation changes, in any kind of workload. */
const onEvery: Readonly<Record<string, Body>> = {
  'a label': { metadata: { labels: { app: 'other' } } },
  'a new label': { metadata: { labels: { team: 'x' } } },
  'a removed label': { metadata: { labels: { app: null } } },
  'a finalizer': { metadata: { finalizers: ['example.com/hold'] } },
  'an owner': {
    metadata: {
      ownerReferences: [
        { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: '00000000-0000-0000-0000-000000000001' },
      ],
    },
  },
  'another annotation': { metadata: { annotations: { team: 'other' } } },
  'a new annotation': { metadata: { annotations: { 'argocd.argoproj.io/sync-options': 'Prune=false' } } },
  'a removed annotation': { metadata: { annotations: { team: null } } },
  minReadySeconds: { spec: { minReadySeconds: 9 } },
  revisionHistoryLimit: { spec: { revisionHistoryLimit: 0 } },
  'two fields at once': {
    spec: { minReadySeconds: 9, template: { metadata: { annotations: { note: 'x' } } } },
  },
  'another ServiceAccount': podSpec({ serviceAccountName: 'admin' }),
  'the network of the node': podSpec({ hostNetwork: true }),
  'the processes of the node': podSpec({ hostPID: true }),
  'the IPC of the node': podSpec({ hostIPC: true }),
  'a node by name': podSpec({ nodeName: 'node-a' }),
  'a path of the node': volume({ emptyDir: null, hostPath: { path: '/' } }),
  'a further volume of the node': podSpec({
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'root', hostPath: { path: '/' } },
    ],
  }),
  'a privileged container': container({ securityContext: { privileged: true } }),
  'a privileged init container': podSpec({
    initContainers: [{ name: 'init', image: 'x', securityContext: { privileged: true } }],
  }),
  'a further privileged container': podSpec({
    containers: [
      { name: 'app', image: 'app:2' },
      { name: 'more', image: 'x', securityContext: { privileged: true } },
    ],
  }),
  'a capability': container({ securityContext: { capabilities: { add: ['SYS_ADMIN'] } } }),
  'a capability of an init container': podSpec({
    initContainers: [{ name: 'init', image: 'x', securityContext: { capabilities: { add: ['NET_ADMIN'] } } }],
  }),
};

const onOne: Readonly<Record<WorkloadKind, Readonly<Record<string, Body>>>> = {
  Deployment: {
    replicas: { spec: { replicas: 0 } },
    progressDeadlineSeconds: { spec: { progressDeadlineSeconds: 700 } },
    'strategy and paused together': {
      spec: { strategy: { type: 'Recreate', rollingUpdate: null }, paused: true },
    },
    'strategy and template together': {
      spec: { paused: true, template: { metadata: { annotations: { note: 'x' } } } },
    },
  },
  StatefulSet: {
    replicas: { spec: { replicas: 0 } },
    updateStrategy: { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } },
    'the partition': { spec: { updateStrategy: { rollingUpdate: { partition: 2 } } } },
    'what becomes of claims': { spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } } },
    'the first ordinal': { spec: { ordinals: { start: 5 } } },
  },
  DaemonSet: {
    'the type of updateStrategy': { spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: null } } },
  },
};

const kinds = Object.keys(workloads) as WorkloadKind[];

export const deniedPatches: readonly (readonly [string, ApiRequest])[] = kinds.flatMap((kind) =>
  Object.entries({ ...onEvery, ...onOne[kind] }).map(
    ([what, body]) => [`${what} of a ${kind}`, patch(pathOf(kind), body)] as const,
  ),
);

/** Changes of a template that only undo-rollout can make. */
export const templatePatches: readonly (readonly [string, ApiRequest])[] = kinds.flatMap((kind) =>
  Object.entries({
    'an image': container({ image: 'evil:1' }),
    'a command': container({ command: ['sh'] }),
    'a variable': container({ env: [{ name: 'MODE', value: 'other' }] }),
    'a secret': volume({ emptyDir: null, secret: { secretName: 'keys' } }),
    'a further container': podSpec({
      containers: [
        { name: 'app', image: 'app:2' },
        { name: 'more', image: 'x' },
      ],
    }),
    'an annotation of the template': template({ metadata: { annotations: { note: 'x' } } }),
    'a label of the template': template({ metadata: { labels: { more: 'x' } } }),
    'a restart at no time': template({
      metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': 'x' } },
    }),
    'a node selector': podSpec({ nodeSelector: { pool: 'x' } }),
    'a toleration': podSpec({ tolerations: [{ operator: 'Exists' }] }),
    'another anti-affinity': podSpec({ affinity: { podAntiAffinity: null } }),
    'a preferred node': podSpec({
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
          ],
        },
      },
    }),
    'a required node': podSpec({
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: ['node-a'] }] },
            ],
          },
        },
      },
    }),
  }).map(([what, body]) => [`${what} of a ${kind}`, patch(pathOf(kind), body)] as const),
);

const event = (fields: object): ApiRequest => ({
  method: 'POST',
  path: `/api/v1/namespaces/${namespace}/events`,
  body: {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'web.attack', namespace },
    involvedObject: { apiVersion: 'apps/v1', kind: 'Deployment', namespace, name: 'web' },
    reason: 'RemediationApplied',
    message: 'approved by U1',
    type: 'Normal',
    source: { component: 'rollout-doctor' },
    reportingComponent: 'rollout-doctor',
    reportingInstance: 'rollout-doctor',
    ...fields,
  },
});

const scalePath = `/apis/apps/v1/namespaces/${namespace}/replicasets/web-h1/scale`;
const scale = (replicas: number): ApiRequest => ({
  method: 'PATCH',
  path: scalePath,
  contentType: 'application/merge-patch+json',
  body: { spec: { replicas } },
});

const podPath = (name: string): string => `/api/v1/namespaces/${namespace}/pods/${name}`;

/** @param versions uid and resourceVersion of each pod */
export function deniedRequests(
  versions: Readonly<Record<string, { readonly uid: string; readonly resourceVersion: string }>>,
): readonly (readonly [string, ApiRequest])[] {
  const remove = (name: string, options: object): ApiRequest => ({
    method: 'DELETE',
    path: podPath(name),
    body: { apiVersion: 'v1', kind: 'DeleteOptions', ...options },
  });
  const preconditions = versions['web-b'];
  return [
    ['a ReplicaSet to none', scale(0)],
    ['a ReplicaSet by two', scale(1)],
    ['a ReplicaSet up', scale(4)],
    ['a ReplicaSet as it is', scale(3)],
    [
      'a label of a ReplicaSet',
      patch(scalePath.replace('/scale', ''), { metadata: { labels: { more: 'x' } } }),
    ],
    ['a pod without preconditions', remove('web-b', {})],
    ['a pod by its uid alone', remove('web-b', { preconditions: { uid: preconditions?.uid } })],
    ['a pod in a hurry', remove('web-b', { preconditions, gracePeriodSeconds: 5 })],
    ['a pod by force', remove('web-b', { preconditions, gracePeriodSeconds: 0 })],
    ['a pod with another policy', remove('web-b', { preconditions, propagationPolicy: 'Orphan' })],
    ['a pod that no controller replaces', remove('alone', { preconditions: versions.alone })],
    ['all pods', { method: 'DELETE', path: `/api/v1/namespaces/${namespace}/pods` }],
    [
      'an image of a pod',
      {
        method: 'PATCH',
        path: podPath('web-b'),
        contentType: 'application/json-patch+json',
        body: [{ op: 'replace', path: '/spec/containers/0/image', value: 'x' }],
      },
    ],
    [
      'an eviction',
      {
        method: 'POST',
        path: `${podPath('web-b')}/eviction`,
        body: { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'web-b', namespace } },
      },
    ],
    ['a Deployment by its scale', { ...scale(1), path: `${pathOf('Deployment')}/scale` }],
    ['a StatefulSet by its scale', { ...scale(1), path: `${pathOf('StatefulSet')}/scale` }],
    [
      'the status of a Deployment',
      { ...patch(`${pathOf('Deployment')}/status`, {}), body: { status: { replicas: 9 } } },
    ],
    ['a deleted Deployment', { method: 'DELETE', path: pathOf('Deployment') }],
    ['a deleted StatefulSet', { method: 'DELETE', path: pathOf('StatefulSet') }],
    ['an Event of another reason', event({ reason: 'Killing' })],
    ['an Event that warns', event({ type: 'Warning' })],
    ['an Event in the name of another component', event({ source: { component: 'kubelet' } })],
    ['an Event about a Secret', event({ involvedObject: { kind: 'Secret', namespace, name: 'keys' } })],
    [
      'a ConfigMap',
      {
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/configmaps`,
        body: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x' } },
      },
    ],
    [
      'a token',
      {
        method: 'POST',
        path: `/api/v1/namespaces/${namespace}/serviceaccounts/default/token`,
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: ['x'] } },
      },
    ],
    [
      'a ClusterRoleBinding',
      {
        method: 'POST',
        path: '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
        body: {
          apiVersion: 'rbac.authorization.k8s.io/v1',
          kind: 'ClusterRoleBinding',
          metadata: { name: 'x' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
        },
      },
    ],
    ['a cordon', patch('/api/v1/nodes/node-a', { spec: { unschedulable: true } })],
  ];
}
