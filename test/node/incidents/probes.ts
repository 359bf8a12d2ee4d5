import {
  exec,
  healthy,
  incident,
  type NodeIncident,
  podOf,
  polite,
  program,
  restarted,
  run,
  works,
} from './incident.js';

const isStarted = (pods: Parameters<NodeIncident['reached']>[0]): boolean =>
  pods.some(({ status }) => status?.containerStatuses?.some(({ state }) => state?.running !== undefined));

/** Containers that the kubelet kills for a probe, and ends that only look so. */
export const probes: readonly NodeIncident[] = [
  incident(
    'liveness-polite',
    'a program that ends well on SIGTERM is killed for its liveness probe; its exit code is 0',
    program(`${polite} touch /tmp/ok; sleep 8 & wait $!; rm /tmp/ok; ${run}`, { livenessProbe: healthy }),
    { reached: restarted(4), cause: 'liveness-probe-kill', never: ['process-exits-zero'] },
  ),
  incident(
    'finishes-under-a-healthy-probe',
    'a program ends with exit code 0 beside a liveness probe that never fails',
    program('touch /tmp/ok; sleep 12', { livenessProbe: healthy }),
    { reached: restarted(3), cause: 'process-exits-zero', never: ['liveness-probe-kill'] },
  ),
  incident(
    'liveness-stubborn',
    'a program that ignores SIGTERM is killed for its liveness probe after its grace period',
    program(`trap '' TERM; ${run}`, { livenessProbe: healthy }),
    { reached: restarted(4), cause: 'liveness-probe-kill' },
  ),
  incident(
    'liveness-143',
    'a program that exits with 143 on SIGTERM is killed for its liveness probe',
    program(`trap 'exit 143' TERM; ${run}`, { livenessProbe: healthy }),
    { reached: restarted(3), cause: 'liveness-probe-kill', never: ['application-crash'] },
  ),
  incident(
    'liveness-with-a-grace-of-its-own',
    'the liveness probe has a shorter grace period than the pod',
    podOf(
      program(`trap '' TERM; ${run}`, { livenessProbe: { ...healthy, terminationGracePeriodSeconds: 2 } }),
      { terminationGracePeriodSeconds: 20 },
    ),
    { reached: restarted(3), cause: 'liveness-probe-kill' },
  ),
  incident(
    'liveness-closed-port',
    'nothing listens at the port of the liveness probe',
    program(`${polite} ${run}`, {
      livenessProbe: { tcpSocket: { port: 9 }, periodSeconds: 2, failureThreshold: 2 },
    }),
    { reached: restarted(3), cause: 'liveness-probe-kill', never: ['process-exits-zero'] },
  ),
  incident(
    'liveness-page-fails',
    'the page of the liveness probe answers 404',
    program(`${polite} httpd -p 8080 -h /tmp; ${run}`, {
      livenessProbe: {
        httpGet: { path: '/healthz', port: 8080 },
        periodSeconds: 2,
        failureThreshold: 2,
      },
    }),
    { reached: restarted(3), cause: 'liveness-probe-kill' },
  ),
  works(
    'liveness-failed-below-its-threshold',
    'the liveness probe fails twice, and five failures would be too many',
    program(
      `${polite} touch /tmp/ok; sleep 5 & wait $!; rm /tmp/ok; sleep 5 & wait $!; touch /tmp/ok /tmp/again; ${run}`,
      {
        livenessProbe: { ...healthy, failureThreshold: 8 },
        readinessProbe: exec('cat', '/tmp/again'),
      },
    ),
    { never: ['liveness-probe-kill'] },
  ),
  incident(
    'stopped-by-itself-143',
    'a program exits with 143 beside a liveness probe that never fails',
    program('touch /tmp/ok; sleep 12; exit 143', { livenessProbe: healthy }),
    { reached: restarted(3), cause: 'application-crash', never: ['liveness-probe-kill'] },
  ),
  incident(
    'startup-never-passes',
    'a startup probe never passes, and the program ends well on SIGTERM',
    program(`${polite} ${run}`, { startupProbe: exec('false') }),
    { reached: restarted(4), cause: 'startup-probe-kill', never: ['process-exits-zero'] },
  ),
  incident(
    'startup-never-passes-and-ignores-sigterm',
    'a startup probe never passes, and the program ignores SIGTERM',
    program(`trap '' TERM; ${run}`, { startupProbe: exec('false') }),
    { reached: restarted(3), cause: 'startup-probe-kill', never: ['out-of-memory'] },
  ),
  works(
    'startup-passes-late',
    'a startup probe passes after twelve seconds',
    program(`${polite} sleep 12 & wait $!; touch /tmp/ok; ${run}`, {
      startupProbe: { ...healthy, failureThreshold: 15 },
    }),
  ),
  incident(
    'crash-before-the-startup-probe-gives-up',
    'a program exits with 6 while its startup probe still waits',
    program('sleep 5; exit 6', { startupProbe: { ...healthy, failureThreshold: 60 } }),
    { reached: restarted(3), cause: 'application-crash', never: ['startup-probe-kill'] },
  ),
  incident(
    'readiness-never-passes',
    'a readiness probe never passes, and the program runs',
    program(`${polite} ${run}`, { readinessProbe: exec('cat', '/tmp/none') }),
    {
      reached: isStarted,
      later: 360,
      cause: 'readiness-failing',
      never: ['liveness-probe-kill', 'application-crash'],
    },
  ),
  works(
    'readiness-passes-late',
    'a readiness probe passes after twelve seconds',
    program(`${polite} sleep 12 & wait $!; touch /tmp/ok; ${run}`, { readinessProbe: healthy }),
  ),
  incident(
    'crash-beside-a-failing-readiness-probe',
    'a program exits with 3 while its readiness probe fails',
    program('sleep 8; exit 3', { readinessProbe: exec('cat', '/tmp/none') }),
    {
      reached: restarted(3),
      cause: 'application-crash',
      never: ['readiness-failing', 'liveness-probe-kill'],
    },
  ),
  works(
    'liveness-of-a-page-that-works',
    'the page of the liveness probe answers 200',
    program(`${polite} echo well >/tmp/index.html; httpd -p 8080 -h /tmp; ${run}`, {
      livenessProbe: { httpGet: { path: '/', port: 8080 }, periodSeconds: 2, failureThreshold: 3 },
    }),
  ),
  works(
    'liveness-of-an-open-port',
    'something listens at the port of the liveness probe',
    program(`${polite} httpd -p 8080 -h /tmp; ${run}`, {
      livenessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 2, failureThreshold: 3 },
    }),
  ),
  works(
    'readiness-of-both-containers',
    'both containers of a pod pass their readiness probes',
    podOf(program(run), {
      containers: ['app', 'second'].map((name) =>
        program(`${polite} touch /tmp/ok; ${run}`, { name, readinessProbe: healthy }),
      ),
    }),
  ),
  incident(
    'readiness-not-yet-due',
    'a readiness probe has not passed yet, and the program started a minute ago',
    program(`${polite} ${run}`, { readinessProbe: exec('cat', '/tmp/none') }),
    { reached: isStarted, later: 60, cause: null, never: ['readiness-failing'] },
  ),
];
