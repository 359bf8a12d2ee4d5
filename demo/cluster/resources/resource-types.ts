import {
  autoscalerColumns,
  configMapColumns,
  controllerRevisionColumns,
  eventColumns,
  leaseColumns,
  namespaceColumns,
  nodeColumns,
  podDisruptionBudgetColumns,
  priorityClassColumns,
  resourceQuotaColumns,
  secretColumns,
  serviceColumns,
} from '../tables/cluster-columns.js';
import { podColumns } from '../tables/pod-columns.js';
import {
  attachmentColumns,
  claimColumns,
  csiNodeColumns,
  storageClassColumns,
  volumeColumns,
} from '../tables/storage-columns.js';
import {
  daemonSetColumns,
  deploymentColumns,
  jobColumns,
  replicaSetColumns,
  statefulSetColumns,
} from '../tables/workload-columns.js';
import { eventConversion } from './event-conversion.js';
import {
  applyAutoscalerDefaults,
  applyClaimDefaults,
  applyEventDefaults,
  applyNamespaceDefaults,
  applyNodeDefaults,
  applyPriorityClassDefaults,
  applySecretDefaults,
  applyServiceDefaults,
  applyStorageClassDefaults,
  applyVolumeDefaults,
} from './object-defaults.js';
import { applyPodDefaults } from './pod-defaults.js';
import { clusterScoped, device, resource, storageOf, workload } from './resource-row.js';
import type { ResourceType } from './resource-type.js';
import {
  eventFields,
  namespaceFields,
  newEventFields,
  nodeFields,
  podFields,
  replicaSetFields,
  secretFields,
} from './selectable-fields.js';
import { validatePod } from './validate-pod.js';
import {
  validateDaemonSet,
  validateDeployment,
  validateReplicaSet,
  validateStatefulSet,
} from './validate-workload.js';
import {
  applyDaemonSetDefaults,
  applyDeploymentDefaults,
  applyReplicaSetDefaults,
  applyStatefulSetDefaults,
} from './workload-defaults.js';

