import { describe, expect, it } from 'vitest';
import { livenessProbeKill } from '#src/doctor/causes/liveness-probe-kill.js';
import { processExitsZero } from '#src/doctor/causes/process-exits-zero.js';
import { startupProbeKill } from '#src/doctor/causes/startup-probe-kill.js';
import { classifyPod } from '#src/doctor/findings/crashes/classify-pod.js';
import type { Event } from '#src/engine/objects/event.js';
import { node } from '../../../../support/placement-builders.js';
import { foundBy, mustFind, told } from '../../causes/run-rule.js';
import {
  backingOff,
  type ContainerShape,
  crashSnapshot,
  ended,
  type FailingPodShape,
  failingPod,
  kubeletEvent,
  now,
} from './build.js';

const check = { httpGet: { port: 8080 }, periodSeconds: 2, failureThreshold: 2 };
const live: ContainerShape = { spec: { livenessProbe: check } };
const starting: ContainerShape = { spec: { startupProbe: { ...check, failureThreshold: 3 } } };
const short = { spec: { terminationGracePeriodSeconds: 5 } };

/** A container that was started again 12 times, between two runs. */
const stopped = (end: Parameters<typeof ended>[0], container: ContainerShape): FailingPodShape => ({
  containers: [{ state: backingOff, lastState: ended(end), ready: false, restarts: 12, ...container }],
  ...short,
});

type Seen = Parameters<typeof kubeletEvent>[2];
const about = (reason: string, message: string, seen: Seen) =>
  kubeletEvent(reason, message, { container: 'app', ...seen });
const killing = (which: 'liveness' | 'startup', seen: Seen) =>
  about('Killing', `Container app failed ${which} probe, will be restarted`, { type: 'Normal', ...seen });
const failing = (which: 'Liveness' | 'Startup', seen: Seen) =>
  about('Unhealthy', `${which} probe failed: HTTP probe failed with statuscode: 503`, seen);
const started = (seen: Seen) => about('Started', 'Container started', { type: 'Normal', ...seen });
/** The kubelet wrote about earlier runs, and nothing about the newest one. */
const earlier = { first: 1500, last: 900 };
const untilNow = { first: 1500, last: 60 };

const completed = { exitCode: 0, reason: 'Completed', seconds: 14 };
const causesOf = (shape: FailingPodShape, events: readonly Event[]) =>
  classifyPod(failingPod(shape), { events, node: node('n-a'), now }).map(({ cause }) => cause);

type Case = [what: string, shape: FailingPodShape, events: readonly Event[], cause: string];

describe('a container that the kubelet killed for a probe', () => {
  it.each<Case>([
    [
      'ends well on SIGTERM, and only an earlier kill has an event',
      stopped(completed, live),
      [killing('liveness', { ...earlier, count: 6 })],
      'liveness-probe-kill',
    ],
    [
      'exits with 143, and only an earlier kill has an event',
      stopped({ exitCode: 143, seconds: 14 }, live),
      [killing('liveness', { ...earlier, count: 6 })],
      'liveness-probe-kill',
    ],
    [
      'ignores SIGTERM until its grace period is over',
      stopped({ exitCode: 137, seconds: 9 }, starting),
      [killing('startup', { ...earlier, count: 6 })],
      'startup-probe-kill',
    ],
    [
      'exits with a code of its own each time it is killed',
      stopped({ exitCode: 3, seconds: 14 }, live),
      [started({ ...earlier, count: 6 }), killing('liveness', { ...earlier, count: 6 })],
      'liveness-probe-kill',
    ],
    [
      'has failed checks in place of kills among its events',
      stopped(completed, live),
      [failing('Liveness', { ...earlier, count: 25 })],
      'liveness-probe-kill',
    ],
    [
      'has no event left, and each start took what its startup probe allows',
      { ...stopped({ ...completed, seconds: 6 }, starting) },
      [],
      'startup-probe-kill',
    ],
    [
      'had a child process killed for memory earlier in the run',
      stopped({ exitCode: 0, reason: 'OOMKilled', seconds: 14, before: 60 }, live),
      [killing('liveness', { ...untilNow, last: 62 })],
      'liveness-probe-kill',
    ],
  ])('%s', (_, shape, events, cause) => {
    expect(causesOf(shape, events)).toEqual([cause]);
  });

  it.each<Case>([
    [
      'ends well beside a probe that never failed',
      stopped(completed, live),
      [started({ ...untilNow, count: 7 })],
      'process-exits-zero',
    ],
    [
      'ends well, and the probe failed once while the program closed its port',
      stopped(completed, live),
      [started({ ...untilNow, count: 7 }), failing('Liveness', { ...untilNow, count: 1 })],
      'process-exits-zero',
    ],
    [
      'ends during a check, which has no result then',
      stopped(completed, live),
      [
        about(
          'Unhealthy',
          'Liveness probe errored and resulted in unknown state: rpc error: code = NotFound desc = failed to exec in container',
          { ...untilNow, count: 30 },
        ),
      ],
      'process-exits-zero',
    ],
    [
      'ends well before the probe can fail',
      stopped(
        { ...completed, seconds: 1 },
        { spec: { livenessProbe: { ...check, initialDelaySeconds: 30 } } },
      ),
      [killing('liveness', { ...earlier, count: 6 })],
      'process-exits-zero',
    ],
    [
      'has a failing readiness probe, which kills nothing',
      stopped(completed, { spec: { readinessProbe: check } }),
      [about('Unhealthy', 'Readiness probe failed: connection refused', { ...untilNow, count: 25 })],
      'process-exits-zero',
    ],
    [
      'was killed by somebody before the grace period of a kill can be over',
      stopped({ exitCode: 137, seconds: 3 }, live),
      [killing('liveness', { ...earlier, count: 6 })],
      'application-crash',
    ],
    [
      'was stopped by somebody beside a probe that never failed',
      stopped({ exitCode: 143, seconds: 14 }, live),
      [started({ ...untilNow, count: 7 })],
      'application-crash',
    ],
    [
      'fails with a code of its own more often than it was killed',
      stopped({ exitCode: 3, seconds: 14 }, live),
      [started({ ...earlier, count: 7 }), killing('liveness', { ...earlier, count: 1 })],
      'application-crash',
    ],
    [
      'started in the allowed time and ended well later',
      stopped({ ...completed, seconds: 400 }, starting),
      [],
      'process-exits-zero',
    ],
    [
      'runs now and has passed its startup probe',
      {
        containers: [
          {
            ...starting,
            state: { running: { startedAt: '2026-11-20T09:29:50Z' } },
            lastState: ended({ ...completed, seconds: 6 }),
            started: true,
            ready: false,
            restarts: 12,
          },
        ],
        ...short,
      },
      [],
      'process-exits-zero',
    ],
  ])('is another one than a container that %s', (_, shape, events, cause) => {
    expect(causesOf(shape, events)).toEqual([cause]);
  });

  it('is proven by an event of the run, and likely by one of an earlier run', () => {
    const confidenceOf = (seen: Seen) =>
      mustFind(
        livenessProbeKill,
        crashSnapshot({
          pods: [failingPod(stopped({ ...completed, before: 60 }, live))],
          events: [killing('liveness', seen)],
        }),
      ).confidence;
    expect([confidenceOf({ ...untilNow, last: 62 }), confidenceOf(earlier)]).toEqual(['proven', 'likely']);
  });

  it('is only possible by the length of a run, and the end of the program is not ruled out', () => {
    const pods = [failingPod(stopped({ ...completed, seconds: 6 }, starting))];
    expect(told(mustFind(startupProbeKill, crashSnapshot({ pods })))).toMatchObject({
      confidence: 'possible',
      ruledOut: ['out-of-memory'],
    });
  });
});

