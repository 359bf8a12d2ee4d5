import { programImage } from '../machine/images.js';
import {
  allReady,
  created,
  healthy,
  memory,
  type NodeIncident,
  podOf,
  polite,
  program,
  restarted,
  run,
  updateTo,
  waitsFor,
} from './incident.js';

const once = (then: string) => `if [ -e /state/ran ]; then ${polite} ${run}; fi; touch /state/ran; ${then}`;
const state = {
  mounts: { volumeMounts: [{ name: 'state', mountPath: '/state' }] },
  volumes: { volumes: [{ name: 'state', emptyDir: {} }] },
};

/** A container that is restarted for one exit code only, alone or with all others of its pod. */
const restartRule = (action: string, exitCode: number) => ({
  restartPolicy: 'Never',
  restartPolicyRules: [{ action, exitCodes: { operator: 'In', values: [exitCode] } }],
});
const restartsOn = (exitCode: number) => restartRule('Restart', exitCode);
const restartAllOn = (exitCode: number) => restartRule('RestartAllContainers', exitCode);

/** As many pods on one node as on the other. */
const spread = [
  {
    maxSkew: 1,
    topologyKey: 'kubernetes.io/hostname',
    whenUnsatisfiable: 'DoNotSchedule',
    labelSelector: { matchLabels: { app: 'web' } },
  },
];

