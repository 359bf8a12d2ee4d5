import { type ApiObject, uidOf } from './api-object.js';
import type { ClusterShape } from './generate-cluster.js';

const createdAt = '2026-08-01T06:00:00Z';

/** `node-00042`. The first ones are those with a GPU. */
export function nodeName(number: number): string {
  return `node-${String(number).padStart(5, '0')}`;
}

/** A node as its kubelet registers it and the controllers label it. */
export function nodeObject(number: number, { gpuNodes, zones }: ClusterShape): ApiObject {
  const name = nodeName(number);
  const hasGpu = number < gpuNodes;
  const amounts = {
    cpu: hasGpu ? '32' : '16',
    memory: hasGpu ? '131072Mi' : '65536Mi',
    'ephemeral-storage': '200Gi',
    pods: '110',
    ...(hasGpu ? { 'nvidia.com/gpu': '1' } : {}),
  };
  const condition = (type: string, status: string, reason: string) => ({
    type,
    status,
    reason,
    message: `kubelet says ${reason}`,
    lastHeartbeatTime: '2026-11-20T09:29:50Z',
    lastTransitionTime: createdAt,
  });
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: uidOf(1, number),
      creationTimestamp: createdAt,
      labels: {
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': hasGpu ? 'gpu-8xlarge' : 'general-4xlarge',
        'topology.kubernetes.io/region': 'north-1',
        'topology.kubernetes.io/zone': `north-1${'abcdefgh'[number % zones]}`,
        ...(hasGpu ? { 'nvidia.com/gpu.present': 'true' } : {}),
      },
      annotations: { 'volumes.kubernetes.io/controller-managed-attach-detach': 'true' },
    },
    spec: { podCIDR: `10.${number >> 8}.${number & 255}.0/24`, providerID: `cloud://north-1/${name}` },
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: [
        condition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
        condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
        condition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
        condition('Ready', 'True', 'KubeletReady'),
      ],
      addresses: [
        { type: 'InternalIP', address: `192.168.${number >> 8}.${number & 255}` },
        { type: 'Hostname', address: name },
      ],
      nodeInfo: {
        architecture: 'amd64',
        bootID: uidOf(2, number),
        containerRuntimeVersion: 'containerd://2.0.2',
        kernelVersion: '6.1.0-28-amd64',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.36.3',
        machineID: name,
        operatingSystem: 'linux',
        osImage: 'Debian GNU/Linux 12 (bookworm)',
        systemUUID: name,
      },
    },
  };
}
