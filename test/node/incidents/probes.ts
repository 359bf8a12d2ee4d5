import {
  allReady,
  exec,
  healthy,
  type NodeIncident,
  podOf,
  polite,
  program,
  restarted,
  run,
} from './incident.js';

const isStarted = (pods: Parameters<NodeIncident['reached']>[0]): boolean =>
  pods.some(({ status }) => status?.containerStatuses?.some(({ state }) => state?.running !== undefined));

/** Containers that the kubelet kills for a probe, and ends that only look so. */
export const probes: readonly NodeIncident[] = [
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
    id: 'liveness-143',
    title: 'a program that exits with 143 on SIGTERM is killed for its liveness probe',
    pod: () => podOf(program(`trap 'exit 143' TERM; ${run}`, { livenessProbe: healthy })),
    reached: restarted(3),
    cause: 'liveness-probe-kill',
    never: ['application-crash'],
  },
  {
    id: 'liveness-with-a-grace-of-its-own',
    title: 'the liveness probe has a shorter grace period than the pod',
    pod: () =>
      podOf(
        program(`trap '' TERM; ${run}`, { livenessProbe: { ...healthy, terminationGracePeriodSeconds: 2 } }),
        { terminationGracePeriodSeconds: 20 },
      ),
    reached: restarted(3),
    cause: 'liveness-probe-kill',
  },
  {
    id: 'liveness-closed-port',
    title: 'nothing listens at the port of the liveness probe',
    pod: () =>
      podOf(
        program(`${polite} ${run}`, {
          livenessProbe: { tcpSocket: { port: 9 }, periodSeconds: 2, failureThreshold: 2 },
        }),
      ),
    reached: restarted(3),
    cause: 'liveness-probe-kill',
    never: ['process-exits-zero'],
  },
  {
    id: 'liveness-page-fails',
    title: 'the page of the liveness probe answers 404',
    pod: () =>
      podOf(
        program(`${polite} httpd -p 8080 -h /tmp; ${run}`, {
          livenessProbe: {
            httpGet: { path: '/healthz', port: 8080 },
            periodSeconds: 2,
            failureThreshold: 2,
          },
        }),
      ),
    reached: restarted(3),
    cause: 'liveness-probe-kill',
  },
  {
    id: 'liveness-failed-below-its-threshold',
    title: 'the liveness probe fails twice, and five failures would be too many',
    pod: () =>
      podOf(
        program(
          `${polite} touch /tmp/ok; sleep 5 & wait $!; rm /tmp/ok; sleep 5 & wait $!; touch /tmp/ok /tmp/again; ${run}`,
          {
            livenessProbe: { ...healthy, failureThreshold: 8 },
            readinessProbe: exec('cat', '/tmp/again'),
          },
        ),
      ),
    reached: allReady(),
    cause: null,
    never: ['liveness-probe-kill'],
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
    id: 'startup-never-passes-and-ignores-sigterm',
    title: 'a startup probe never passes, and the program ignores SIGTERM',
    pod: () => podOf(program(`trap '' TERM; ${run}`, { startupProbe: exec('false') })),
    reached: restarted(3),
    cause: 'startup-probe-kill',
    never: ['out-of-memory'],
  },
  {
    id: 'startup-passes-late',
    title: 'a startup probe passes after twelve seconds',
    pod: () =>
      podOf(
        program(`${polite} sleep 12 & wait $!; touch /tmp/ok; ${run}`, {
          startupProbe: { ...healthy, failureThreshold: 15 },
        }),
      ),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'crash-before-the-startup-probe-gives-up',
    title: 'a program exits with 6 while its startup probe still waits',
    pod: () => podOf(program('sleep 5; exit 6', { startupProbe: { ...healthy, failureThreshold: 60 } })),
    reached: restarted(3),
    cause: 'application-crash',
    never: ['startup-probe-kill'],
  },
  {
    id: 'readiness-never-passes',
    title: 'a readiness probe never passes, and the program runs',
    pod: () => podOf(program(`${polite} ${run}`, { readinessProbe: exec('cat', '/tmp/none') })),
    reached: isStarted,
    later: 360,
    cause: 'readiness-failing',
    never: ['liveness-probe-kill', 'application-crash'],
  },
  {
    id: 'readiness-passes-late',
    title: 'a readiness probe passes after twelve seconds',
    pod: () =>
      podOf(program(`${polite} sleep 12 & wait $!; touch /tmp/ok; ${run}`, { readinessProbe: healthy })),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'crash-beside-a-failing-readiness-probe',
    title: 'a program exits with 3 while its readiness probe fails',
    pod: () => podOf(program('sleep 8; exit 3', { readinessProbe: exec('cat', '/tmp/none') })),
    reached: restarted(3),
    cause: 'application-crash',
    never: ['readiness-failing', 'liveness-probe-kill'],
  },
  {
    id: 'liveness-of-a-page-that-works',
    title: 'the page of the liveness probe answers 200',
    pod: () =>
      podOf(
        program(`${polite} echo well >/tmp/index.html; httpd -p 8080 -h /tmp; ${run}`, {
          livenessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 2, failureThreshold: 3 },
        }),
      ),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'liveness-of-an-open-port',
    title: 'something listens at the port of the liveness probe',
    pod: () =>
      podOf(
        program(`${polite} httpd -p 8080 -h /tmp; ${run}`, {
          livenessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 2, failureThreshold: 3 },
        }),
      ),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'readiness-of-both-containers',
    title: 'both containers of a pod pass their readiness probes',
    pod: () =>
      podOf(program(run), {
        containers: ['app', 'second'].map((name) =>
          program(`${polite} touch /tmp/ok; ${run}`, { name, readinessProbe: healthy }),
        ),
      }),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'readiness-not-yet-due',
    title: 'a readiness probe has not passed yet, and the program started a minute ago',
    pod: () => podOf(program(`${polite} ${run}`, { readinessProbe: exec('cat', '/tmp/none') })),
    reached: isStarted,
    later: 60,
    cause: null,
    never: ['readiness-failing'],
  },
];
