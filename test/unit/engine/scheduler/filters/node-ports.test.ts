import { describe, expect, test } from 'vitest';
import { holdersOf } from '#src/engine/scheduler/reason.js';
import { names, node, pod, reasonsFor } from '../../../../support/placement-builders.js';

interface Port {
  readonly hostPort: number;
  readonly protocol?: string;
  readonly hostIP?: string;
}

function withPort(name: string, port: Port, on?: string) {
  const containers = [{ name: 'c', ports: [{ containerPort: 80, ...port }] }];
  return pod(name, { ...(on === undefined ? {} : { on }), spec: { containers } });
}

function conflict(wanted: Port, taken: Port): boolean {
  return (
    reasonsFor(withPort('new', wanted), { Node: [node('n1')], Pod: [withPort('old', taken, 'n1')] }).length >
    0
  );
}

describe('host ports', () => {
  const table: readonly (readonly [string, Port, Port, boolean])[] = [
    ['the same port', { hostPort: 80 }, { hostPort: 80 }, true],
    ['another port', { hostPort: 80 }, { hostPort: 81 }, false],
    ['another protocol', { hostPort: 80, protocol: 'UDP' }, { hostPort: 80 }, false],
    ['all addresses against one', { hostPort: 80 }, { hostPort: 80, hostIP: '10.0.0.1' }, true],
    [
      'one address against all',
      { hostPort: 80, hostIP: '10.0.0.1' },
      { hostPort: 80, hostIP: '0.0.0.0' },
      true,
    ],
    [
      'two different addresses',
      { hostPort: 80, hostIP: '10.0.0.1' },
      { hostPort: 80, hostIP: '10.0.0.2' },
      false,
    ],
    ['the same address', { hostPort: 80, hostIP: '10.0.0.1' }, { hostPort: 80, hostIP: '10.0.0.1' }, true],
    ['no host port wanted', { hostPort: 0 }, { hostPort: 80 }, false],
    ['no host port in use', { hostPort: 80 }, { hostPort: 0 }, false],
  ];
  test.each(table)('%s: %j against %j conflicts: %s', (_, wanted, taken, expected) => {
    expect(conflict(wanted, taken)).toBe(expected);
    expect(conflict(taken, wanted)).toBe(expected);
  });

  test('are reported with the port and the pod that uses it', () => {
    const [reason] = reasonsFor(withPort('new', { hostPort: 80 }), {
      Node: [node('n1')],
      Pod: [withPort('old', { hostPort: 80 }, 'n1'), pod('other', { on: 'n1' })],
    });
    expect(reason).toMatchObject({
      id: 'host-port',
      text: "node(s) didn't have free ports for the requested pod ports",
      port: 80,
      protocol: 'TCP',
      hostIP: '0.0.0.0',
      resolvable: true,
    });
    expect(reason === undefined ? [] : names(holdersOf(reason))).toEqual(['old']);
  });

  test('are held by a sidecar, not by an ordinary init container', () => {
    const holder = (restartPolicy: string | undefined) =>
      pod('old', {
        on: 'n1',
        spec: {
          containers: [{ name: 'c' }],
          initContainers: [{ name: 'i', restartPolicy, ports: [{ containerPort: 80, hostPort: 80 }] }],
        },
      });
    const wanted = withPort('new', { hostPort: 80 });
    expect(reasonsFor(wanted, { Node: [node('n1')], Pod: [holder('Always')] })).toHaveLength(1);
    expect(reasonsFor(wanted, { Node: [node('n1')], Pod: [holder(undefined)] })).toEqual([]);
  });

  test('are free after termination of the holder, not while it is terminating', () => {
    const wanted = withPort('new', { hostPort: 80 });
    const done = pod('old', { on: 'n1', phase: 'Failed', hostPort: 80 });
    const terminatingPod = pod('old', { on: 'n1', terminating: true, hostPort: 80 });
    expect(reasonsFor(wanted, { Node: [node('n1')], Pod: [done] })).toEqual([]);
    expect(reasonsFor(wanted, { Node: [node('n1')], Pod: [terminatingPod] })).toHaveLength(1);
  });
});
