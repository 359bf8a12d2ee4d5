import { describe, expect, it } from 'vitest';
import { applicationCrash } from '#src/doctor/causes/application-crash.js';
import { badCommand } from '#src/doctor/causes/bad-command.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { backingOff, crashSnapshot, ended, failingPod } from '../findings/crashes/build.js';
import { foundBy, mustFind, told } from './run-rule.js';

interface Change {
  readonly lines?: readonly string[];
  readonly message?: string;
  readonly reason?: string;
  readonly spec?: object;
}

/** A container that ends with exit code 126 a few seconds after its start. */
function ending({ lines = [], message = '', reason = 'Error', spec = {} }: Change) {
  const lastState = ended({ exitCode: reason === 'StartError' ? 128 : 126, reason, message, seconds: 4 });
  return crashSnapshot({
    pods: [failingPod({ containers: [{ state: backingOff, lastState, ready: false }], spec })],
    logs: [{ namespace: 'shop', pod: 'web-1-a', container: 'app', previous: true, lines, truncated: false }],
    others: {
      Service: ['web', 'db'].map((name) =>
        schemas.Service.parse({
          metadata: { name, namespace: 'shop' },
          spec: { clusterIP: '10.96.4.4', ports: [{ port: 80 }] },
        }),
      ),
    },
  });
}

describe('exit code 126', () => {
  it('is the choice of a program whose log names what it met', () => {
    const snapshot = ending({
      lines: [
        '2026-11-20T09:28:45Z\tinfo\tListening on 127.0.0.1:15006',
        '2026-11-20T09:28:45Z\terror\tError connecting to 127.0.0.6:15002: dial tcp 127.0.0.6:15002: connect: connection refused',
        '2026-11-20T09:28:49Z\terror\tvalidation failed; workload is not ready',
      ],
    });
    expect(foundBy(badCommand, snapshot)).toBeUndefined();
    expect(mustFind(applicationCrash, snapshot).facts?.ending).toBe('unreachable');
  });

  it.each<[string, readonly string[]]>([
    ['says that it may not be executed', ['/entrypoint.sh: line 3: /app/run: Permission denied']],
    [
      'met another failure before',
      [
        'nc: connect to db port 5432 failed: Connection refused',
        '/entrypoint.sh: line 3: /app/run: Permission denied',
      ],
    ],
    ['has no line in its log', []],
  ])('is a command that cannot run where the script %s', (_, lines) => {
    mustFind(badCommand, ending({ lines }));
  });
});

describe('arguments and variables that are too large together', () => {
  const said = 'exec: "/app/run": argument list too long';

  it.each<[string, Change]>([
    ['the runtime', { reason: 'StartError', message: `runc create failed: ${said}` }],
    ['a script', { lines: ['/entrypoint.sh: line 12: /app/run: Argument list too long'] }],
  ])('are named where %s reports it, with the Services of the namespace', (_, change) => {
    const { steps, advice, adviceSaid } = told(mustFind(badCommand, ending(change)));
    expect(steps).toContainEqual(expect.objectContaining({ key: 'too-long', values: { services: 2 } }));
    expect(advice[0]).toBe('advice-long-title');
    expect(adviceSaid).not.toContain('not-executable');
  });

  it('are not a matter of Services whose variables the pod does not take', () => {
    const change = { reason: 'StartError', message: said, spec: { enableServiceLinks: false } };
    const { steps } = told(mustFind(badCommand, ending(change)));
    expect(steps).toContainEqual(expect.objectContaining({ key: 'too-long', values: { services: 0 } }));
  });

  it('are not meant by another refusal', () => {
    const change = { reason: 'StartError', message: 'exec: "/app/run": no such file or directory' };
    expect(told(mustFind(badCommand, ending(change))).advice).toEqual(['advice-title']);
  });
});
