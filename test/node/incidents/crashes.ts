import { programImage } from '../machine/images.js';
import {
  allReady,
  created,
  healthy,
  incident,
  isUpdated,
  memory,
  type NodeIncident,
  podOf,
  polite,
  program,
  restarted,
  run,
  updateTo,
  waitsFor,
  works,
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
  incident(
    'exits-with-3',
    'a program exits with code 3, and no limit of local storage is exceeded',
    program(`${polite} exit 3`),
    { reached: restarted(2), cause: 'application-crash', never: ['evicted'] },
  ),
  incident(
    'exits-with-137',
    'a program exits with 137 without a limit and without a probe',
    program('sleep 4; exit 137'),
    {
      reached: restarted(2),
      cause: 'application-crash',
      never: ['out-of-memory', 'node-out-of-memory', 'liveness-probe-kill'],
      facts: { exitCode: 137 },
    },
  ),
  incident(
    'segmentation-fault',
    'the kernel ends a program for a segmentation fault',
    // Kubernetes makes one dollar of two.
    program("sleep 2; sh -c 'kill -SEGV $$$$'; exit $?"),
    { reached: restarted(2), cause: 'application-crash', facts: { exitCode: 139 } },
  ),
  incident(
    'second-container-crashes',
    'of two containers, the second exits with 4',
    podOf(program(`${polite} ${run}`), {
      containers: [program(`${polite} ${run}`), program('sleep 3; exit 4', { name: 'second' })],
    }),
    { reached: restarted(2), cause: 'application-crash', container: 'second', facts: { exitCode: 4 } },
  ),
  incident(
    'crash-after-the-update',
    'the old revision runs, the new one exits with 5',
    program(`${polite} ${run}`),
    {
      steps: [{ reached: allReady(), act: updateTo(program('sleep 1; exit 5')) }],
      reached: restarted(2),
      cause: 'crash-loop-after-rollout',
    },
  ),
  incident('update-that-runs', 'an update is complete after a moment', program(`${polite} ${run}`), {
    steps: [{ reached: allReady(), act: updateTo(program(`${polite} echo new; ${run}`)) }],
    reached: isUpdated,
    cause: null,
  }),
  incident(
    'crashed-once',
    'a program exits with 1 at its first start, and runs since',
    podOf(program(once('exit 1'), state.mounts), state.volumes),
    {
      reached: allReady(1, 1),
      cause: 'application-crash',
      never: ['crash-loop-after-rollout', 'readiness-failing'],
    },
  ),
  incident(
    'finished-once',
    'a program exits with 0 at its first start, and runs since',
    podOf(program(once('exit 0'), state.mounts), state.volumes),
    { reached: allReady(1, 1), cause: null },
  ),
  incident(
    'crash-on-node-b',
    'a program crashes on one of two nodes only',
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
    {
      // Of fewer pods it may be chance.
      deployment: { replicas: 8 },
      reached: (pods) =>
        pods.filter(
          ({ spec, status }) =>
            spec?.nodeName === 'node-b' && (status?.containerStatuses?.[0]?.restartCount ?? 0) > 2,
        ).length === 4,
      cause: 'crash-loop-on-node',
    },
  ),
  incident(
    'crash-on-both-nodes',
    'a program crashes on both nodes',
    podOf(program("echo 'cannot open /dev/card0' >&2; sleep 1; exit 1"), {
      topologySpreadConstraints: spread,
    }),
    {
      deployment: { replicas: 4 },
      reached: (pods) =>
        pods.length === 4 &&
        pods.every(({ status }) => (status?.containerStatuses?.[0]?.restartCount ?? 0) > 2),
      cause: 'application-crash',
      never: ['crash-loop-on-node'],
    },
  ),
  incident(
    'memory-of-the-program',
    'the main process exceeds its memory limit',
    program('sleep 2; exec dd if=/dev/zero of=/dev/null bs=200M count=1', memory('48Mi')),
    { reached: restarted(3), cause: 'out-of-memory', facts: { exitCode: 137 } },
  ),
  incident(
    'memory-beside-a-healthy-probe',
    'the main process exceeds its memory limit beside a liveness probe that never fails',
    program('touch /tmp/ok; sleep 6; exec dd if=/dev/zero of=/dev/null bs=200M count=1', {
      ...memory('48Mi'),
      livenessProbe: healthy,
    }),
    { reached: restarted(2), cause: 'out-of-memory', never: ['liveness-probe-kill'] },
  ),
  incident(
    'memory-of-a-child',
    'the kernel kills a child for memory, and the program exits with 7 much later',
    program('sleep 2; dd if=/dev/zero of=/dev/null bs=200M count=1; sleep 10; exit 7', memory('48Mi')),
    { reached: restarted(3), cause: 'out-of-memory', facts: { exitCode: 7 } },
  ),
  incident(
    'memory-of-a-child-and-exit-0',
    'the kernel kills a child for memory, and the program exits with 0 much later',
    program('sleep 2; dd if=/dev/zero of=/dev/null bs=200M count=1; sleep 10; exit 0', memory('48Mi')),
    { reached: restarted(3), cause: 'out-of-memory', never: ['process-exits-zero'], facts: { exitCode: 0 } },
  ),
  works(
    'memory-of-a-child-that-is-survived',
    'the kernel kills a child for memory, and the program goes on',
    program(`${polite} dd if=/dev/zero of=/dev/null bs=200M count=1; touch /tmp/ok; ${run}`, {
      ...memory('48Mi'),
      readinessProbe: healthy,
    }),
  ),
  incident(
    'memory-volume-full',
    'a memory-backed volume is larger than the memory limit: the container cannot start again',
    podOf(
      program('sleep 2; dd if=/dev/zero of=/data/x bs=1M count=60; sleep 60', {
        ...memory('48Mi'),
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      }),
      { volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }] },
    ),
    {
      reached: (pods) =>
        pods
          .flatMap(({ status }) => status?.containerStatuses ?? [])
          .some(
            ({ restartCount, lastState }) =>
              restartCount > 2 && lastState?.terminated?.reason === 'StartError',
          ),
      cause: 'out-of-memory',
      never: ['sandbox-failure', 'bad-command'],
      facts: { memoryVolumes: ['data'] },
    },
  ),
  works(
    'memory-volume-with-room',
    'a memory-backed volume stays below the memory limit',
    podOf(
      program(`${polite} dd if=/dev/zero of=/data/x bs=1M count=10; touch /tmp/ok; ${run}`, {
        ...memory('48Mi'),
        readinessProbe: healthy,
        volumeMounts: [{ name: 'data', mountPath: '/data' }],
      }),
      { volumes: [{ name: 'data', emptyDir: { medium: 'Memory' } }] },
    ),
  ),
  incident(
    'limit-too-low-to-start',
    'the memory limit is too low for a container to start',
    program(run, memory('1Mi')),
    {
      reached: created,
      event: 'FailedCreatePodSandBox',
      later: 60,
      cause: 'out-of-memory',
      never: ['sandbox-failure', 'bad-command'],
    },
  ),
  incident(
    'read-only-root',
    'a program may not write to its root file system and exits with 1',
    program('touch /etc/written || exit 1', { securityContext: { readOnlyRootFilesystem: true } }),
    { reached: restarted(2), cause: 'application-crash', never: ['mount-failure', 'bad-command'] },
  ),
  works(
    'read-only-root-with-a-volume',
    'a program writes to a volume beside a read-only root file system',
    podOf(
      program(`${polite} touch /state/written || exit 1; ${run}`, {
        securityContext: { readOnlyRootFilesystem: true },
        ...state.mounts,
      }),
      state.volumes,
    ),
  ),
  incident(
    'command-missing',
    'the command of the template does not exist in the image',
    { name: 'app', image: programImage, command: ['/bin/nope'], workingDir: '/tmp' },
    { reached: restarted(2), cause: 'bad-command' },
  ),
  incident(
    'command-not-in-the-path',
    'the command of the template is in no folder of the path',
    { name: 'app', image: programImage, command: ['nope'] },
    { reached: restarted(2), cause: 'bad-command' },
  ),
  incident(
    'command-not-executable',
    'the command of the template is a file without the right to execute it',
    { name: 'app', image: programImage, command: ['/etc/passwd'] },
    { reached: restarted(2), cause: 'bad-command' },
  ),
  incident(
    'command-is-a-folder',
    'the command of the template is a folder of the image',
    { name: 'app', image: programImage, command: ['/etc'] },
    { reached: restarted(2), cause: 'bad-command', never: ['mount-failure'] },
  ),
  incident(
    'script-missing',
    'the shell of the template does not find the script that it is to run',
    program('exec /opt/start.sh'),
    { reached: restarted(2), cause: 'bad-command', facts: { exitCode: 127 } },
  ),
  incident(
    'exits-with-127-after-work',
    'a program works for more than a minute and exits with 127',
    program('sleep 70; exit 127'),
    { reached: restarted(2), cause: 'application-crash', never: ['bad-command'] },
  ),
  incident(
    'working-directory-is-a-file',
    'the working directory of the template is a file of the image',
    program('true', { workingDir: '/etc/passwd' }),
    { reached: restarted(2), cause: 'bad-command', never: ['sandbox-failure'] },
  ),
  works(
    'working-directory-is-made',
    'the working directory of the template does not exist, and the runtime makes it',
    program(`${polite} ${run}`, { workingDir: '/data/none' }),
  ),
  incident(
    'root-forbidden',
    'the template forbids root, and the image runs as root',
    program(run, { securityContext: { runAsNonRoot: true } }),
    {
      reached: waitsFor('CreateContainerConfigError'),
      cause: 'config-missing',
      never: ['image-pull-failure'],
    },
  ),
  works(
    'another-user-than-root',
    'the template forbids root and names another user',
    program(`${polite} ${run}`, { securityContext: { runAsNonRoot: true, runAsUser: 65534 } }),
  ),
  incident(
    'post-start-fails',
    'the postStart hook of the template fails',
    program(`${polite} ${run}`, {
      lifecycle: { postStart: { exec: { command: ['/bin/sh', '-c', 'echo no settings >&2; exit 4'] } } },
    }),
    {
      reached: waitsFor('PostStartHookError'),
      cause: 'application-crash',
      never: ['process-exits-zero', 'liveness-probe-kill'],
    },
  ),
  works(
    'post-start-works',
    'the postStart hook of the template takes some seconds and works',
    program(`${polite} ${run}`, {
      lifecycle: { postStart: { exec: { command: ['/bin/sh', '-c', 'sleep 5'] } } },
    }),
  ),
  works(
    'memory-with-room',
    'the main process stays below its memory limit',
    program(`${polite} dd if=/dev/zero of=/dev/null bs=10M count=1; touch /tmp/ok; ${run}`, {
      ...memory('48Mi'),
      readinessProbe: healthy,
    }),
  ),
  incident(
    'program-on-both-nodes',
    'a program runs on both nodes',
    podOf(program(`${polite} ${run}`), { topologySpreadConstraints: spread }),
    { deployment: { replicas: 4 }, reached: allReady(4), cause: null },
  ),
  incident(
    'rule-restarts-all',
    'a container exits with 42, upon which a rule restarts all containers',
    podOf(program(`${polite} ${run}`), {
      containers: [
        program(`${polite} ${run}`),
        program('sleep 4; exit 42', { name: 'watcher', ...restartAllOn(42) }),
      ],
    }),
    { reached: restarted(3), cause: 'application-crash', container: 'watcher' },
  ),
  incident(
    'rule-restarted-all-once',
    'a rule restarted all containers once, and they run since',
    podOf(program(`${polite} ${run}`), {
      containers: [
        program(`${polite} ${run}`),
        program(once('exit 42'), { name: 'watcher', ...restartAllOn(42), ...state.mounts }),
      ],
      ...state.volumes,
    }),
    {
      reached: allReady(1, 1),
      cause: 'application-crash',
      never: ['crash-loop-after-rollout', 'readiness-failing', 'liveness-probe-kill', 'out-of-memory'],
      container: 'watcher',
    },
  ),
  incident(
    'crash-beside-a-rule-for-all',
    'a container exits with 3 beside one whose rule would restart all',
    podOf(program('sleep 3; exit 3'), {
      containers: [
        program('sleep 3; exit 3'),
        program(`${polite} ${run}`, { name: 'watcher', ...restartAllOn(42) }),
      ],
    }),
    { reached: restarted(3), cause: 'application-crash', container: 'app', facts: { exitCode: 3 } },
  ),
  incident(
    'rule-for-this-exit-code',
    'a container that is never restarted exits with 42, upon which a rule restarts it',
    program('sleep 2; exit 42', restartsOn(42)),
    { reached: restarted(2), cause: 'application-crash', facts: { exitCode: 42 } },
  ),
  incident(
    'rule-for-another-exit-code',
    'a container exits with 3, and its rule restarts it for 42 only',
    program('sleep 2; exit 3', restartsOn(42)),
    {
      reached: (pods) =>
        pods.some(({ status }) => status?.containerStatuses?.[0]?.state?.terminated?.exitCode === 3),
      later: 900,
      cause: 'application-crash',
      facts: { exitCode: 3 },
    },
  ),
];
