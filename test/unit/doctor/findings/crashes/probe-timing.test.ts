import { describe, expect, it } from 'vitest';
import { isUnready } from '#src/doctor/findings/crashes/classify-container.js';
import { containersOf } from '#src/doctor/findings/crashes/container-view.js';
import { earliestKill, startupAllowance, targetOf } from '#src/doctor/findings/crashes/probe-kill-sign.js';
import { Probe } from '#src/engine/objects/pod-spec.js';
import { failingPod } from './build.js';

describe('a probe is described with its field', () => {
  it.each([
    ['a path', { httpGet: { port: 8080, path: '/healthz' } }, 'httpGet', 'GET :8080/healthz', '8080'],
    ['the root, where no path is given', { httpGet: { port: 'web' } }, 'httpGet', 'GET :web/', 'web'],
    [
      'a path over TLS',
      { httpGet: { port: 8443, path: '/z', scheme: 'HTTPS' } },
      'httpGet',
      'HTTPS GET :8443/z',
      '8443',
    ],
    ['a port', { tcpSocket: { port: 5432 } }, 'tcpSocket', ':5432', '5432'],
    ['a gRPC service', { grpc: { port: 9090 } }, 'grpc', ':9090', '9090'],
    ['a command', { exec: { command: ['cat', '/tmp/ready'] } }, 'exec', 'cat /tmp/ready', undefined],
    ['an empty command', { exec: {} }, 'exec', '', undefined],
  ])('%s', (_, probe, by, what, port) => {
    expect(targetOf(Probe.parse(probe))).toEqual({ by, what, port });
  });
});

describe('the time that a probe gives a container', () => {
  it.each([
    ['the defaults: three probes ten seconds apart', {}, 20, 30],
    ['one failure is enough', { initialDelaySeconds: 5, failureThreshold: 1 }, 5, 15],
    [
      'a delay, and many failures',
      { initialDelaySeconds: 15, periodSeconds: 5, failureThreshold: 12 },
      70,
      75,
    ],
  ])('%s', (_, timing, kill, allowance) => {
    const probe = Probe.parse({ tcpSocket: { port: 1 }, ...timing });

    expect(earliestKill(probe)).toBe(kill);
    expect(startupAllowance(probe)).toBe(allowance);
  });
});

describe('a running container is reported as not ready', () => {
  const never = Number.NaN;
  const slow = {
    readinessProbe: {
      tcpSocket: { port: 1 },
      initialDelaySeconds: 300,
      periodSeconds: 20,
      failureThreshold: 5,
    },
  };
  const quick = { readinessProbe: { tcpSocket: { port: 1 } } };
  const starting = { ...quick, startupProbe: { tcpSocket: { port: 1 } } };

  it.each<readonly [string, object, { ready?: boolean; started?: boolean }, number, number, boolean]>([
    ['after five minutes, if it never was ready', quick, {}, 301, never, true],
    ['not at five minutes yet', quick, {}, 300, never, false],
    ['not before a slower probe has failed as often as it must', slow, {}, 400, never, false],
    ['after the slower probe has failed that often', slow, {}, 401, never, true],
    ['a minute after it lost its readiness', quick, {}, 61, 61, true],
    ['not within that minute', quick, {}, 3600, 60, false],
    ['not while it is ready', quick, { ready: true }, 3600, never, false],
    ['not without a readiness probe', {}, {}, 3600, never, false],
    ['not before its startup probe has passed', starting, { started: false }, 3600, never, false],
    ['when its startup probe has passed', starting, { started: true }, 3600, never, true],
    ['without a startup probe, whatever its started field', quick, { started: false }, 3600, never, true],
  ])('%s', (_, spec, status, seconds, lost, expected) => {
    const [container] = containersOf(failingPod({ containers: [{ spec, ready: false, ...status }] }));

    expect(container && isUnready(container, seconds, lost)).toBe(expected);
  });

  it('not while its node has reported no state of it', () => {
    const [container] = containersOf(
      failingPod({ containers: [{ spec: quick }], status: { containerStatuses: [] } }),
    );

    expect(container?.status).toBeUndefined();
    expect(container && isUnready(container, 3600, never)).toBe(false);
  });
});
