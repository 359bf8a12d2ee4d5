import type { V1Container, V1Deployment, V1Pod, V1PodSpec, V1Probe } from '@kubernetes/client-node';
import type { CauseId } from '#src/doctor/findings/cause-id.js';
import { programImage } from './machine/images.js';
import type { Behaviour } from './machine/registry.js';

/** What a real node is made to report, and what the command line must say of it. */
export interface NodeIncident {
  /** Its namespace too. */
  readonly id: string;
  readonly title: string;
  readonly pod: (registryHost: string) => V1PodSpec;
  /** What the registry does with the repository of the incident's name. */
  readonly registry?: Behaviour;
  /** Its controller makes a new pod at once for each that fails: it begins when it is its turn. */
  readonly isHasty?: boolean;
  /** A state before, in which the registry begins to behave otherwise. */
  readonly before?: { readonly reached: NodeIncident['reached']; readonly registry: Behaviour };
  /** The state that is recorded. */
  readonly reached: (pods: readonly V1Pod[]) => boolean;
  readonly cause: CauseId;
  /** The incident that it resembles. */
  readonly never?: readonly CauseId[];
  /** Fields of the first finding's facts. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

const program = (script: string, more: Partial<V1Container> = {}): V1Container => ({
  name: 'app',
  image: programImage,
  command: ['/bin/sh', '-c', script],
  ...more,
});
const podOf = (container: V1Container, more: Partial<V1PodSpec> = {}): V1PodSpec => ({
  terminationGracePeriodSeconds: 3,
  containers: [container],
  ...more,
});

const exec = (...command: string[]): V1Probe => ({
  exec: { command },
  periodSeconds: 2,
  failureThreshold: 2,
});
const healthy = exec('cat', '/tmp/ok');
const run = 'while :; do sleep 60 & wait $!; done';
const polite = "trap 'exit 0' TERM;";
const memory = (limit: string) => ({ resources: { requests: { memory: limit }, limits: { memory: limit } } });

const statusesOf = (pods: readonly V1Pod[]) => pods.flatMap(({ status }) => status?.containerStatuses ?? []);
const restarted = (times: number) => (pods: readonly V1Pod[]) =>
  statusesOf(pods).some(({ restartCount, state }) => restartCount >= times && state?.running === undefined);
const waitsFor =
  (...reasons: string[]) =>
  (pods: readonly V1Pod[]) =>
    statusesOf(pods).some(({ state }) => reasons.includes(state?.waiting?.reason ?? ''));
const failed = (count: number) => (pods: readonly V1Pod[]) =>
  pods.filter(({ status }) => status?.phase === 'Failed' || status?.phase === 'Succeeded').length >= count;

const pulled =
  (id: string, policy = 'IfNotPresent') =>
  (host: string): V1PodSpec =>
    podOf({ name: 'app', image: `${host}/${id}:1`, imagePullPolicy: policy });
const pullRefused = waitsFor('ErrImagePull', 'ImagePullBackOff');

export const nodeIncidents: readonly NodeIncident[] = [
  {
    id: 'liveness-polite',
    title: 'a program that ends well on SIGTERM is killed for its liveness probe; its exit code is 0',
    pod: () =>
      podOf(
        program(`${polite} touch /tmp/ok; sleep 8 & wait $!; rm /tmp/ok; ${run}`, { livenessProbe: healthy }),
      ),
    reached: restarted(4),
    cause: 'liveness-probe-kill',
    never: ['process-exits-zero'],
  },
  {
    id: 'finishes-under-a-healthy-probe',
    title: 'a program ends with exit code 0 beside a liveness probe that never fails',
    pod: () => podOf(program('touch /tmp/ok; sleep 12', { livenessProbe: healthy })),
    reached: restarted(3),
    cause: 'process-exits-zero',
    never: ['liveness-probe-kill'],
  },
  {
    id: 'liveness-stubborn',
    title: 'a program that ignores SIGTERM is killed for its liveness probe after its grace period',
    pod: () => podOf(program(`trap '' TERM; ${run}`, { livenessProbe: healthy })),
    reached: restarted(4),
    cause: 'liveness-probe-kill',
  },
  {
    id: 'stopped-by-itself-143',
    title: 'a program exits with 143 beside a liveness probe that never fails',
    pod: () => podOf(program('touch /tmp/ok; sleep 12; exit 143', { livenessProbe: healthy })),
    reached: restarted(3),
    cause: 'application-crash',
    never: ['liveness-probe-kill'],
  },
  {
    id: 'startup-never-passes',
    title: 'a startup probe never passes, and the program ends well on SIGTERM',
    pod: () => podOf(program(`${polite} ${run}`, { startupProbe: exec('false') })),
    reached: restarted(4),
    cause: 'startup-probe-kill',
    never: ['process-exits-zero'],
  },
  {
    id: 'memory-volume-full',
    title: 'a memory-backed volume is larger than the memory limit: the container cannot start again',
    pod: () =>
      podOf(
        program('sleep 2; dd if=/dev/zero of=/data/x bs=1M count=60; sleep 60', {
          ...memory('48Mi'),
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        }),
        { volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }] },
      ),
    reached: (pods) =>
      statusesOf(pods).some(
        ({ restartCount, lastState }) => restartCount > 2 && lastState?.terminated?.reason === 'StartError',
      ),
    cause: 'out-of-memory',
    never: ['sandbox-failure', 'bad-command'],
    facts: { memoryVolumes: ['data'] },
  },
  {
    id: 'memory-of-the-program',
    title: 'the main process exceeds its memory limit',
    pod: () => podOf(program('sleep 2; exec dd if=/dev/zero of=/dev/null bs=200M count=1', memory('48Mi'))),
    reached: restarted(3),
    cause: 'out-of-memory',
    facts: { exitCode: 137 },
  },
  {
    id: 'memory-of-a-child',
    title: 'the kernel kills a child for memory, and the program exits with 7 much later',
    pod: () =>
      podOf(
        program('sleep 2; dd if=/dev/zero of=/dev/null bs=200M count=1; sleep 10; exit 7', memory('48Mi')),
      ),
    reached: restarted(3),
    cause: 'out-of-memory',
    facts: { exitCode: 7 },
  },
  {
    id: 'working-directory-is-a-file',
    title: 'the working directory of the template is a file of the image',
    pod: () => podOf(program('true', { workingDir: '/etc/passwd' })),
    reached: restarted(2),
    cause: 'bad-command',
    never: ['sandbox-failure'],
  },
  {
    id: 'command-missing',
    title: 'the command of the template does not exist in the image',
    pod: () => podOf({ name: 'app', image: programImage, command: ['/bin/nope'], workingDir: '/tmp' }),
    reached: restarted(2),
    cause: 'bad-command',
  },
  {
    id: 'evicted-in-good-order',
    isHasty: true,
    title: 'pods exceed their limit of local storage and end well when they are evicted',
    pod: () =>
      podOf(
        program(`${polite} dd if=/dev/zero of=/tmp/x bs=1M count=60; ${run}`, {
          resources: { requests: { 'ephemeral-storage': '10Mi' }, limits: { 'ephemeral-storage': '20Mi' } },
        }),
      ),
    reached: failed(3),
    cause: 'evicted',
    facts: { isOwnLimit: true },
  },
  {
    id: 'exits-with-3',
    title: 'a program exits with code 3, and no limit of local storage is exceeded',
    pod: () => podOf(program(`${polite} exit 3`)),
    reached: restarted(2),
    cause: 'application-crash',
    never: ['evicted'],
  },
  {
    id: 'registry-broken',
    title: 'the registry answers 500',
    registry: 'broken',
    pod: pulled('registry-broken'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'registry-error' },
  },
  {
    id: 'registry-limited',
    title: 'the registry answers 429',
    registry: 'limited',
    pod: pulled('registry-limited'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'rate-limited' },
  },
  {
    id: 'registry-missing',
    title: 'the registry has no such repository',
    registry: 'missing',
    pod: pulled('registry-missing'),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'not-found' },
  },
  {
    id: 'image-gone-in-a-crash-loop',
    title: 'the registry answers 500 while a container of its image crashes',
    registry: 'serve',
    pod: (host) =>
      podOf({
        ...program('sleep 3; exit 5'),
        image: `${host}/image-gone-in-a-crash-loop:1`,
        imagePullPolicy: 'Always',
      }),
    before: { reached: restarted(1), registry: 'broken' },
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'registry-error', exitCode: 5 },
  },
  {
    id: 'registry-refuses-connections',
    title: 'nothing listens at the address of the registry',
    pod: () => podOf({ name: 'app', image: '127.0.0.1:1/app:1' }),
    reached: pullRefused,
    cause: 'image-pull-failure',
    facts: { refusal: 'unreachable' },
  },
  {
    id: 'image-name-invalid',
    title: 'the name of the image is none',
    pod: (host) => podOf({ name: 'app', image: `${host}/UPPER:1` }),
    reached: waitsFor('ErrImagePull', 'InvalidImageName', 'ImagePullBackOff'),
    cause: 'image-pull-failure',
    facts: { refusal: 'invalid-name' },
  },
  {
    id: 'larger-than-every-node',
    isHasty: true,
    title: 'the template names the node, and requests more CPU than the node can ever give',
    pod: () => podOf(program(run, { resources: { requests: { cpu: '50' } } }), { nodeName: 'node-a' }),
    reached: failed(2),
    cause: 'kubelet-rejected',
  },
];

export function deploymentOf({ id, pod }: NodeIncident, registryHost: string): V1Deployment {
  const labels = { app: 'web' };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: id, name: 'web' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: pod(registryHost) },
    },
  };
}