/** Every resource that the local cluster serves. */
export const resourceTypes: readonly ResourceType[] = [
  resource('v1', 'namespaces', 'Namespace', {
    namespaced: false,
    shortNames: ['ns'],
    subresources: ['status', 'finalize'],
    applyDefaults: applyNamespaceDefaults,
    selectableFields: namespaceFields,
    columns: namespaceColumns,
  }),
  resource('v1', 'nodes', 'Node', {
    namespaced: false,
    shortNames: ['no'],
    subresources: ['status'],
    applyDefaults: applyNodeDefaults,
    selectableFields: nodeFields,
    columns: nodeColumns,
  }),
  resource('v1', 'pods', 'Pod', {
    shortNames: ['po'],
    categories: ['all'],
    subresources: ['status', 'log', 'eviction', 'binding'],
    countsGenerations: true,
    gracefulDeletion: true,
    applyDefaults: applyPodDefaults,
    validate: validatePod,
    selectableFields: podFields,
    columns: podColumns,
  }),
  resource('v1', 'events', 'Event', {
    shortNames: ['ev'],
    applyDefaults: applyEventDefaults,
    selectableFields: eventFields,
    columns: eventColumns,
  }),
  resource('v1', 'configmaps', 'ConfigMap', { shortNames: ['cm'], columns: configMapColumns }),
  resource('v1', 'secrets', 'Secret', {
    applyDefaults: applySecretDefaults,
    selectableFields: secretFields,
    columns: secretColumns,
  }),
  resource('v1', 'services', 'Service', {
    shortNames: ['svc'],
    categories: ['all'],
    subresources: ['status'],
    applyDefaults: applyServiceDefaults,
    columns: serviceColumns,
  }),
  resource('v1', 'endpoints', 'Endpoints', { shortNames: ['ep'] }),
  resource('v1', 'serviceaccounts', 'ServiceAccount', { shortNames: ['sa'] }),
  resource('v1', 'persistentvolumes', 'PersistentVolume', {
    namespaced: false,
    shortNames: ['pv'],
    subresources: ['status'],
    applyDefaults: applyVolumeDefaults,
    columns: volumeColumns,
  }),
  resource('v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', {
    shortNames: ['pvc'],
    subresources: ['status'],
    applyDefaults: applyClaimDefaults,
    columns: claimColumns,
  }),
  resource('v1', 'resourcequotas', 'ResourceQuota', {
    shortNames: ['quota'],
    subresources: ['status'],
    columns: resourceQuotaColumns,
  }),
  resource('v1', 'limitranges', 'LimitRange', { shortNames: ['limits'] }),
  resource('v1', 'services', 'Service', {
    shortNames: ['svc'],
    categories: ['all'],
    subresources: ['status'],
  }),
  resource('discovery.k8s.io/v1', 'endpointslices', 'EndpointSlice'),
  resource('apps/v1', 'deployments', 'Deployment', {
    ...workload,
    shortNames: ['deploy'],
    applyDefaults: applyDeploymentDefaults,
    validate: validateDeployment,
    columns: deploymentColumns,
  }),
  resource('apps/v1', 'replicasets', 'ReplicaSet', {
    ...workload,
    shortNames: ['rs'],
    applyDefaults: applyReplicaSetDefaults,
    validate: validateReplicaSet,
    selectableFields: replicaSetFields,
    columns: replicaSetColumns,
  }),
  resource('apps/v1', 'statefulsets', 'StatefulSet', {
    ...workload,
    shortNames: ['sts'],
    applyDefaults: applyStatefulSetDefaults,
    validate: validateStatefulSet,
    columns: statefulSetColumns,
  }),
  resource('apps/v1', 'daemonsets', 'DaemonSet', {
    ...workload,
    shortNames: ['ds'],
    subresources: ['status'],
    applyDefaults: applyDaemonSetDefaults,
    validate: validateDaemonSet,
    columns: daemonSetColumns,
  }),
  resource('apps/v1', 'controllerrevisions', 'ControllerRevision', { columns: controllerRevisionColumns }),
  resource('batch/v1', 'jobs', 'Job', {
    categories: ['all'],
    subresources: ['status'],
    countsGenerations: true,
    columns: jobColumns,
  }),
  resource('batch/v1', 'cronjobs', 'CronJob', {
    shortNames: ['cj'],
    categories: ['all'],
    subresources: ['status'],
  }),
  resource('events.k8s.io/v1', 'events', 'Event', {
    shortNames: ['ev'],
    storage: storageOf('', 'events'),
    applyDefaults: applyEventDefaults,
    selectableFields: newEventFields,
    columns: eventColumns,
    convert: eventConversion,
  }),
  resource('storage.k8s.io/v1', 'storageclasses', 'StorageClass', {
    namespaced: false,
    shortNames: ['sc'],
    applyDefaults: applyStorageClassDefaults,
    columns: storageClassColumns,
  }),
  resource('storage.k8s.io/v1', 'csinodes', 'CSINode', { ...clusterScoped, columns: csiNodeColumns }),
  resource('storage.k8s.io/v1', 'csidrivers', 'CSIDriver', clusterScoped),
  resource('storage.k8s.io/v1', 'volumeattachments', 'VolumeAttachment', {
    namespaced: false,
    subresources: ['status'],
    columns: attachmentColumns,
  }),
  resource('policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget', {
    shortNames: ['pdb'],
    countsGenerations: true,
    subresources: ['status'],
    columns: podDisruptionBudgetColumns,
  }),
  resource('autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    shortNames: ['hpa'],
    categories: ['all'],
    subresources: ['status'],
    applyDefaults: applyAutoscalerDefaults,
    columns: autoscalerColumns,
  }),
  resource('coordination.k8s.io/v1', 'leases', 'Lease', { columns: leaseColumns }),
  resource('scheduling.k8s.io/v1', 'priorityclasses', 'PriorityClass', {
    namespaced: false,
    shortNames: ['pc'],
    applyDefaults: applyPriorityClassDefaults,
    columns: priorityClassColumns,
  }),
  resource('resource.k8s.io/v1', 'deviceclasses', 'DeviceClass', { ...device, namespaced: false }),
  resource('resource.k8s.io/v1', 'resourceclaims', 'ResourceClaim', { ...device, subresources: ['status'] }),
  resource('resource.k8s.io/v1', 'resourceclaimtemplates', 'ResourceClaimTemplate', device),
  resource('resource.k8s.io/v1', 'resourceslices', 'ResourceSlice', { ...device, namespaced: false }),
  resource('argoproj.io/v1alpha1', 'applications', 'Application', { shortNames: ['app', 'apps'] }),
  resource('kustomize.toolkit.fluxcd.io/v1', 'kustomizations', 'Kustomization', { shortNames: ['ks'] }),
  resource('helm.toolkit.fluxcd.io/v2', 'helmreleases', 'HelmRelease', { shortNames: ['hr'] }),
  resource('source.toolkit.fluxcd.io/v1', 'gitrepositories', 'GitRepository', { shortNames: ['gitrepo'] }),
  resource('karpenter.sh/v1', 'nodepools', 'NodePool', { namespaced: false }),
  resource('kueue.x-k8s.io/v1beta2', 'workloads', 'Workload', {
    shortNames: ['wl'],
    subresources: ['status'],
  }),
  resource('kueue.x-k8s.io/v1beta2', 'localqueues', 'LocalQueue', { subresources: ['status'] }),
  resource('kueue.x-k8s.io/v1beta2', 'clusterqueues', 'ClusterQueue', {
    ...clusterScoped,
    shortNames: ['cq'],
    subresources: ['status'],
  }),
  resource('kueue.x-k8s.io/v1beta2', 'resourceflavors', 'ResourceFlavor', clusterScoped),
  resource('kueue.x-k8s.io/v1beta2', 'cohorts', 'Cohort', clusterScoped),
  resource('scheduling.volcano.sh/v1beta1', 'podgroups', 'PodGroup', { subresources: ['status'] }),
  resource('scheduling.x-k8s.io/v1alpha1', 'podgroups', 'PodGroup', { subresources: ['status'] }),
  resource('scheduling.k8s.io/v1beta1', 'podgroups', 'PodGroup', { subresources: ['status'] }),
  resource('authorization.k8s.io/v1', 'selfsubjectaccessreviews', 'SelfSubjectAccessReview', {
    namespaced: false,
    isReview: true,
  }),
  resource('authorization.k8s.io/v1', 'selfsubjectrulesreviews', 'SelfSubjectRulesReview', {
    namespaced: false,
    isReview: true,
  }),
];

const byPath = new Map(resourceTypes.map((type) => [`${type.group}/${type.version}/${type.plural}`, type]));
const byKind = new Map(
  resourceTypes.map((type) => [
    `${type.group === '' ? type.version : `${type.group}/${type.version}`} ${type.kind}`,
    type,
  ]),
);

export function resourceTypeAt(group: string, version: string, plural: string): ResourceType | undefined {
  return byPath.get(`${group}/${version}/${plural}`);
}

/** The type of an object by its `apiVersion` and `kind`. */
export function resourceTypeOfKind(apiVersion: string, kind: string): ResourceType | undefined {
  return byKind.get(`${apiVersion} ${kind}`);
}

/** @throws when the table has no such resource: a mistake in this program */
export function requireResourceType(group: string, plural: string): ResourceType {
  const found = resourceTypes.find((type) => type.group === group && type.plural === plural);
  if (found === undefined) throw new Error(`the local cluster serves no ${plural} in group "${group}"`);
  return found;
}