describe('a program whose log names what it cannot reach, killed for its probe', () => {
  const find = (answer: string) => {
    const pod = failingPod(stopped({ exitCode: 137, seconds: 14 }, live));
    const { namespace, name } = pod.metadata;
    const lines = ['health check failed: [Errno 111] Connect call failed to postgres:5432'];
    const log = { namespace, pod: name, container: 'app', previous: true, lines, truncated: false };
    const events = [
      about('Unhealthy', `Liveness probe failed: ${answer}`, untilNow),
      killing('liveness', untilNow),
    ];
    return told(mustFind(livenessProbeKill, crashSnapshot({ pods: [pod], events, logs: [log] })));
  };

  it('advises to check the address first where the program answered the probe', () => {
    const { reasoning, advice } = find('HTTP probe failed with statuscode: 503');
    expect(reasoning).toContain('log-failure');
    expect(advice[0]).toBe('unreachable-title');
  });

  it('advises it after the probe where nothing answered', () => {
    const { reasoning, advice } = find('context deadline exceeded');
    expect(reasoning).toContain('log-failure');
    expect(advice[0]).not.toBe('unreachable-title');
    expect(advice).toContain('unreachable-title');
  });
});

describe('a program that ends with exit code 0 under a liveness probe', () => {
  const find = (events: readonly Event[], container: ContainerShape = live) =>
    told(
      mustFind(
        processExitsZero,
        crashSnapshot({ pods: [failingPod(stopped(completed, container))], events }),
      ),
    );

  it('may have been killed for the probe where no event of the run is left', () => {
    const finding = find([]);
    expect(finding).toMatchObject({ confidence: 'possible' });
    expect(finding.reasoning).toContain('probe-may-stop');
    expect(finding.ruledOut).not.toContain('liveness-probe-kill');
    expect(finding.advice[0]).toBe('advice-may-stop-title');
  });

  it('was not where the kubelet wrote about the run and reported no failed check', () => {
    const finding = find([started({ ...untilNow, count: 7 })]);
    expect(finding).toMatchObject({ confidence: 'likely' });
    expect(finding.ruledOut).toContain('liveness-probe-kill');
  });

  it('may have been where the kubelet wrote so many events that it left others out', () => {
    expect(
      find([
        started({ ...untilNow, count: 9 }),
        about('Pulled', 'present', { ...untilNow, type: 'Normal', count: 9 }),
        about('Created', 'Container created', { ...untilNow, type: 'Normal', count: 9 }),
      ]),
    ).toMatchObject({
      confidence: 'possible',
    });
  });

  it('was not where it has no probe that kills', () => {
    expect(find([], {})).toMatchObject({ confidence: 'likely' });
    expect(
      foundBy(livenessProbeKill, crashSnapshot({ pods: [failingPod(stopped(completed, {}))] })),
    ).toBeUndefined();
  });
});
