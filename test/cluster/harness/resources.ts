/** Where the API serves a kind. */
export interface Resource {
  readonly apiVersion: string;
  readonly plural: string;
  readonly namespaced: boolean;
  /** Served only where a test has created its definition. */
  readonly isOptional?: boolean;
  /** Where the API has the kind under another name. */
  readonly apiKind?: string;
}

const core = (plural: string, namespaced: boolean): Resource => ({ apiVersion: 'v1', plural, namespaced });
const group = (apiVersion: string, plural: string, namespaced: boolean): Resource => ({
  apiVersion,
  plural,
  namespaced,
});

/** Every kind that the tests watch or record, in the order of a recorded list. */
export const resources = {
  Namespace: core('namespaces', false),
  Node: core('nodes', false),
  Pod: core('pods', true),
  Event: core('events', true),
  PersistentVolumeClaim: core('persistentvolumeclaims', true),
  PersistentVolume: core('persistentvolumes', false),
  ResourceQuota: core('resourcequotas', true),
  LimitRange: core('limitranges', true),
  ConfigMap: core('configmaps', true),
  Service: core('services', true),
  EndpointSlice: group('discovery.k8s.io/v1', 'endpointslices', true),
  ServiceAccount: core('serviceaccounts', true),
  Deployment: group('apps/v1', 'deployments', true),
  ReplicaSet: group('apps/v1', 'replicasets', true),
  StatefulSet: group('apps/v1', 'statefulsets', true),
  DaemonSet: group('apps/v1', 'daemonsets', true),
  ControllerRevision: group('apps/v1', 'controllerrevisions', true),
  HorizontalPodAutoscaler: group('autoscaling/v2', 'horizontalpodautoscalers', true),
  PodDisruptionBudget: group('policy/v1', 'poddisruptionbudgets', true),
  PriorityClass: group('scheduling.k8s.io/v1', 'priorityclasses', false),
  Lease: group('coordination.k8s.io/v1', 'leases', true),
  StorageClass: group('storage.k8s.io/v1', 'storageclasses', false),
  CSINode: group('storage.k8s.io/v1', 'csinodes', false),
  CSIDriver: group('storage.k8s.io/v1', 'csidrivers', false),
  VolumeAttachment: group('storage.k8s.io/v1', 'volumeattachments', false),
  DeviceClass: group('resource.k8s.io/v1', 'deviceclasses', false),
  ResourceSlice: group('resource.k8s.io/v1', 'resourceslices', false),
  DeviceTaintRule: {
    ...group('resource.k8s.io/v1', 'devicetaintrules', false),
    isOptional: true,
  },
  ResourceClaim: group('resource.k8s.io/v1', 'resourceclaims', true),
  ResourceClaimTemplate: group('resource.k8s.io/v1', 'resourceclaimtemplates', true),
  LeaderWorkerSet: {
    ...group('leaderworkerset.x-k8s.io/v1', 'leaderworkersets', true),
    isOptional: true,
  },
  KnativeService: {
    ...group('serving.knative.dev/v1', 'services', true),
    isOptional: true,
    apiKind: 'Service',
  },
  Revision: { ...group('serving.knative.dev/v1', 'revisions', true), isOptional: true },
  RayService: { ...group('ray.io/v1', 'rayservices', true), isOptional: true },
  DynamoGraphDeployment: {
    ...group('nvidia.com/v1beta1', 'dynamographdeployments', true),
    isOptional: true,
  },
  InferenceService: { ...group('serving.kserve.io/v1beta1', 'inferenceservices', true), isOptional: true },
  LLMInferenceService: {
    ...group('serving.kserve.io/v1alpha2', 'llminferenceservices', true),
    isOptional: true,
  },
  Rollout: { ...group('argoproj.io/v1alpha1', 'rollouts', true), isOptional: true },
  Workload: { ...group('kueue.x-k8s.io/v1beta2', 'workloads', true), isOptional: true },
  LocalQueue: { ...group('kueue.x-k8s.io/v1beta2', 'localqueues', true), isOptional: true },
  ClusterQueue: { ...group('kueue.x-k8s.io/v1beta2', 'clusterqueues', false), isOptional: true },
  AdmissionCheck: { ...group('kueue.x-k8s.io/v1beta2', 'admissionchecks', false), isOptional: true },
  Cohort: { ...group('kueue.x-k8s.io/v1beta2', 'cohorts', false), isOptional: true },
  PodGroup: { ...group('scheduling.volcano.sh/v1beta1', 'podgroups', true), isOptional: true },
  NativePodGroup: {
    ...group('scheduling.k8s.io/v1beta1', 'podgroups', true),
    isOptional: true,
    apiKind: 'PodGroup',
  },
  ResourceFlavor: { ...group('kueue.x-k8s.io/v1beta2', 'resourceflavors', false), isOptional: true },
} as const satisfies Readonly<Record<string, Resource>>;

export type Kind = keyof typeof resources;
export const kinds = Object.keys(resources) as Kind[];

/** The path of a collection; without a namespace, that of all namespaces. */
export function collectionPath(kind: Kind, namespace?: string): string {
  const { apiVersion, plural, namespaced }: Resource = resources[kind];
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  return namespaced && namespace !== undefined
    ? `${root}/namespaces/${namespace}/${plural}`
    : `${root}/${plural}`;
}
