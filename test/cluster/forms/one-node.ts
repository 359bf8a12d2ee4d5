import type { KubernetesObject } from '@kubernetes/client-node';
import type { Form, FormExpectation, FormGroup, Step } from './form.js';
import {
  becomesReadyBut,
  kubeletReports,
  nodesNamed,
  noSandbox,
  pullBackOff,
  pullFailed,
  replacesAllPods,
} from './on-nodes.js';
import { crashLooping, creates } from './steps.js';

const three = ['n-a', 'n-b', 'n-c'];
const two = ['n-b', 'n-c'];
const five = ['n-a', 'n-b', 'n-c', 'n-d', 'n-e'];

const cni = noSandbox(
  'failed to setup network for sandbox "5f1c9d2e7a40": plugin type="calico" failed (add): ' +
    'error getting ClusterInformation: connection is unauthorized: Unauthorized',
);
const noHandler = noSandbox('failed to get sandbox runtime: no runtime for "kata" is configured');
const noPause = noSandbox(
  'failed to get sandbox image "registry.k8s.io/pause:3.9": failed to pull image "registry.k8s.io/pause:3.9": ' +
    'failed to pull and unpack image "registry.k8s.io/pause:3.9": failed to resolve reference ' +
    '"registry.k8s.io/pause:3.9": dial tcp 34.96.108.209:443: i/o timeout',
);
const denied = pullFailed(
  'failed to pull and unpack image "registry.example/app:2": failed to resolve reference "registry.example/app:2": ' +
    'pull access denied, repository does not exist or may require authorization: authorization failed: no basic auth credentials',
);
const noSpace = pullFailed(
  'failed to pull and unpack image "registry.example/app:2": failed to extract layer sha256:8c1f: write ' +
    '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/412/fs/app: no space left on device',
);
const otherPlatform = pullFailed(
  'failed to pull and unpack image "registry.example/app:2": no match for platform in manifest: not found',
);
const unknownTag = pullFailed(
  'failed to pull and unpack image "registry.example/app:2": failed to resolve reference "registry.example/app:2": not found',
);

const sandbox = (...nodes: readonly string[]): FormExpectation => ({ cause: 'sandbox-failure', nodes });
const pull = (...nodes: readonly string[]): FormExpectation => ({ cause: 'image-pull-failure', nodes });

function fails(
  id: string,
  title: string,
  expected: FormExpectation,
  all: readonly string[],
  failing: Readonly<Record<string, Step>>,
  before: readonly Step[] = [],
  pod: object = {},
): Form {
  const names = Object.keys(failing);
  return {
    id,
    title,
    expected,
    nodes: nodesNamed(...all),
    steps: [
      ...before,
      ...replacesAllPods(all.length, pod),
      becomesReadyBut(all, ...names),
      ...Object.values(failing),
    ],
    diagnoseAfterSeconds: 600,
    heals: ({ spec }) => !names.includes(spec?.nodeName ?? ''),
  };
}

