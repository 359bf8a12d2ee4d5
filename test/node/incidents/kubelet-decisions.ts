import { CoreV1Api, PatchStrategy, setHeaderOptions, type V1Pod } from '@kubernetes/client-node';
import {
  allReady,
  failed,
  incident,
  memory,
  type NodeIncident,
  podOf,
  polite,
  program,
  refusedPods,
  run,
  type Scene,
  works,
} from './incident.js';

const localStorage = (limit: string) => ({
  resources: { requests: { 'ephemeral-storage': '10Mi' }, limits: { 'ephemeral-storage': limit } },
});
const write = 'dd if=/dev/zero of=/tmp/x bs=1M count=60';
const evictedWith = (phase: string) => (pods: readonly V1Pod[]) =>
  pods.filter(({ status }) => status?.phase === phase).length >= 2;

/** Changes the resources of one pod in place. */
const resize =
  (resources: { readonly requests: Record<string, string>; readonly limits?: Record<string, string> }) =>
  async ({ cluster, namespace }: Scene): Promise<void> => {
    const core = cluster.config.makeApiClient(CoreV1Api);
    const { items } = await core.listNamespacedPod({ namespace });
    await core.patchNamespacedPodResize(
      {
        namespace,
        name: items[0]?.metadata?.name ?? '',
        body: { spec: { containers: [{ name: 'app', resources }] } },
      },
      setHeaderOptions('Content-Type', PatchStrategy.StrategicMergePatch),
    );
  };
const hasCondition = (type: string, reason: string) => (pods: readonly V1Pod[]) =>
  pods.some(({ status }) => status?.conditions?.some((each) => each.type === type && each.reason === reason));

