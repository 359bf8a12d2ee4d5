import { type ApiObject, uidOf } from './api-object.js';
import { imageOf } from './image.js';
import { seededText } from './seeded-text.js';

const createdAt = '2026-08-01T06:00:00Z';
/** Kubelets report so many images unless configured (`nodeStatusMaxImages` is 50; small nodes hold fewer). */
const fewestImages = 12;
const knownImages = 900;

/** A device that a node offers, such as one `nvidia.com/gpu`. */
export interface NodeShape {
  readonly zones: number;
  /** The extended resource of which the node has one. */
  readonly device?: string | undefined;
}

/** `node-00042`. The first ones are those with a device. */
export function nodeName(number: number): string {
  return `node-${String(number).padStart(5, '0')}`;
}

/**
 * A node as its kubelet registers it and as a cloud and add-ons label and annotate it: about 8.2 kB of JSON.
 */
export function nodeObject(number: number, { zones, device }: NodeShape): ApiObject {
  const text = seededText(2, number);
  const name = nodeName(number);
  const zone = `north-1${'abcdefgh'[number % zones]}`;
  const instance = `i-0${text.hex(16)}`;
  const address = `192.168.${number >> 8}.${number & 255}`;
  const cores = device === undefined ? 16 : 32;
  const capacity = {
    cpu: String(cores),
    'ephemeral-storage': `${209_702_892 + text.below(4_096)}Ki`,
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: `${cores * 4_194_304 - text.below(400_000)}Ki`,
    pods: '110',
    ...(device === undefined ? {} : { [device]: '1' }),
  };
  const allocatable = {
    ...capacity,
    cpu: `${cores * 1_000 - 110}m`,
    'ephemeral-storage': String(193_000_000_000 + text.below(9_000_000)),
    memory: `${cores * 4_194_304 - 1_400_000 - text.below(400_000)}Ki`,
  };
  const type =
    device === undefined ? text.oneOf(['m7i.4xlarge', 'c7i.4xlarge', 'r7i.4xlarge']) : instanceOf(device);
  const [bootId, machineId] = [text.uuid(), text.hex(32)];
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name,
      uid: uidOf(1, number),
      creationTimestamp: createdAt,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/instance-type': type,
        'beta.kubernetes.io/os': 'linux',
        'eks.amazonaws.com/capacityType': text.oneOf(['ON_DEMAND', 'SPOT']),
        'eks.amazonaws.com/nodegroup':
          device === undefined ? `general-${zone}` : `${device.split('.')[0]}-${zone}`,
        'eks.amazonaws.com/nodegroup-image': `ami-0${seededText(3, number % 3).hex(16)}`,
        'eks.amazonaws.com/sourceLaunchTemplateId': `lt-0${seededText(4, number % 6).hex(16)}`,
        'eks.amazonaws.com/sourceLaunchTemplateVersion': '7',
        'failure-domain.beta.kubernetes.io/region': 'north-1',
        'failure-domain.beta.kubernetes.io/zone': zone,
        'k8s.io/cloud-provider-aws': seededText(5, 0).hex(32),
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': type,
        'topology.ebs.csi.aws.com/zone': zone,
        'topology.k8s.aws/zone-id': `no1-az${number % zones}`,
        'topology.kubernetes.io/region': 'north-1',
        'topology.kubernetes.io/zone': zone,
        ...(device === undefined ? {} : { [`${device}.present`]: 'true' }),
      },
      annotations: {
        'alpha.kubernetes.io/provided-node-ip': address,
        'csi.volume.kubernetes.io/nodeid': `{"ebs.csi.aws.com":"${instance}","efs.csi.aws.com":"${instance}"}`,
        'node.alpha.kubernetes.io/ttl': '300',
        'projectcalico.org/IPv4Address': `${address}/19`,
        'projectcalico.org/IPv4IPIPTunnelAddr': `10.${number >> 8}.${number & 255}.1`,
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
      finalizers: ['networking.k8s.aws/resource-cleanup'],
    },
    spec: { podCIDR: `10.${number >> 8}.${number & 255}.0/24`, providerID: `aws:///${zone}/${instance}` },
    status: {
      capacity,
      allocatable,
      conditions: conditionsOf(number),
      addresses: [
        { type: 'InternalIP', address },
        { type: 'InternalDNS', address: `ip-${address.replaceAll('.', '-')}.north-1.compute.internal` },
        { type: 'Hostname', address: name },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      images: Array.from({ length: fewestImages + text.below(8) }, (_, place) => {
        // A node's DaemonSets have the same images everywhere; the rest is of the pods that came by.
        const { name: tagged, digest, bytes } = imageOf(place < 6 ? place : text.below(knownImages));
        return { names: [digest, tagged], sizeBytes: bytes };
      }),
      nodeInfo: {
        architecture: 'amd64',
        bootID: bootId,
        containerRuntimeVersion: 'containerd://2.0.2',
        kernelVersion: '6.12.40-64.114.amzn2023.x86_64',
        kubeProxyVersion: '',
        kubeletVersion: 'v1.36.3',
        machineID: machineId,
        operatingSystem: 'linux',
        osImage: 'Amazon Linux 2023.8.20260211',
        systemUUID: `ec2${machineId.slice(0, 5)}-${text.uuid().slice(9)}`,
      },
      runtimeHandlers: [
        { name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: true } },
        { name: 'runc', features: { recursiveReadOnlyMounts: true, userNamespaces: true } },
      ],
    },
  };
}

/** Nodes of one instance type have the same devices. */
function instanceOf(device: string): string {
  return { 'nvidia.com/gpu': 'g6.8xlarge', 'xilinx.com/fpga': 'f2.12xlarge' }[device] ?? 'g4ad.8xlarge';
}

/** Heartbeats are up to five minutes old, each node's at another second. */
function conditionsOf(number: number): readonly object[] {
  const text = seededText(6, number);
  const heartbeat = new Date(Date.parse('2026-11-20T09:25:00Z') + text.below(300) * 1_000).toISOString();
  const since = new Date(Date.parse(createdAt) + text.below(8_000_000) * 1_000).toISOString();
  const condition = (type: string, status: string, reason: string, message: string) => ({
    type,
    status,
    reason,
    message,
    lastHeartbeatTime: `${heartbeat.slice(0, -5)}Z`,
    lastTransitionTime: `${since.slice(0, -5)}Z`,
  });
  return [
    condition(
      'MemoryPressure',
      'False',
      'KubeletHasSufficientMemory',
      'kubelet has sufficient memory available',
    ),
    condition('DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'),
    condition('PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'),
    condition('Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'),
  ];
}
