import * as z from 'zod';
import { LabelSelector } from './label-selector.js';
import { Condition, ObjectMeta } from './metadata.js';
import { NodeSelector, NodeSelectorTerm } from './pod-spec.js';
import { defaulted, type Immutable, list, maybe, resourceList } from './wire.js';

export const PersistentVolumeClaim = z.object({
  kind: z.literal('PersistentVolumeClaim').default('PersistentVolumeClaim'),
  metadata: ObjectMeta,
  spec: z.object({
    accessModes: list(z.string()),
    storageClassName: maybe(z.string()),
    volumeName: defaulted(z.string(), ''),
    volumeMode: maybe(z.string()),
    volumeAttributesClassName: maybe(z.string()),
    selector: maybe(LabelSelector),
    resources: maybe(z.object({ requests: resourceList })),
  }),
  status: z
    .object({ phase: defaulted(z.string(), 'Pending'), conditions: list(Condition) })
    .nullish()
    .transform((value) => value ?? { phase: 'Pending', conditions: [] }),
});
export type PersistentVolumeClaim = Immutable<z.output<typeof PersistentVolumeClaim>>;

export const PersistentVolume = z.object({
  kind: z.literal('PersistentVolume').default('PersistentVolume'),
  metadata: ObjectMeta,
  spec: z.object({
    accessModes: list(z.string()),
    capacity: resourceList,
    storageClassName: maybe(z.string()),
    volumeMode: maybe(z.string()),
    volumeAttributesClassName: maybe(z.string()),
    persistentVolumeReclaimPolicy: maybe(z.string()),
    claimRef: maybe(
      z.object({
        namespace: defaulted(z.string(), ''),
        name: defaulted(z.string(), ''),
        uid: defaulted(z.string(), ''),
      }),
    ),
    nodeAffinity: maybe(z.object({ required: maybe(NodeSelector) })),
    csi: maybe(
      z.object({
        driver: z.string(),
        volumeHandle: defaulted(z.string(), ''),
        fsType: defaulted(z.string(), ''),
      }),
    ),
    local: maybe(z.object({ path: z.string() })),
    hostPath: maybe(z.object({ path: z.string() })),
    nfs: maybe(z.object({ server: z.string() })),
  }),
  status: z
    .object({ phase: defaulted(z.string(), 'Available') })
    .nullish()
    .transform((value) => value ?? { phase: 'Available' }),
});
export type PersistentVolume = Immutable<z.output<typeof PersistentVolume>>;

export const StorageClass = z.object({
  kind: z.literal('StorageClass').default('StorageClass'),
  metadata: ObjectMeta,
  provisioner: defaulted(z.string(), ''),
  volumeBindingMode: defaulted(z.string(), 'Immediate'),
  allowedTopologies: list(
    z
      .object({ matchLabelExpressions: list(z.object({ key: z.string(), values: list(z.string()) })) })
      .transform(({ matchLabelExpressions }) => ({
        ...NodeSelectorTerm.parse({
          matchExpressions: matchLabelExpressions.map((expression) => ({ ...expression, operator: 'In' })),
        }),
      })),
  ),
});
export type StorageClass = Immutable<z.output<typeof StorageClass>>;

export const VolumeAttachment = z.object({
  kind: z.literal('VolumeAttachment').default('VolumeAttachment'),
  metadata: ObjectMeta,
  spec: z.object({
    attacher: defaulted(z.string(), ''),
    nodeName: z.string(),
    source: z.object({ persistentVolumeName: maybe(z.string()) }),
  }),
  status: z
    .object({
      attached: defaulted(z.boolean(), false),
      attachError: maybe(z.object({ message: defaulted(z.string(), '') })),
      detachError: maybe(z.object({ message: defaulted(z.string(), '') })),
    })
    .nullish()
    .transform((value) => value ?? { attached: false, attachError: undefined, detachError: undefined }),
});
export type VolumeAttachment = Immutable<z.output<typeof VolumeAttachment>>;

export const CSINode = z.object({
  kind: z.literal('CSINode').default('CSINode'),
  metadata: ObjectMeta,
  spec: z.object({
    drivers: list(
      z.object({
        name: z.string(),
        nodeID: defaulted(z.string(), ''),
        topologyKeys: list(z.string()),
        allocatable: maybe(z.object({ count: maybe(z.number()) })),
      }),
    ),
  }),
});
export type CSINode = Immutable<z.output<typeof CSINode>>;

export const CSIDriver = z.object({
  kind: z.literal('CSIDriver').default('CSIDriver'),
  metadata: ObjectMeta,
  spec: z.object({
    attachRequired: defaulted(z.boolean(), true),
    storageCapacity: defaulted(z.boolean(), false),
    /** Whether the kubelet sets the group of the files: `None`, `File` or by access mode and file system. */
    fsGroupPolicy: defaulted(z.string(), 'ReadWriteOnceWithFSType'),
    /** Since 1.37; older servers drop it. */
    preventPodSchedulingIfMissing: defaulted(z.boolean(), false),
  }),
});
export type CSIDriver = Immutable<z.output<typeof CSIDriver>>;
