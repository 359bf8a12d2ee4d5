import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import { apiVersionOf, kindNamed, type WorkloadKind, workloadKinds } from '../../engine/objects/workload.js';

interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespaced: boolean;
}

function path(groupVersion: string, plural: string, namespaced: boolean): ResourcePath {
  const [group = '', version = ''] = groupVersion.includes('/')
    ? groupVersion.split('/')
    : ['', groupVersion];
  return { group, version, plural, namespaced };
}

const workloadPaths = Object.fromEntries(
  workloadKinds.map((kind) => [kind, path(apiVersionOf(kind), kindNamed(kind).plural, true)]),
) as Readonly<Record<WorkloadKind, ResourcePath>>;

/** Where the API serves each kind. */
export const resourcePaths: { readonly [Kind in ResourceKind]: ResourcePath } = {
  ...workloadPaths,
  Revision: path('serving.knative.dev/v1', 'revisions', true),
  ReplicaSet: path('apps/v1', 'replicasets', true),
  ControllerRevision: path('apps/v1', 'controllerrevisions', true),
  Pod: path('v1', 'pods', true),
  Node: path('v1', 'nodes', false),
  Event: path('v1', 'events', true),
  Namespace: path('v1', 'namespaces', false),
  ConfigMap: path('v1', 'configmaps', true),
  Secret: path('v1', 'secrets', true),
  Service: path('v1', 'services', true),
  Endpoints: path('v1', 'endpoints', true),
  EndpointSlice: path('discovery.k8s.io/v1', 'endpointslices', true),
  PersistentVolumeClaim: path('v1', 'persistentvolumeclaims', true),
  PersistentVolume: path('v1', 'persistentvolumes', false),
  StorageClass: path('storage.k8s.io/v1', 'storageclasses', false),
  VolumeAttachment: path('storage.k8s.io/v1', 'volumeattachments', false),
  CSINode: path('storage.k8s.io/v1', 'csinodes', false),
  CSIDriver: path('storage.k8s.io/v1', 'csidrivers', false),
  ResourceQuota: path('v1', 'resourcequotas', true),
  LimitRange: path('v1', 'limitranges', true),
  PriorityClass: path('scheduling.k8s.io/v1', 'priorityclasses', false),
  PodDisruptionBudget: path('policy/v1', 'poddisruptionbudgets', true),
  HorizontalPodAutoscaler: path('autoscaling/v2', 'horizontalpodautoscalers', true),
  Lease: path('coordination.k8s.io/v1', 'leases', true),
  ResourceClaim: path('resource.k8s.io/v1', 'resourceclaims', true),
  ResourceClaimTemplate: path('resource.k8s.io/v1', 'resourceclaimtemplates', true),
  ResourceSlice: path('resource.k8s.io/v1', 'resourceslices', false),
  DeviceClass: path('resource.k8s.io/v1', 'deviceclasses', false),
  DeviceTaintRule: path('resource.k8s.io/v1', 'devicetaintrules', false),
  NodeClaim: path('karpenter.sh/v1', 'nodeclaims', false),
  NodePool: path('karpenter.sh/v1', 'nodepools', false),
  Workload: path('kueue.x-k8s.io/v1beta2', 'workloads', true),
  LocalQueue: path('kueue.x-k8s.io/v1beta2', 'localqueues', true),
  ClusterQueue: path('kueue.x-k8s.io/v1beta2', 'clusterqueues', false),
  Cohort: path('kueue.x-k8s.io/v1beta2', 'cohorts', false),
  ResourceFlavor: path('kueue.x-k8s.io/v1beta2', 'resourceflavors', false),
  VerticalPodAutoscaler: path('autoscaling.k8s.io/v1', 'verticalpodautoscalers', true),
  PodGroup: path('scheduling.volcano.sh/v1beta1', 'podgroups', true),
  Application: path('argoproj.io/v1alpha1', 'applications', true),
  Kustomization: path('kustomize.toolkit.fluxcd.io/v1', 'kustomizations', true),
  HelmRelease: path('helm.toolkit.fluxcd.io/v2', 'helmreleases', true),
  GitRepository: path('source.toolkit.fluxcd.io/v1', 'gitrepositories', true),
  InferenceService: path('serving.kserve.io/v1beta1', 'inferenceservices', true),
  LLMInferenceService: path('serving.kserve.io/v1alpha2', 'llminferenceservices', true),
};

/** The version that older releases serve in place of today's. */
const olderVersions: Readonly<Record<string, string>> = {
  'kueue.x-k8s.io/v1beta2': 'kueue.x-k8s.io/v1beta1',
};

/** `undefined` where the cluster has no other version of the kind. */
export function olderVersionOf(kind: ResourceKind): string | undefined {
  const { group, version } = resourcePaths[kind];
  return olderVersions[`${group}/${version}`];
}

/** The PodGroups of other schedulers than Volcano, as `group/version`. */
export const otherPodGroups = {
  Coscheduling: 'scheduling.x-k8s.io/v1alpha1',
  Kubernetes: 'scheduling.k8s.io/v1beta1',
} as const;

/** Other APIs that serve objects of this kind beside its own, as `group/version`. */
export const otherApis: { readonly [Kind in ResourceKind]?: readonly string[] } = {
  PodGroup: Object.values(otherPodGroups),
};

/**
 * `/api/v1/namespaces/shop/pods`; all namespaces when `namespace` is ''.
 *
 * @param api another `group/version` than that of the kind
 */
export function collectionPath(kind: ResourceKind, namespace: string, api?: string): string {
  const { group, version, plural, namespaced } = resourcePaths[kind];
  const root = group === '' ? `/api/${version}` : `/apis/${api ?? `${group}/${version}`}`;
  const scope = namespaced && namespace !== '' ? `/namespaces/${encodeURIComponent(namespace)}` : '';
  return `${root}${scope}/${plural}`;
}

export function objectPath(kind: ResourceKind, namespace: string, name: string, api?: string): string {
  return `${collectionPath(kind, namespace, api)}/${encodeURIComponent(name)}`;
}