/** Programs that end, and programs that only seem to. */
export const crashes: readonly NodeIncident[] = [
  {
    id: 'exits-with-3',
    title: 'a program exits with code 3, and no limit of local storage is exceeded',
    pod: () => podOf(program(`${polite} exit 3`)),
    reached: restarted(2),
    cause: 'application-crash',
    never: ['evicted'],
  },
  {
    id: 'exits-with-137',
    title: 'a program exits with 137 without a limit and without a probe',
    pod: () => podOf(program('sleep 4; exit 137')),
    reached: restarted(2),
    cause: 'application-crash',
    never: ['out-of-memory', 'node-out-of-memory', 'liveness-probe-kill'],
    facts: { exitCode: 137 },
  },
  {
    id: 'segmentation-fault',
    title: 'the kernel ends a program for a segmentation fault',
    // Kubernetes makes one dollar of two.
    pod: () => podOf(program("sleep 2; sh -c 'kill -SEGV $$$$'; exit $?")),
    reached: restarted(2),
    cause: 'application-crash',
    facts: { exitCode: 139 },
  },
  {
    id: 'second-container-crashes',
    title: 'of two containers, the second exits with 4',
    pod: () =>
      podOf(program(`${polite} ${run}`), {
        containers: [program(`${polite} ${run}`), program('sleep 3; exit 4', { name: 'second' })],
      }),
    reached: restarted(2),
    cause: 'application-crash',
    container: 'second',
    facts: { exitCode: 4 },
  },
  {
    id: 'crash-after-the-update',
    title: 'the old revision runs, the new one exits with 5',
    pod: () => podOf(program(`${polite} ${run}`)),
    steps: [{ reached: allReady(), act: updateTo(program('sleep 1; exit 5')) }],
    reached: restarted(2),
    cause: 'crash-loop-after-rollout',
  },
  {
    id: 'update-that-runs',
    title: 'an update is complete after a moment',
    pod: () => podOf(program(`${polite} ${run}`)),
    steps: [{ reached: allReady(), act: updateTo(program(`${polite} echo new; ${run}`)) }],
    reached: (pods) =>
      allReady()(pods) && pods.every(({ spec }) => spec?.containers[0]?.command?.[2]?.includes('new')),
    cause: null,
  },
  {
    id: 'crashed-once',
    title: 'a program exits with 1 at its first start, and runs since',
    pod: () => podOf(program(once('exit 1'), state.mounts), state.volumes),
    reached: allReady(1, 1),
    cause: 'application-crash',
    never: ['crash-loop-after-rollout', 'readiness-failing'],
  },
  {
    id: 'finished-once',
    title: 'a program exits with 0 at its first start, and runs since',
    pod: () => podOf(program(once('exit 0'), state.mounts), state.volumes),
    reached: allReady(1, 1),
    cause: null,
  },
  {
    id: 'crash-on-node-b',
    title: 'a program crashes on one of two nodes only',
    pod: () =>
      podOf(
        program(
          `${polite} [ "$NODE" = node-b ] && { echo 'cannot open /dev/card0' >&2; sleep 1; exit 1; }; ${run}`,
          {
            env: [{ name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
          },
        ),
        {
          topologySpreadConstraints: spread,
        },
      ),
    // Of fewer pods it may be chance.
    deployment: { replicas: 8 },
    reached: (pods) =>
      pods.filter(
        ({ spec, status }) =>
          spec?.nodeName === 'node-b' && (status?.containerStatuses?.[0]?.restartCount ?? 0) > 2,
      ).length === 4,
    cause: 'crash-loop-on-node',
  },
  {
    id: 'crash-on-both-nodes',
    title: 'a program crashes on both nodes',
    pod: () =>
      podOf(program("echo 'cannot open /dev/card0' >&2; sleep 1; exit 1"), {
        topologySpreadConstraints: spread,
      }),
    deployment: { replicas: 4 },
    reached: (pods) =>
      pods.length === 4 &&
      pods.every(({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) > 2),
    cause: 'application-crash',
    never: ['crash-loop-on-node'],
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
    id: 'memory-beside-a-healthy-probe',
    title: 'the main process exceeds its memory limit beside a liveness probe that never fails',
    pod: () =>
      podOf(
        program('touch /tmp/ok; sleep 6; exec dd if=/dev/zero of=/dev/null bs=200M count=1', {
          ...memory('48Mi'),
          livenessProbe: healthy,
        }),
      ),
    reached: restarted(2),
    cause: 'out-of-memory',
    never: ['liveness-probe-kill'],
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
    id: 'memory-of-a-child-and-exit-0',
    title: 'the kernel kills a child for memory, and the program exits with 0 much later',
    pod: () =>
      podOf(
        program('sleep 2; dd if=/dev/zero of=/dev/null bs=200M count=1; sleep 10; exit 0', memory('48Mi')),
      ),
    reached: restarted(3),
    cause: 'out-of-memory',
    never: ['process-exits-zero'],
    facts: { exitCode: 0 },
  },
  {
    id: 'memory-of-a-child-that-is-survived',
    title: 'the kernel kills a child for memory, and the program goes on',
    pod: () =>
      podOf(
        program(`${polite} dd if=/dev/zero of=/dev/null bs=200M count=1; touch /tmp/ok; ${run}`, {
          ...memory('48Mi'),
          readinessProbe: healthy,
        }),
      ),
    reached: allReady(),
    cause: null,
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
      pods
        .flatMap(({ status }) => status?.containerStatuses ?? [])
        .some(
          ({ restartCount, lastState }) => restartCount > 2 && lastState?.terminated?.reason === 'StartError',
        ),
    cause: 'out-of-memory',
    never: ['sandbox-failure', 'bad-command'],
    facts: { memoryVolumes: ['data'] },
  },
  {
    id: 'memory-volume-with-room',
    title: 'a memory-backed volume stays below the memory limit',
    pod: () =>
      podOf(
        program(`${polite} dd if=/dev/zero of=/data/x bs=1M count=10; touch /tmp/ok; ${run}`, {
          ...memory('48Mi'),
          readinessProbe: healthy,
          volumeMounts: [{ name: 'data', mountPath: '/data' }],
        }),
        { volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }] },
      ),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'limit-too-low-to-start',
    title: 'the memory limit is too low for a container to start',
    pod: () => podOf(program(run, memory('1Mi'))),
    reached: created,
    event: 'FailedCreatePodSandBox',
    later: 60,
    cause: 'out-of-memory',
    never: ['sandbox-failure', 'bad-command'],
  },
  {
    id: 'read-only-root',
    title: 'a program may not write to its root file system and exits with 1',
    pod: () =>
      podOf(program('touch /etc/written || exit 1', { securityContext: { readOnlyRootFilesystem: true } })),
    reached: restarted(2),
    cause: 'application-crash',
    never: ['mount-failure', 'bad-command'],
  },
  {
    id: 'read-only-root-with-a-volume',
    title: 'a program writes to a volume beside a read-only root file system',
    pod: () =>
      podOf(
        program(`${polite} touch /state/written || exit 1; ${run}`, {
          securityContext: { readOnlyRootFilesystem: true },
          ...state.mounts,
        }),
        state.volumes,
      ),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'command-missing',
    title: 'the command of the template does not exist in the image',
    pod: () => podOf({ name: 'app', image: programImage, command: ['/bin/nope'], workingDir: '/tmp' }),
    reached: restarted(2),
    cause: 'bad-command',
  },
  {
    id: 'command-not-in-the-path',
    title: 'the command of the template is in no folder of the path',
    pod: () => podOf({ name: 'app', image: programImage, command: ['nope'] }),
    reached: restarted(2),
    cause: 'bad-command',
  },
  {
    id: 'command-not-executable',
    title: 'the command of the template is a file without the right to execute it',
    pod: () => podOf({ name: 'app', image: programImage, command: ['/etc/passwd'] }),
    reached: restarted(2),
    cause: 'bad-command',
  },
  {
    id: 'command-is-a-folder',
    title: 'the command of the template is a folder of the image',
    pod: () => podOf({ name: 'app', image: programImage, command: ['/etc'] }),
    reached: restarted(2),
    cause: 'bad-command',
    never: ['mount-failure'],
  },
  {
    id: 'script-missing',
    title: 'the shell of the template does not find the script that it is to run',
    pod: () => podOf(program('exec /opt/start.sh')),
    reached: restarted(2),
    cause: 'bad-command',
    facts: { exitCode: 127 },
  },
  {
    id: 'exits-with-127-after-work',
    title: 'a program works for more than a minute and exits with 127',
    pod: () => podOf(program('sleep 70; exit 127')),
    reached: restarted(2),
    cause: 'application-crash',
    never: ['bad-command'],
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
    id: 'working-directory-is-made',
    title: 'the working directory of the template does not exist, and the runtime makes it',
    pod: () => podOf(program(`${polite} ${run}`, { workingDir: '/data/none' })),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'root-forbidden',
    title: 'the template forbids root, and the image runs as root',
    pod: () => podOf(program(run, { securityContext: { runAsNonRoot: true } })),
    reached: waitsFor('CreateContainerConfigError'),
    cause: 'config-missing',
    never: ['image-pull-failure'],
  },
  {
    id: 'another-user-than-root',
    title: 'the template forbids root and names another user',
    pod: () =>
      podOf(program(`${polite} ${run}`, { securityContext: { runAsNonRoot: true, runAsUser: 65534 } })),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'post-start-fails',
    title: 'the postStart hook of the template fails',
    pod: () =>
      podOf(
        program(`${polite} ${run}`, {
          lifecycle: { postStart: { exec: { command: ['/bin/sh', '-c', 'echo no settings >&2; exit 4'] } } },
        }),
      ),
    reached: waitsFor('PostStartHookError'),
    cause: 'application-crash',
    never: ['process-exits-zero', 'liveness-probe-kill'],
  },
  {
    id: 'post-start-works',
    title: 'the postStart hook of the template takes some seconds and works',
    pod: () =>
      podOf(
        program(`${polite} ${run}`, {
          lifecycle: { postStart: { exec: { command: ['/bin/sh', '-c', 'sleep 5'] } } },
        }),
      ),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'memory-with-room',
    title: 'the main process stays below its memory limit',
    pod: () =>
      podOf(
        program(`${polite} dd if=/dev/zero of=/dev/null bs=10M count=1; touch /tmp/ok; ${run}`, {
          ...memory('48Mi'),
          readinessProbe: healthy,
        }),
      ),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'program-on-both-nodes',
    title: 'a program runs on both nodes',
    pod: () => podOf(program(`${polite} ${run}`), { topologySpreadConstraints: spread }),
    deployment: { replicas: 4 },
    reached: allReady(4),
    cause: null,
  },
  {
    id: 'rule-restarts-all',
    title: 'a container exits with 42, upon which a rule restarts all containers',
    pod: () =>
      podOf(program(`${polite} ${run}`), {
        containers: [
          program(`${polite} ${run}`),
          program('sleep 4; exit 42', { name: 'watcher', ...restartAllOn(42) }),
        ],
      }),
    reached: restarted(3),
    cause: 'application-crash',
    container: 'watcher',
  },
  {
    id: 'rule-restarted-all-once',
    title: 'a rule restarted all containers once, and they run since',
    pod: () =>
      podOf(program(`${polite} ${run}`), {
        containers: [
          program(`${polite} ${run}`),
          program(once('exit 42'), { name: 'watcher', ...restartAllOn(42), ...state.mounts }),
        ],
        ...state.volumes,
      }),
    reached: allReady(1, 1),
    cause: 'application-crash',
    never: ['crash-loop-after-rollout', 'readiness-failing', 'liveness-probe-kill', 'out-of-memory'],
    container: 'watcher',
  },
  {
    id: 'crash-beside-a-rule-for-all',
    title: 'a container exits with 3 beside one whose rule would restart all',
    pod: () =>
      podOf(program('sleep 3; exit 3'), {
        containers: [
          program('sleep 3; exit 3'),
          program(`${polite} ${run}`, { name: 'watcher', ...restartAllOn(42) }),
        ],
      }),
    reached: restarted(3),
    cause: 'application-crash',
    container: 'app',
    facts: { exitCode: 3 },
  },
  {
    id: 'rule-for-this-exit-code',
    title: 'a container that is never restarted exits with 42, upon which a rule restarts it',
    pod: () => podOf(program('sleep 2; exit 42', restartsOn(42))),
    reached: restarted(2),
    cause: 'application-crash',
    facts: { exitCode: 42 },
  },
  {
    id: 'rule-for-another-exit-code',
    title: 'a container exits with 3, and its rule restarts it for 42 only',
    pod: () => podOf(program('sleep 2; exit 3', restartsOn(42))),
    reached: (pods) =>
      pods.some(({ status }) => status?.containerStatuses?.[0]?.state?.terminated?.exitCode === 3),
    later: 900,
    cause: 'application-crash',
    facts: { exitCode: 3 },
  },
];
