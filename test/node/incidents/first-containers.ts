import type { V1Container } from '@kubernetes/client-node';
import {
  exec,
  failedInit,
  healthy,
  incident,
  type NodeIncident,
  podOf,
  polite,
  program,
  run,
  works,
} from './incident.js';

const app = program(`${polite} ${run}`);
const named = (name: string, script: string, more: Partial<V1Container> = {}) =>
  program(script, { name, ...more });
const sidecar = (script: string, more: Partial<V1Container> = {}) =>
  named('proxy', script, { restartPolicy: 'Always', ...more });

/** Containers that start before the others. */
export const firstContainers: readonly NodeIncident[] = [
  incident(
    'init-crashes',
    'an init container exits with 1',
    podOf(app, { initContainers: [named('migrate', 'sleep 1; exit 1')] }),
    {
      reached: failedInit('migrate', 2),
      cause: 'application-crash',
      never: ['init-container-stuck', 'crash-loop-on-node'],
      container: 'migrate',
      facts: { exitCode: 1 },
    },
  ),
  incident(
    'second-of-three-inits-crashes',
    'of three init containers, the second exits with 2',
    podOf(app, {
      initContainers: [
        named('first', 'exit 0'),
        named('migrate', 'sleep 1; exit 2'),
        named('third', 'exit 0'),
      ],
    }),
    {
      reached: failedInit('migrate', 2),
      cause: 'application-crash',
      never: ['init-container-stuck', 'crash-loop-on-node'],
      container: 'migrate',
      facts: { exitCode: 2 },
    },
  ),
  incident(
    'init-command-missing',
    'the command of an init container does not exist in its image',
    podOf(app, { initContainers: [named('migrate', '', { command: ['/bin/nope'] })] }),
    { reached: failedInit('migrate', 2), cause: 'bad-command', container: 'migrate' },
  ),
  incident(
    'init-at-work',
    'an init container has worked for some seconds',
    podOf(app, { initContainers: [named('migrate', 'sleep 90')] }),
    {
      reached: (pods) =>
        pods.some(({ status }) =>
          status?.initContainerStatuses?.some(({ state }) => state?.running !== undefined),
        ),
      later: 40,
      cause: null,
      never: ['init-container-stuck'],
    },
  ),
  works(
    'init-failed-once',
    'an init container fails once and is done the second time',
    podOf(app, {
      initContainers: [
        named('migrate', '[ -e /state/ran ] && exit 0; touch /state/ran; exit 1', {
          volumeMounts: [{ name: 'state', mountPath: '/state' }],
        }),
      ],
      volumes: [{ name: 'state', emptyDir: {} }],
    }),
    { never: ['init-container-stuck'] },
  ),
  incident(
    'sidecar-crashes',
    'a sidecar exits with 3 again and again, and the program runs',
    podOf(app, { initContainers: [sidecar('sleep 6; exit 3')] }),
    {
      reached: failedInit('proxy', 3),
      cause: 'application-crash',
      never: ['init-container-stuck'],
      container: 'proxy',
      facts: { exitCode: 3 },
    },
  ),
  incident(
    'sidecar-never-starts',
    'a sidecar exits with 3 before its startup probe passes, and the program never starts',
    podOf(app, {
      initContainers: [sidecar('sleep 1; exit 3', { startupProbe: exec('cat', '/tmp/none') })],
    }),
    {
      reached: failedInit('proxy', 3),
      cause: 'application-crash',
      container: 'proxy',
      facts: { exitCode: 3 },
    },
  ),
  incident(
    'sidecar-killed',
    'a sidecar is killed for its liveness probe',
    podOf(app, { initContainers: [sidecar(`${polite} ${run}`, { livenessProbe: healthy })] }),
    {
      reached: failedInit('proxy', 3),
      cause: 'liveness-probe-kill',
      never: ['process-exits-zero'],
      container: 'proxy',
    },
  ),
  works(
    'sidecar-runs',
    'a sidecar and the program run',
    podOf(app, { initContainers: [sidecar(`${polite} ${run}`)] }),
  ),
  works(
    'three-inits-done',
    'three init containers are done, and the program runs',
    podOf(app, { initContainers: ['first', 'migrate', 'third'].map((name) => named(name, 'exit 0')) }),
  ),
  works(
    'sidecar-passes-its-startup-probe',
    'a sidecar passes its startup probe after some seconds',
    podOf(app, {
      initContainers: [
        sidecar(`${polite} sleep 4 & wait $!; touch /tmp/ok; ${run}`, {
          startupProbe: { ...healthy, failureThreshold: 15 },
        }),
      ],
    }),
  ),
];
