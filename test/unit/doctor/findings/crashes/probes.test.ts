import { describe, expect, it } from 'vitest';
import type { FailureGroup } from '#src/doctor/findings/crashes/failure-group.js';
import { lastLinesOf } from '#src/doctor/findings/crashes/last-lines.js';
import { earliestKill, startupAllowance, targetOf } from '#src/doctor/findings/crashes/probe-kill-sign.js';
import { probeUseOf } from '#src/doctor/findings/crashes/probe-use.js';
import { signalOf } from '#src/doctor/findings/crashes/text.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { Container, Probe } from '#src/engine/objects/pod-spec.js';
import type { ContainerLog } from '#src/engine/objects/snapshot.js';
import { buildSnapshot } from '../../../../support/remediation-builders.js';
import { buildDeployment } from '../../../../support/rollout-builders.js';

describe('the check of a probe', () => {
  it.each<[object, string, string, string | undefined]>([
    [{ httpGet: { port: 8080, path: '/healthz' } }, 'httpGet', 'GET :8080/healthz', '8080'],
    [{ httpGet: { port: 'http' } }, 'httpGet', 'GET :http/', 'http'],
    [{ httpGet: { port: 8443, scheme: 'HTTPS' } }, 'httpGet', 'HTTPS GET :8443/', '8443'],
    [{ tcpSocket: { port: 5432 } }, 'tcpSocket', ':5432', '5432'],
    [{ grpc: { port: 9000 } }, 'grpc', ':9000', '9000'],
    [{ exec: { command: ['cat', '/ready'] } }, 'exec', 'cat /ready', undefined],
    [{}, 'exec', '', undefined],
  ])('of %j is %s %s', (probe, by, what, port) => {
    expect(targetOf(Probe.parse(probe))).toEqual({ by, what, port });
  });

  it.each([
    [{}, 20, 30],
    [{ initialDelaySeconds: 5 }, 25, 35],
    [{ periodSeconds: 1, failureThreshold: 1 }, 0, 1],
    [{ initialDelaySeconds: 7, periodSeconds: 4, failureThreshold: 6 }, 27, 31],
  ])('with %j ends a run after %d s at the earliest, and a start after %d s', (probe, kill, startup) => {
    expect(earliestKill(Probe.parse(probe))).toBe(kill);
    expect(startupAllowance(Probe.parse(probe))).toBe(startup);
  });
});

const pod = schemas.Pod.parse({
  metadata: { name: 'web-1', namespace: 'shop' },
  spec: { terminationGracePeriodSeconds: 45 },
});
const event = (reason: string, message: string, count: number) =>
  schemas.Event.parse({ metadata: {}, reason, message, count });

function groupOf(
  container: object | undefined,
  events: readonly ReturnType<typeof event>[] = [],
): FailureGroup {
  const podFailure = {
    pod,
    events,
    container: container && { name: 'app', spec: Container.parse(container) },
  };
  return { container: 'app', podFailures: [podFailure] } as unknown as FailureGroup;
}

describe('the use of a probe', () => {
  const livenessProbe = { httpGet: { port: 8080 } };

  it('has its last failure message, not the messages of other events', () => {
    const events = [
      event('Unhealthy', 'first', 1),
      event('Unhealthy', 'last', 7),
      event('Killing', 'gone', 2),
    ];
    const use = probeUseOf(groupOf({ livenessProbe }, events), 'livenessProbe');
    expect(use?.answer).toEqual({ message: 'last', times: 7 });
    expect(probeUseOf(groupOf({ livenessProbe }), 'livenessProbe')?.answer).toBeUndefined();
  });

  it.each<[string, object, readonly string[] | undefined]>([
    ['a declared port number', { ports: [{ containerPort: 8080 }], livenessProbe }, undefined],
    [
      'an undeclared port number',
      { ports: [{ containerPort: 80 }, { containerPort: 81 }], livenessProbe },
      ['80', '81'],
    ],
    ['a port of a container that declares none', { livenessProbe }, []],
    [
      'a declared port name',
      { ports: [{ containerPort: 80, name: 'http' }], livenessProbe: { httpGet: { port: 'http' } } },
      undefined,
    ],
    [
      'an undeclared port name',
      {
        ports: [{ containerPort: 80, name: 'web' }, { containerPort: 81 }],
        livenessProbe: { httpGet: { port: 'http' } },
      },
      ['80', '81'],
    ],
    [
      'no port at all',
      { ports: [{ containerPort: 80 }], livenessProbe: { exec: { command: ['true'] } } },
      undefined,
    ],
  ])('checks %s', (_, container, declared) => {
    expect(probeUseOf(groupOf(container), 'livenessProbe')?.declaredInstead).toEqual(declared);
  });

  it('has its own grace period, or that of the pod', () => {
    const own = { livenessProbe: { ...livenessProbe, terminationGracePeriodSeconds: 3 } };
    expect(probeUseOf(groupOf(own), 'livenessProbe')?.graceSeconds).toBe(3);
    expect(probeUseOf(groupOf({ livenessProbe }), 'livenessProbe')?.graceSeconds).toBe(45);
  });

  it('is unknown where the probe or the container no longer exists', () => {
    expect(probeUseOf(groupOf({ livenessProbe }), 'startupProbe')).toBeUndefined();
    expect(probeUseOf(groupOf(undefined), 'livenessProbe')).toBeUndefined();
  });
});

describe('the last log lines of a container', () => {
  const log = (fields: Partial<ContainerLog>): ContainerLog => ({
    namespace: 'shop',
    pod: 'web-1',
    container: 'app',
    previous: false,
    lines: ['said'],
    truncated: false,
    ...fields,
  });
  const last = (...logs: readonly ContainerLog[]) =>
    lastLinesOf(buildSnapshot(buildDeployment(), {}, { logs }), groupOf({}))?.lines;

  it.each<[string, readonly ContainerLog[], readonly string[] | undefined]>([
    ['are empty where no log was read', [], undefined],
    ['are in its log', [log({})], ['said']],
    [
      'are those of the ended run before the current run',
      [log({}), log({ previous: true, lines: ['ended'] })],
      ['ended'],
    ],
    [
      'are at most six',
      [log({ lines: ['1', '2', '3', '4', '5', '6', '7'] })],
      ['2', '3', '4', '5', '6', '7'],
    ],
    ['include no empty lines', [log({ lines: ['a', '', '  ', 'b'] })], ['a', 'b']],
    ['are empty where only empty lines were written', [log({ lines: ['', ' '] })], undefined],
    ['are not those of another pod', [log({ pod: 'web-2' })], undefined],
    ['are not those of another container', [log({ container: 'side' })], undefined],
    ['are not those of another namespace', [log({ namespace: 'ml' })], undefined],
  ])('%s', (_, logs, lines) => {
    expect(last(...logs)).toEqual(lines);
  });
});

describe('the meaning of an exit code', () => {
  it.each([
    [129, 'SIGHUP'],
    [130, 'SIGINT'],
    [131, 'SIGQUIT'],
    [132, 'SIGILL'],
    [133, 'SIGTRAP'],
    [134, 'SIGABRT'],
    [135, 'SIGBUS'],
    [136, 'SIGFPE'],
    [137, 'SIGKILL'],
    [139, 'SIGSEGV'],
    [141, 'SIGPIPE'],
    [143, 'SIGTERM'],
    [159, 'SIGSYS'],
    [1, undefined],
    [128, undefined],
    [255, undefined],
  ])('%d is the signal %s', (code, signal) => {
    expect(signalOf(code)).toBe(signal);
  });
});
