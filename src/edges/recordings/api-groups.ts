import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import { apiGroupOf, kindNamed, type WorkloadKind, workloadKinds } from '../../engine/objects/workload.js';

const ofWorkloads = Object.fromEntries(
  workloadKinds.map((kind): [WorkloadKind, readonly string[]] => [
    kind,
    [apiGroupOf(kind)[0], ...(kindNamed(kind).formerGroups ?? [])],
  ]),
) as Readonly<Record<WorkloadKind, readonly string[]>>;

/** API groups under which a kind is the one that the model knows; the first is today's. */
const groups: Readonly<Record<ResourceKind, readonly string[]>> = {
  ...ofWorkloads,
  Revision: ['serving.knative.dev'],
  ReplicaSet: ['apps', 'extensions'],
  ControllerRevision: ['apps'],
  Pod: [''],
  Node: [''],
  Event: ['', 'events.k8s.io'],
  Namespace: [''],
  ConfigMap: [''],
  Secret: [''],
  Service: [''],
  Endpoints: [''],
  EndpointSlice: ['discovery.k8s.io'],
  PersistentVolumeClaim: [''],
  PersistentVolume: [''],
  StorageClass: ['storage.k8s.io'],
  VolumeAttachment: ['storage.k8s.io'],
  CSINode: ['storage.k8s.io'],
  CSIDriver: ['storage.k8s.io'],
  ResourceQuota: [''],
  LimitRange: [''],
  PriorityClass: ['scheduling.k8s.io'],
  PodDisruptionBudget: ['policy'],
  HorizontalPodAutoscaler: ['autoscaling'],
  Lease: ['coordination.k8s.io'],
  ResourceClaim: ['resource.k8s.io'],
  ResourceClaimTemplate: ['resource.k8s.io'],
  ResourceSlice: ['resource.k8s.io'],
  DeviceClass: ['resource.k8s.io'],
  DeviceTaintRule: ['resource.k8s.io'],
  NodeClaim: ['karpenter.sh'],
  NodePool: ['karpenter.sh'],
  Workload: ['kueue.x-k8s.io'],
  LocalQueue: ['kueue.x-k8s.io'],
  ClusterQueue: ['kueue.x-k8s.io'],
  Cohort: ['kueue.x-k8s.io'],
  ResourceFlavor: ['kueue.x-k8s.io'],
  VerticalPodAutoscaler: ['autoscaling.k8s.io'],
  PodGroup: ['scheduling.volcano.sh', 'scheduling.x-k8s.io', 'scheduling.k8s.io'],
  Application: ['argoproj.io'],
  Kustomization: ['kustomize.toolkit.fluxcd.io'],
  HelmRelease: ['helm.toolkit.fluxcd.io'],
  GitRepository: ['source.toolkit.fluxcd.io'],
  InferenceService: ['serving.kserve.io'],
  LLMInferenceService: ['serving.kserve.io'],
};

/**
 * False for a kind of the same name that is somebody else's, such as OpenKruise's StatefulSet
 * (`apps.kruise.io`): its controller follows other rules. Objects without an apiVersion are taken for what
 * their kind says.
 */
export function isOfKnownGroup(kind: ResourceKind, apiVersion: unknown): boolean {
  if (typeof apiVersion !== 'string' || apiVersion === '') return true;
  const slash = apiVersion.indexOf('/');
  return groups[kind].includes(slash < 0 ? '' : apiVersion.slice(0, slash));
}
