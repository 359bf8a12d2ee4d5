import type { Expected } from './expected.js';

/** Messages of kube-scheduler about claims and volumes. */
export const sentencesAboutVolumes: readonly Expected[] = [
  {
    says: '0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims. not found',
    nodes: '0/2',
    reasons: ['unbound-pvc'],
  },
  {
    says: '0/14 nodes are available: pod has unbound immediate PersistentVolumeClaims. preemption: 0/14 nodes are available: 14 Preemption is not helpful for scheduling.',
    nodes: '0/14',
    reasons: ['unbound-pvc'],
    preemption: ['14 not-helpful'],
  },
  {
    says: '0/3 nodes are available: 3 pod has unbound immediate PersistentVolumeClaims.',
    nodes: '0/3',
    reasons: ['3 unbound-pvc'],
  },
  {
    says: '0/1 nodes are available: 1 pod has unbound immediate PersistentVolumeClaims. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    nodes: '0/1',
    reasons: ['1 unbound-pvc'],
    preemption: ['1 not-helpful'],
  },
  { says: 'pod has unbound immediate PersistentVolumeClaims (repeated 2 times)', reasons: ['unbound-pvc'] },
  { says: 'pod has unbound PersistentVolumeClaims', reasons: ['unbound-pvc'] },
  {
    says: '0/3 nodes are available: persistentvolumeclaim "mongodb-pvc" not found. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    nodes: '0/3',
    reasons: ['pvc-missing mongodb-pvc'],
    preemption: ['3 not-helpful'],
  },
  {
    says: '0/3 nodes are available: persistentvolumeclaim "data.v1" not found. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod..',
    nodes: '0/3',
    reasons: ['pvc-missing data.v1'],
    preemption: ['3 no-victims'],
  },
  {
    says: '0/1 nodes are available: persistentvolumeclaim "random-generator-log" not found. not found',
    nodes: '0/1',
    reasons: ['pvc-missing random-generator-log'],
  },
  {
    says: '0/1 nodes are available: 1 persistentvolumeclaim "example-pvc" not found. preemption: 0/1 nodes are available: 1 Preemption is not helpful for scheduling.',
    nodes: '0/1',
    reasons: ['1 pvc-missing example-pvc'],
    preemption: ['1 not-helpful'],
  },
  { says: 'persistentvolumeclaim "ebs-claim-auto" not found', reasons: ['pvc-missing ebs-claim-auto'] },
  {
    says: '0/3 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "fiopod-ephemeralvolume". preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling..',
    nodes: '0/3',
    reasons: ['pvc-missing fiopod-ephemeralvolume'],
    preemption: ['3 not-helpful'],
  },
  {
    says: '0/3 nodes are available: persistentvolumeclaim "old" is being deleted. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    nodes: '0/3',
    reasons: ['pvc-missing old'],
    preemption: ['3 not-helpful'],
  },
  {
    says: '0/3 nodes are available: persistentvolumeclaim "db" bound to non-existent persistentvolume "pv-7". preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    nodes: '0/3',
    reasons: ['lost-pv db'],
    preemption: ['3 not-helpful'],
  },
  {
    says: '0/3 nodes are available: 3 node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s). preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    nodes: '0/3',
    reasons: ['3 lost-pv'],
    preemption: ['3 not-helpful'],
  },
  {
    says: '0/3 nodes are available: 3 pvc(s) bound to non-existent pv(s).',
    nodes: '0/3',
    reasons: ['3 lost-pv'],
  },
  {
    says: '0/3 nodes are available: persistentvolume "pv-7" not found. not found',
    nodes: '0/3',
    reasons: ['lost-pv pv-7'],
  },
  {
    says: '0/3 nodes are available: storageclass.storage.k8s.io "fast-ssd" not found. not found',
    nodes: '0/3',
    reasons: ['unbound-pvc fast-ssd'],
  },
  {
    says: '0/3 nodes are available: 1 node(s) had volume node affinity conflict, 2 node(s) had no available volume zone.',
    nodes: '0/3',
    reasons: ['1 volume-affinity', '2 volume-zone'],
  },
  {
    says: "0/3 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, 2 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
    nodes: '0/3',
    reasons: ['1 volume-affinity', '2 node-affinity'],
    preemption: ['3 not-helpful'],
  },
  {
    says: '0/4 nodes are available: 1 node(s) had no available volume zone, 1 node(s) were unschedulable, 2 node(s) had volume node affinity conflict. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.',
    nodes: '0/4',
    reasons: ['1 volume-zone', '1 cordoned', '2 volume-affinity'],
    preemption: ['4 not-helpful'],
  },
  {
    says: "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.",
    nodes: '0/1',
    reasons: ['1 no-pv'],
  },
  {
    says: '0/4 nodes are available: 1 node(s) had untolerated taint {node-role.kubernetes.io/control-plane: }, 3 node(s) did not have enough free storage. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling..',
    nodes: '0/4',
    reasons: ['1 taint node-role.kubernetes.io/control-plane', '3 no-pv'],
    preemption: ['4 not-helpful'],
  },
  {
    says: '0/12 nodes are available: 12 node(s) exceed max volume count',
    nodes: '0/12',
    reasons: ['12 max-volumes'],
  },
  {
    says: '0/3 nodes are available: 3 ebs.csi.aws.com CSI driver is not installed on the node. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    nodes: '0/3',
    reasons: ['3 plugin ebs.csi.aws.com'],
    preemption: ['3 no-victims'],
  },
  {
    says: '0/3 nodes are available: 3 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    nodes: '0/3',
    reasons: ['3 rwop'],
    preemption: ['3 no-victims'],
  },
  {
    says: '0/3 nodes are available: 1 node has pod using PersistentVolumeClaim with the same name and ReadWriteOncePod access mode, 2 node(s) had volume node affinity conflict.',
    nodes: '0/3',
    reasons: ['1 rwop', '2 volume-affinity'],
  },
  {
    says: '0/3 nodes are available: 3 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod. no new claims to deallocate, preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    nodes: '0/3',
    reasons: ['3 rwop'],
    preemption: ['3 no-victims'],
  },
  {
    says: '0/2 nodes are available: 2 node(s) had no available disk.',
    nodes: '0/2',
    reasons: ['2 plugin VolumeRestrictions'],
  },
  {
    says: 'running PreBind plugin "VolumeBinding": binding volumes: timed out waiting for the condition',
    reasons: ['prebind VolumeBinding'],
  },
  {
    says: 'running PreBind plugin "VolumeBinding": binding volumes: context deadline exceeded',
    reasons: ['prebind VolumeBinding'],
  },
  {
    says: 'running PreBind plugin "VolumeBinding": binding volumes: provisioning failed for PVC "data-web-0"',
    reasons: ['prebind VolumeBinding'],
  },
  {
    says: 'running PreBind plugin "VolumeBinding": binding volumes: pv "pvc-ef3b" node affinity doesn\'t match node "ip-10-0-1-7": no matching NodeSelectorTerms',
    reasons: ['prebind VolumeBinding'],
  },
  {
    says: 'error while running "VolumeBinding" prebind plugin for pod "redis-ha-server-0": Failed to bind volumes: timed out waiting for the condition',
    reasons: ['prebind VolumeBinding'],
  },
  {
    says: 'running "VolumeBinding" filter plugin for pod "web-0": could not find v1.PersistentVolume "pv-1"',
    reasons: ['plugin VolumeBinding'],
  },
  {
    says: 'running "VolumeBinding" filter plugin: error getting PVC "default/data-0": could not find v1.PersistentVolumeClaim "default/data-0"',
    reasons: ['plugin VolumeBinding'],
  },
  {
    says: 'running PreFilter plugin "VolumeBinding": error getting PVC "default/www": could not find v1.PersistentVolumeClaim "default/www"',
    reasons: ['plugin VolumeBinding'],
  },
  {
    says: 'running PreBind plugin "DynamicResources": device binding timeout: claim=gpu-claim',
    reasons: ['prebind DynamicResources'],
  },
  { says: 'binding volumes: timed out waiting for the condition', reasons: ['prebind VolumeBinding'] },
  {
    says: '0/3 nodes are available: could not find ResourceClaim "ml/gpu-claim". no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    nodes: '0/3',
    reasons: ['dra ml/gpu-claim'],
    preemption: ['3 not-helpful'],
  },
  {
    says: '0/3 nodes are available: pod "ml/trainer": ResourceClaim not created yet. no new claims to deallocate, preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.',
    nodes: '0/3',
    reasons: ['dra'],
    preemption: ['3 not-helpful'],
  },
];