/** Class: what fails before the program starts, on one node or some nodes of several. */
export const oneNode: FormGroup = {
  group: 'one-node',
  forms: [
    fails(
      'network-fails-on-one-node',
      'the network plugin of one node of three is refused by the API server',
      { ...sandbox('n-b'), never: ['crash-loop-on-node', 'image-pull-failure'] },
      three,
      { 'n-b': kubeletReports(three, 'n-b', undefined, cni) },
    ),
    fails(
      'network-fails-on-two-nodes-of-five',
      'the network plugin of two nodes of five is refused by the API server',
      sandbox('n-b', 'n-d'),
      five,
      {
        'n-b': kubeletReports(five, 'n-b', undefined, cni),
        'n-d': kubeletReports(five, 'n-d', undefined, cni),
      },
    ),
    // Its Korean card has 13 lines, one more than a phone shows.
    {
      ...fails(
        'cni-beside-crash',
        'no sandbox on one node, and a crash of the program on another',
        {
          ...sandbox('n-b'),
          cause: ['sandbox-failure', 'application-crash', 'crash-loop-on-node', 'crash-loop-after-rollout'],
          mentions: ['sandbox-failure', 'n-b', 'n-c'],
          nodes: [],
        },
        two,
        {
          'n-b': kubeletReports(two, 'n-b', undefined, cni),
          'n-c': kubeletReports(two, 'n-c', crashLooping(1)),
        },
      ),
      isRecorded: false,
    },
    fails(
      'runtime-handler-missing-on-one-node',
      'the RuntimeClass asks for a handler that the runtime of one node does not have',
      { ...sandbox('n-b'), mentions: ['kata', 'sandboxed'] },
      three,
      { 'n-b': kubeletReports(three, 'n-b', undefined, noHandler) },
      [
        creates(
          () =>
            ({
              apiVersion: 'node.k8s.io/v1',
              kind: 'RuntimeClass',
              metadata: { name: 'sandboxed' },
              handler: 'kata',
            }) as KubernetesObject,
        ),
      ],
      { runtimeClassName: 'sandboxed' },
    ),
    fails(
      'sandbox-image-missing-on-one-node',
      'one node cannot pull the image of the sandbox',
      { ...sandbox('n-b'), never: ['image-pull-failure'], mentions: ['pause:3.9'] },
      three,
      { 'n-b': kubeletReports(three, 'n-b', undefined, noPause) },
    ),
    fails(
      'network-fails-on-every-node',
      'the network plugin fails on all three nodes',
      sandbox('n-a', 'n-b', 'n-c'),
      three,
      {
        'n-a': kubeletReports(three, 'n-a', undefined, cni),
        'n-b': kubeletReports(three, 'n-b', undefined, cni),
        'n-c': kubeletReports(three, 'n-c', undefined, cni),
      },
    ),
    fails(
      'pull-denied-on-one-node',
      'one node has no credentials for the registry; two nodes have pulled the image',
      { ...pull('n-b'), never: ['application-crash', 'crash-loop-on-node'] },
      three,
      { 'n-b': kubeletReports(three, 'n-b', pullBackOff, denied) },
    ),
    fails(
      'pull-without-space-on-one-node',
      'the disk of one node is full; two nodes have pulled the image',
      { ...pull('n-b'), mentions: ['no-space'] },
      three,
      { 'n-b': kubeletReports(three, 'n-b', pullBackOff, noSpace) },
    ),
    fails(
      'pull-without-space-under-pressure',
      'the disk of one node is full, and the node reports disk pressure',
      { ...pull('n-b'), mentions: ['no-space', 'DiskPressure'] },
      three,
      {
        'n-b': async (scene) => {
          await kubeletReports(three, 'n-b', pullBackOff, noSpace)(scene);
          const { cluster } = scene;
          const at = new Date().toISOString().replace(/\.\d+/, '');
          await cluster.patch(
            { kind: 'Node', name: 'n-b' },
            {
              spec: {
                taints: [{ key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule', timeAdded: at }],
              },
            },
          );
          await cluster.patchNodeStatus('n-b', {
            conditions: [
              {
                type: 'DiskPressure',
                status: 'True',
                reason: 'KubeletHasDiskPressure',
                message: 'kubelet has disk pressure',
                lastTransitionTime: at,
              },
            ],
          });
        },
      },
    ),
    {
      ...fails(
        'pull-of-another-architecture-on-one-node',
        'the image is not built for the architecture of one node of three',
        { ...pull('n-b'), mentions: ['architecture', 'arm64'] },
        three,
        { 'n-b': kubeletReports(three, 'n-b', pullBackOff, otherPlatform) },
      ),
      nodes: [{ name: 'n-a' }, { name: 'n-b', labels: { 'kubernetes.io/arch': 'arm64' } }, { name: 'n-c' }],
    },
    fails(
      'pull-of-a-deleted-tag-on-two-nodes-of-five',
      'the tag was deleted after three nodes had pulled it',
      pull('n-b', 'n-d'),
      five,
      {
        'n-b': kubeletReports(five, 'n-b', pullBackOff, unknownTag),
        'n-d': kubeletReports(five, 'n-d', pullBackOff, unknownTag),
      },
    ),
    {
      ...fails(
        'sandbox-at-the-second-attempt',
        'the network plugin of one node failed once, and the pod started half a minute later',
        { cause: null, never: ['sandbox-failure'] },
        three,
        { 'n-b': kubeletReports(three, 'n-b', undefined, { ...cni, count: 1 }) },
      ),
      steps: [
        ...replacesAllPods(3),
        becomesReadyBut(three, 'n-b'),
        kubeletReports(three, 'n-b', undefined, { ...cni, count: 1 }),
        becomesReadyBut(three),
      ],
      ends: [],
    },
    {
      ...fails(
        'pulled-at-the-second-attempt',
        'one node pulled the image at its second attempt',
        { cause: null, never: ['image-pull-failure'] },
        three,
        {},
      ),
      steps: [
        ...replacesAllPods(3),
        becomesReadyBut(three, 'n-b'),
        kubeletReports(three, 'n-b', pullBackOff, { ...denied, count: 1 }),
        becomesReadyBut(three),
      ],
      ends: [],
    },
  ],
};
