import type { Expected } from './expected.js';

/** Messages of autoscalers, batch schedulers and extended schedulers, and how people paste them. */
export const sentencesOfOthers: readonly Expected[] = [
  { says: "pod didn't trigger scale-up: 1 max node group size reached", reasons: ['1 unknown'] },
  { says: "Pod didn't trigger scale-up: 1 max node group size reached", reasons: ['1 unknown'] },
  {
    says: "pod didn't trigger scale-up: 1 max node group size reached, 2 Insufficient nvidia.com/gpu",
    reasons: ['1 unknown', '2 extended-resource nvidia.com/gpu'],
  },
  {
    says: "pod didn't trigger scale-up: 1 max node group size reached, 2 node(s) had untolerated taint {dedicated: gpu}",
    reasons: ['1 unknown', '2 taint dedicated: gpu'],
  },
  {
    says: "pod didn't trigger scale-up: 3 pod has unbound immediate PersistentVolumeClaims",
    reasons: ['3 unbound-pvc'],
  },
  {
    says: "pod didn't trigger scale-up: 1 in backoff after failed scale-up, 2 node(s) didn't match Pod's node affinity/selector",
    reasons: ['1 unknown', '2 node-affinity'],
  },
  {
    says: "pod didn't trigger scale-up: 2 not ready for scale-up, 1 max cluster cpu, memory limit reached",
    reasons: ['2 unknown', '1 unknown cpu, memory'],
  },
  { says: "pod didn't trigger scale-up: 1 max total nodes in cluster reached", reasons: ['1 unknown'] },
  {
    says: "pod didn't trigger scale-up (it wouldn't fit if a new node is added): 4 node(s) didn't match node selector",
    reasons: ['4 node-affinity'],
  },
  {
    says: "pod didn't trigger scale-up (it wouldn't fit if a new node is added): 5 node(s) didn't match Pod's node affinity",
    reasons: ['5 node-affinity'],
  },
  { says: "pod didn't trigger scale-up (it wouldn't fit if a new node is added)", reasons: ['unknown'] },
  { says: "pod didn't trigger scale-up:", reasons: [] },
  {
    says: "Unschedulable pod didn't trigger scale-up, because it's consuming ProvisioningRequest ml/train-1",
    reasons: ['unknown'],
  },
  { says: 'pod triggered scale-up: [{eks-general 3->4 (max: 10)}]', reasons: ['unknown'] },
  {
    says: 'pod triggered scale-up: [{MachineDeployment/magnum-83bd0e70b4ba4cd092c2fb82b1ce06fb/k8s-mbbffjfee7zs-default-worker 2->5 (max: 5)}]',
    reasons: ['unknown'],
  },
  {
    says: 'pod triggered scale-up: [{https://content.googleapis.com/compute/v1/projects/my-project/zones/us-central1-c/instanceGroups/gke-test-nvidia-tesla-k80-1-dae0ecbd-jkzd 0->1 (max: 8)}]',
    reasons: ['unknown'],
  },
  {
    says: 'Failed to schedule pod, incompatible with nodepool "teama-spot", daemonset overhead={"cpu":"150m","pods":"2"}, incompatible requirements, key capacity_type, capacity_type In [on-demand] not in capacity_type In [spot]; incompatible with nodepool "teama-on-demand", daemonset overhead={"cpu":"150m","pods":"2"}, unsatisfiable topology constraint for topology spread, key=capacity-spread (counts = 2: 0 3: 0 1: 2 , podDomains = capacity-spread Exists, nodeDomains = capacity-spread In [1]',
    reasons: ['node-affinity teama-spot', 'topology-spread teama-on-demand'],
  },
  {
    says: 'Failed to schedule pod, incompatible requirements, label "nvidia.com/gpu.product" does not have known values',
    reasons: ['node-affinity'],
  },
  {
    says: 'Failed to schedule pod, incompatible requirements, key karpenter.sh/nodepool, karpenter.sh/nodepool In [no-such-pool] not in karpenter.sh/nodepool In [standard]',
    reasons: ['node-affinity'],
  },
  {
    says: 'Failed to schedule pod, no instance type has enough resources, requirements=karpenter.sh/capacity-type In [on-demand], kubernetes.io/os In [linux]',
    reasons: ['unknown'],
  },
  {
    says: 'Failed to schedule pod, all available instance types exceed limits for nodepool (NodePool=default)',
    reasons: ['unknown default'],
  },
  {
    says: 'Failed to schedule pod, all available instance types exceed limits for nodepool: "gpu"',
    reasons: ['unknown gpu'],
  },
  {
    says: 'Could not schedule pod, incompatible with nodepool "arm-instance-store", daemonset overhead={"cpu":"180m"}, did not tolerate arch=arm64:NoSchedule; incompatible with provisioner "x86", daemonset overhead={"cpu":"205m"}, incompatible requirements, label "karpenter.sh/nodepool" does not have known values',
    reasons: ['taint arch=arm64:NoSchedule', 'node-affinity x86'],
  },
  {
    says: 'Pod should schedule on: nodeclaim/default-x7k2p, node/ip-10-0-3-17.ec2.internal',
    reasons: ['unknown'],
  },
  { says: 'all nodes are unavailable: 3 node(s) resource fit failed.', nodes: '0/', reasons: ['3 unknown'] },
  {
    says: '0/1 nodes are unavailable: 1 hami-vgpuDeviceSharing error.',
    nodes: '0/1',
    reasons: ['1 unknown'],
  },
  { says: '0/203 nodes are unavailable: 75 Insufficient cpu.', nodes: '0/203', reasons: ['75 cpu cpu'] },
  {
    says: "0/1100 nodes are unavailable: 177 Insufficient memory, 260 Insufficient cpu, 599 node(s) didn't match Pod's node affinity/selector",
    nodes: '0/1100',
    reasons: ['177 memory memory', '260 cpu cpu', '599 node-affinity'],
  },
  {
    says: '0/2060 nodes are unavailable: 2053 task node selector does not match node labels, 7 Insufficient cpu',
    nodes: '0/2060',
    reasons: ['2053 node-affinity', '7 cpu cpu'],
  },
  {
    says: '0/12 nodes are unavailable: Insufficient nvidia.com/gpu / memory / cpu',
    nodes: '0/12',
    reasons: ['unknown'],
  },
  {
    says: 'pod group is not ready, 1 Pending, 1 minAvailable; Pending: 1 Unschedulable',
    reasons: ['unknown'],
  },
  {
    says: '3/4 tasks in gang unschedulable: pod group is not ready, 1 Succeeded, 3 Releasing, 4 minAvailable',
    reasons: ['unknown'],
  },
  {
    says: '12/12 tasks in gang unschedulable: pod group is not ready; Pending: 4 Schedulable, 8 Unschedulable.',
    reasons: ['unknown'],
  },
  {
    says: "couldn't assign flavors to pod set main: insufficient unused quota for cpu in flavor default-flavor, 3 more needed",
    reasons: ['unknown'],
  },
  {
    says: "couldn't assign flavors to pod set worker: borrowing limit for nvidia.com/gpu in flavor ml.g5.8xlarge exceeded",
    reasons: ['unknown'],
  },
  {
    says: '0/3 nodes are available: pre-filter pod pause-897896f6b-nkc7p cannot find enough sibling pods, current pods number: 2, minMember of group: 3. preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling., PodGroup default/pg1 gets rejected due to Pod pause-897896f6b-nkc7p is unschedulable even after PostFilter',
    nodes: '0/3',
    reasons: ['plugin Coscheduling'],
    preemption: ['3 not-helpful', 'unknown'],
  },
  {
    says: '0/2 nodes are available: 2 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }. preemption: 0/2 nodes are available: 2 Preemption is not helpful for scheduling., reject the pod task-0 is unschedulable even after PostFilter.',
    nodes: '0/2',
    reasons: ['2 taint node.kubernetes.io/disk-pressure'],
    preemption: ['2 not-helpful', 'unknown'],
  },
  {
    says: 'running PreFilter plugin "Coscheduling": gang child pod not collect enough, gangName: default/test-work, podName: default/test-work-1',
    reasons: ['plugin Coscheduling'],
  },
  {
    says: '0/4 nodes are available: 1 NodeUnfitPod, 1 node(s) had untolerated taint {node.kubernetes.io/unreachable: }, 2 node unregistered. preemption: 0/4 nodes are available: 1 Preemption is not helpful for scheduling, 3 No preemption victims found for incoming pod..',
    nodes: '0/4',
    reasons: ['1 plugin HAMi', '1 taint node.kubernetes.io/unreachable', '2 plugin HAMi'],
    preemption: ['1 not-helpful', '3 no-victims'],
  },
  {
    says: "0/10 nodes are available: 1 node unregisterd, 6 node(s) didn't match Pod's node affinity/selector.",
    nodes: '0/10',
    reasons: ['1 plugin HAMi', '6 node-affinity'],
  },
  {
    says: '0/10 nodes are available: 1 No victims found on node zj-b-clab-srv01 for preemptor pod chatglm-698d67bff-6f9qh, 1 No victims found on node zj-b-clab-srv02 for preemptor pod chatglm-698d67bff-6f9qh.',
    nodes: '0/10',
    reasons: [],
    preemption: ['1 no-victims', '1 no-victims'],
  },
  {
    says: '0/50 nodes are available: 1 Insufficient cpu by reservation.',
    nodes: '0/50',
    reasons: ['1 cpu cpu'],
  },
  {
    says: "0/2 nodes are available: 1 Insufficient memory, 1 Pod is waiting for preemptible or free resource to appear: have to use at least one bad node 1/node-7 when scheduling in VC default, 1 node(s) didn't match node selector.",
    nodes: '0/2',
    reasons: ['1 memory memory', '1 plugin HiveD', '1 node-affinity'],
  },
  {
    says: '0/3 nodes are available: 1 Node(s) failed Filter plugin FalseFilter-2, 2 Node(s) failed Filter plugin FalseFilter-1. Error running PostFilter plugin FailedPostFilter',
    nodes: '0/3',
    reasons: ['1 unknown', '2 unknown'],
    preemption: ['unknown'],
  },
  {
    says: '0/3 nodes are available: Node(s) failed PreFilter plugin FalsePreFilter. Error running PostFilter plugin FailedPostFilter.',
    nodes: '0/3',
    reasons: ['unknown'],
    preemption: ['unknown'],
  },
  {
    says: 'pod f5-bnk/f5-tmm-x: 0/3 nodes are available: 3 Insufficient hugepages-2Mi',
    nodes: '0/3',
    reasons: ['3 extended-resource hugepages-2Mi'],
  },
  {
    says: 'Warning  FailedScheduling  36s (x3 over 22m)  default-scheduler  0/4 nodes are available: persistentvolumeclaim "postgres-data" not found. preemption: 0/4 nodes are available: 4 Preemption is not helpful for scheduling.',
    nodes: '0/4',
    reasons: ['pvc-missing postgres-data'],
    preemption: ['4 not-helpful'],
  },
  {
    says: "nodes are available: 1 node(s) had taint {node-role.kubernetes.io/master: }, that the pod didn't tolerate.",
    reasons: ['1 taint node-role.kubernetes.io/master'],
  },
  { says: '3 Insufficient cpu, 2 Too many pods', reasons: ['3 cpu cpu', '2 pods'] },
  { says: 'Too many pods', reasons: ['pods'] },
  {
    says: '3 Insufficient cpu. preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.',
    reasons: ['3 cpu cpu'],
    preemption: ['3 no-victims'],
  },
  { says: 'Task test/web-0 is failed', reasons: ['unknown'] },
  {
    says: "application 'spark-1' rejected, cannot create queue 'root.spark' without placement rules",
    reasons: ['unknown'],
  },
  { says: 'Back-off restarting failed container', reasons: ['unknown'] },
  {
    says: 'binding rejected: running Bind plugin "DefaultBinder": Operation cannot be fulfilled on pods/binding "web-0": pod web-0 is already assigned to node "n1"',
    reasons: ['plugin DefaultBinder'],
  },
  {
    says: 'running Bind plugin "DefaultBinder": Timeout: request did not complete within requested timeout - context deadline exceeded',
    reasons: ['plugin DefaultBinder'],
  },
  {
    says: 'rejected pod "web-0" by permit plugin "Coscheduling": timed out',
    reasons: ['plugin Coscheduling'],
  },
  { says: 'pod "web-0" rejected while waiting on permit: timeout', reasons: ['plugin'] },
  { says: 'skip schedule deleting pod: shop/web-0', reasons: ['unknown'] },
  {
    says: 'Pod was rejected: Allocate failed due to no healthy devices present; cannot allocate unhealthy devices nvidia.com/gpu, which is unexpected',
    reasons: ['unknown'],
  },
  {
    says: 'Allocate failed due to cannot allocate unregistered device nvidia.com/gpu, which is unexpected',
    reasons: ['unknown'],
  },
  { says: 'Pod was rejected: Resources cannot be allocated with Topology locality', reasons: ['unknown'] },
  {
    says: 'Pod was rejected: SMT Alignment Error: requested 5 cpus not multiple cpus per core = 2',
    reasons: ['unknown'],
  },
  {
    says: "Pod was rejected: Predicate NodeAffinity failed: node(s) didn't match Pod's node affinity/selector",
    reasons: ['unknown'],
  },
  { says: 'Predicate NodeAffinity failed', reasons: ['unknown'] },
  { says: 'Pod was rejected: Pod was rejected as the node is shutting down.', reasons: ['unknown'] },
  { says: 'The node had condition: [DiskPressure]. ', reasons: ['unknown'] },
  {
    says: 'The node was low on resource: memory. Threshold quantity: 100Mi, available: 50Mi. Container app was using 2Gi, request is 1Gi, has larger consumption of memory. ',
    reasons: ['unknown'],
  },
  {
    says: 'Pod ephemeral local storage usage exceeds the total limit of containers 1Gi. ',
    reasons: ['unknown'],
  },
  { says: 'Preempted in order to admit critical pod', reasons: ['unknown'] },
  {
    says: "Node didn't have enough capacity: cpu, requested: 800000, capacity: 4000",
    reasons: ['unknown cpu'],
  },
  {
    says: 'Error creating: pods "web-0" is forbidden: exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=9, limited: requests.cpu=10',
    reasons: ['unknown'],
  },
  {
    says: 'exceeded quota: team, requested: requests.cpu=2, used: requests.cpu=9, limited: requests.cpu=10',
    reasons: ['unknown'],
  },
  {
    says: 'Error creating: pods "web-" is forbidden: error looking up service account shop/web: serviceaccount "web" not found',
    reasons: ['unknown'],
  },
  {
    says: 'admission webhook "policy.example" denied the request: image is not signed',
    reasons: ['unknown'],
  },
  { says: 'resourceclaim.resource.k8s.io "gpu" not found', reasons: ['dra gpu'] },
];