/** What a kubelet refuses, ends and changes by its own decision. */
export const kubeletDecisions: readonly NodeIncident[] = [
  incident(
    'evicted-in-good-order',
    'pods exceed their limit of local storage and end well when they are evicted',
    program(`${polite} ${write}; ${run}`, localStorage('20Mi')),
    { reached: failed(3), cause: 'evicted', facts: { isOwnLimit: true } },
  ),
  incident(
    'evicted-and-killed',
    'pods exceed their limit of local storage and ignore SIGTERM',
    program(`trap '' TERM; ${write}; ${run}`, localStorage('20Mi')),
    {
      reached: evictedWith('Failed'),
      cause: 'evicted',
      never: ['application-crash', 'out-of-memory'],
      facts: { isOwnLimit: true },
    },
  ),
  incident(
    'evicted-for-a-volume',
    'pods exceed the size of an emptyDir volume',
    podOf(
      program(`trap '' TERM; dd if=/dev/zero of=/data/x bs=1M count=60; ${run}`, {
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      }),
      { volumes: [{ name: 'data', emptyDir: { sizeLimit: '20Mi' } }] },
    ),
    { reached: evictedWith('Failed'), cause: 'evicted', facts: { isOwnLimit: true } },
  ),
  incident(
    'evicted-for-one-container',
    'one of two containers exceeds its own limit of local storage',
    podOf(program(`trap '' TERM; ${write}; ${run}`, localStorage('20Mi')), {
      containers: [
        program(`trap '' TERM; ${write}; ${run}`, localStorage('20Mi')),
        program(run, { name: 'second', ...localStorage('900Mi') }),
      ],
    }),
    { reached: evictedWith('Failed'), cause: 'evicted', facts: { isOwnLimit: true } },
  ),
  works(
    'within-its-local-storage',
    'a pod stays below its limit of local storage',
    program(`${polite} ${write}; ${run}`, localStorage('200Mi')),
  ),
  incident(
    'larger-than-every-node',
    'the template names the node, and requests more CPU than the node can ever give',
    podOf(program(run, { resources: { requests: { cpu: '50' } } }), { nodeName: 'node-a' }),
    { reached: failed(2), cause: 'kubelet-rejected' },
  ),
  incident(
    'more-memory-than-every-node',
    'the template names the node, and requests more memory than the node can ever give',
    podOf(program(run, memory('900Gi')), { nodeName: 'node-a' }),
    { reached: refusedPods('OutOfmemory'), cause: 'kubelet-rejected' },
  ),
  incident(
    'port-of-the-node-taken',
    'two pods of one node want the same port of the node',
    podOf(program(`${polite} ${run}`, { ports: [{ containerPort: 8080, hostPort: 18_080 }] }), {
      nodeName: 'node-a',
    }),
    { deployment: { replicas: 2 }, reached: refusedPods('NodePorts'), cause: 'kubelet-rejected' },
  ),
  works(
    'port-of-the-node-free',
    'the only pod of a node uses a port of the node',
    podOf(program(`${polite} ${run}`, { ports: [{ containerPort: 8080, hostPort: 18_081 }] }), {
      nodeName: 'node-a',
    }),
  ),
  incident(
    'named-node-does-not-match',
    'the template names a node that its own selector does not match',
    podOf(program(run), { nodeName: 'node-a', nodeSelector: { 'kubernetes.io/hostname': 'node-b' } }),
    { reached: refusedPods('NodeAffinity'), cause: 'kubelet-rejected' },
  ),
  works(
    'named-node-fits',
    'the template names a node that has room',
    podOf(program(`${polite} ${run}`), { nodeName: 'node-a' }),
  ),
  incident(
    'sysctl-forbidden',
    'the template sets a kernel setting that the kubelet does not allow',
    podOf(program(run), { securityContext: { sysctls: [{ name: 'kernel.msgmax', value: '65536' }] } }),
    { reached: refusedPods('SysctlForbidden'), cause: 'kubelet-rejected' },
  ),
  incident(
    'resize-deferred',
    'a resize asks for more CPU than the node has left',
    podOf(program(`${polite} ${run}`, { resources: { requests: { cpu: '200m' } } }), {
      nodeName: 'node-a',
    }),
    {
      deployment: { replicas: 2 },
      steps: [{ reached: allReady(2), act: resize({ requests: { cpu: '1400m' } }) }],
      reached: hasCondition('PodResizePending', 'Deferred'),
      later: 120,
      cause: 'resize-pending',
    },
  ),
  incident(
    'resize-below-the-use',
    'a resize lowers a memory limit below what is in use',
    podOf(
      program(`${polite} dd if=/dev/zero of=/data/x bs=1M count=60; touch /tmp/ok; ${run}`, {
        ...memory('128Mi'),
        resizePolicy: [{ resourceName: 'memory', restartPolicy: 'NotRequired' }],
        readinessProbe: { exec: { command: ['cat', '/tmp/ok'] }, periodSeconds: 2 },
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      }),
      { volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }] },
    ),
    {
      steps: [{ reached: allReady(), act: resize(memory('32Mi').resources) }],
      reached: hasCondition('PodResizeInProgress', 'Error'),
      later: 120,
      cause: 'resize-pending',
      never: ['out-of-memory'],
    },
  ),
  incident(
    'resize-done',
    'a resize raises a memory limit, and the kubelet follows',
    program(`${polite} ${run}`, memory('48Mi')),
    {
      steps: [{ reached: allReady(), act: resize(memory('64Mi').resources) }],
      reached: (pods) =>
        pods.some(({ status }) => status?.containerStatuses?.[0]?.resources?.limits?.memory === '64Mi'),
      cause: null,
      never: ['resize-pending'],
    },
  ),
  works(
    'volume-within-its-size',
    'a pod stays below the size of an emptyDir volume',
    podOf(
      program(`${polite} dd if=/dev/zero of=/data/x bs=1M count=5; ${run}`, {
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      }),
      { volumes: [{ name: 'data', emptyDir: { sizeLimit: '20Mi' } }] },
    ),
  ),
  works(
    'kernel-setting-allowed',
    'the template sets a kernel setting that every kubelet allows',
    podOf(program(`${polite} ${run}`), {
      securityContext: { sysctls: [{ name: 'net.ipv4.ip_local_port_range', value: '2000 60000' }] },
    }),
  ),
];
