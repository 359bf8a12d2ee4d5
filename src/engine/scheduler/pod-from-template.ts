import { ObjectMeta, type OwnerReference } from '../objects/metadata.js';
import { type Pod, PodStatus } from '../objects/pod.js';
import type { Affinity, PodSpec, PodTemplate, Toleration } from '../objects/pod-spec.js';
import type { PriorityClass } from '../objects/policy.js';
import { withPodDefaults } from './pod-defaults.js';

/** Who the pod would be. */
export interface PodIdentity {
  readonly namespace: string;
  readonly name: string;
  /** Besides the template's own, e.g. `pod-template-hash`. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly ownerRef?: OwnerReference;
  /** Already assigned: for `Placement.with({ add })`. */
  readonly nodeName?: string;
  /**
   * The node a DaemonSet pod is made for: it is bound to it by affinity and tolerates the node's usual
   * troubles.
   */
  readonly daemonSetNode?: string;
  /** Names of a StatefulSet's volumeClaimTemplates: each becomes a volume with claim `<template>-<pod>`. */
  readonly claimTemplates?: readonly string[];
  /** With these, priority and preemptionPolicy are set as admission would. */
  readonly priorityClasses?: readonly PriorityClass[];
}

/**
 * The pod that a controller would make from the template, as the API server would store it: defaults of
 * requests, host ports and tolerations applied. Its uid is empty, status Pending. LimitRange defaults are not
 * applied.
 */
export function podFromTemplate(
  template: Pick<PodTemplate, 'metadata' | 'spec'>,
  identity: PodIdentity,
): Pod {
  const { namespace, name, ownerRef } = identity;
  const metadata = {
    ...ObjectMeta.parse({}),
    namespace,
    name,
    labels: { ...template.metadata.labels, ...identity.labels },
    annotations: template.metadata.annotations,
    ownerReferences: ownerRef === undefined ? [] : [ownerRef],
  };
  const spec = withPodDefaults({
    ...template.spec,
    nodeName: identity.nodeName,
    affinity: affinityOf(template.spec, identity.daemonSetNode),
    tolerations: tolerationsOf(template.spec, identity.daemonSetNode !== undefined),
    volumes: [...template.spec.volumes, ...claimVolumes(identity)],
    ...priorityOf(template.spec, identity.priorityClasses),
  });
  return { kind: 'Pod', metadata, spec, status: PodStatus.parse({}) };
}

const exists = (key: string, effect: string): Toleration => ({
  key,
  operator: 'Exists',
  value: '',
  effect,
  tolerationSeconds: undefined,
});

const NOT_READY = 'node.kubernetes.io/not-ready';
const UNREACHABLE = 'node.kubernetes.io/unreachable';

/** `daemon_controller_utils: AddOrUpdateDaemonPodTolerations`; others get 300 s by admission. */
function tolerationsOf(spec: PodSpec, daemon: boolean): readonly Toleration[] {
  if (!daemon) {
    const added = [NOT_READY, UNREACHABLE]
      .filter(
        (key) =>
          !spec.tolerations.some(
            (own) => (own.key === key || own.key === '') && (own.effect === 'NoExecute' || own.effect === ''),
          ),
      )
      .map((key) => ({ ...exists(key, 'NoExecute'), tolerationSeconds: 300 }));
    return [...spec.tolerations, ...added];
  }
  return [
    ...spec.tolerations,
    exists(NOT_READY, 'NoExecute'),
    exists(UNREACHABLE, 'NoExecute'),
    ...['disk-pressure', 'memory-pressure', 'pid-pressure', 'unschedulable'].map((trouble) =>
      exists(`node.kubernetes.io/${trouble}`, 'NoSchedule'),
    ),
    ...(spec.hostNetwork ? [exists('node.kubernetes.io/network-unavailable', 'NoSchedule')] : []),
  ];
}

/** The controller has checked the template's own node affinity and puts the node's name in its place. */
function affinityOf(spec: PodSpec, daemonSetNode: string | undefined): Affinity | undefined {
  if (daemonSetNode === undefined) return spec.affinity;
  const byName = { key: 'metadata.name', operator: 'In', values: [daemonSetNode] };
  return {
    podAffinity: spec.affinity?.podAffinity,
    podAntiAffinity: spec.affinity?.podAntiAffinity,
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [], matchFields: [byName] }],
      },
    },
  };
}

function claimVolumes({ name, claimTemplates = [] }: PodIdentity): PodSpec['volumes'] {
  return claimTemplates.map((template) => ({
    name: template,
    persistentVolumeClaim: { claimName: `${template}-${name}`, readOnly: false },
    ephemeral: undefined,
    emptyDir: undefined,
    configMap: undefined,
    secret: undefined,
    projected: undefined,
    hostPath: undefined,
    nfs: undefined,
    image: undefined,
    csi: undefined,
    gcePersistentDisk: undefined,
    awsElasticBlockStore: undefined,
    iscsi: undefined,
    rbd: undefined,
  }));
}

const BUILT_IN: Readonly<Record<string, number>> = {
  'system-node-critical': 2_000_001_000,
  'system-cluster-critical': 2_000_000_000,
};

function priorityOf(
  spec: PodSpec,
  classes: readonly PriorityClass[] | undefined,
): Pick<PodSpec, 'priority' | 'preemptionPolicy'> {
  const { priority, preemptionPolicy, priorityClassName } = spec;
  if (priority !== undefined || classes === undefined) return { priority, preemptionPolicy };
  const named = classes.find(({ metadata, globalDefault }) =>
    priorityClassName === undefined ? globalDefault : metadata.name === priorityClassName,
  );
  return {
    priority: named?.value ?? BUILT_IN[priorityClassName ?? ''] ?? 0,
    preemptionPolicy: preemptionPolicy ?? named?.preemptionPolicy,
  };
}
