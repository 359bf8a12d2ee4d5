import { describe, expect, it } from 'vitest';
import { certainShapes } from '#src/doctor/forecasts/certain-shapes.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Workload } from '#src/engine/objects/workload.js';

interface Fields {
  readonly spec?: object;
  readonly bounds?: object;
  readonly strategy?: object;
  readonly pod?: object;
  readonly port?: object;
}

const containerOf = (port: object) => ({ name: 'app', image: 'web', ports: [port] });
function deployment({
  spec = {},
  bounds = {},
  strategy,
  pod = {},
  port = { containerPort: 80, hostPort: 80 },
}: Fields) {
  const nodeSelector = { 'kubernetes.io/hostname': 'n-1' };
  return schemas.Deployment.parse({
    metadata: { name: 'web', namespace: 'shop', uid: 'u' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      strategy: strategy ?? {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%', ...bounds },
      },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { nodeSelector, containers: [containerOf(port)], ...pod },
      },
      ...spec,
    },
  });
}
function daemonSet({ bounds = {}, strategy, pod = {}, port = { containerPort: 80, hostPort: 80 } }: Fields) {
  return schemas.DaemonSet.parse({
    metadata: { name: 'agent', namespace: 'shop', uid: 'u' },
    spec: {
      selector: { matchLabels: { app: 'agent' } },
      updateStrategy: strategy ?? {
        type: 'RollingUpdate',
        rollingUpdate: { maxSurge: 1, maxUnavailable: 0, ...bounds },
      },
      template: { metadata: { labels: { app: 'agent' } }, spec: { containers: [containerOf(port)], ...pod } },
    },
  });
}
/**
 * The shapes that a workload has, of its kind. The API server decides by the CEL expression of a shape, so that one must
 * say the same of the workload as it is stored.
 */
function shapesOf(workload: Workload): readonly string[] {
  const matching = certainShapes.filter((shape) => shape.matches(workload));
  const ofKind = certainShapes.filter(({ kind }) => kind === workload.kind);
  expect(ofKind.filter(({ cel }) => isTrue(cel, workload))).toEqual(matching);
  return matching.map(({ id }) => id);
}

const macros: readonly (readonly [RegExp, string])[] = [
  [/has\(([\w.]+)\)/gu, 'has(() => $1)'],
  [/\.exists\((\w+), /gu, '.some(($1) => '],
];
/** Of JavaScript and CEL, these expressions have all but the functions in common. */
function isTrue(cel: string, object: Workload): boolean {
  const script = macros.reduce((text, [macro, call]) => text.replace(macro, call), cel);
  const functions = {
    has: (field: () => unknown) => field() !== undefined,
    type: (value: unknown) => (typeof value === 'number' ? 'int' : 'string'),
    string: (value: string) => ({ matches: (pattern: string) => value.match(pattern) !== null }),
  };
  const run = new Function(
    'object',
    'has',
    'type',
    'string',
    'int',
    `return ${script.replaceAll(/\bint\(/gu, '(')};`,
  );
  return run(object, functions.has, functions.type, functions.string, 'int') as boolean;
}

const onHost = { hostNetwork: true };
const plainPort = { containerPort: 80 };

describe('a Deployment whose only pod holds a host port of its one node', () => {
  it.each<[string, Fields, boolean]>([
    ['by default', {}, true],
    ['with a surge of one', { bounds: { maxSurge: 1, maxUnavailable: 0 } }, true],
    ['without a surge', { bounds: { maxSurge: 0, maxUnavailable: 1 } }, false],
    ['with a surge of 0 %', { bounds: { maxSurge: '00%', maxUnavailable: 1 } }, false],
    ['where the surge is 10 %', { bounds: { maxSurge: '010%' } }, true],
    ['where more than all of it may go', { bounds: { maxUnavailable: '0250%' } }, false],
    ['where all of it may go, and more than one pod', { bounds: { maxUnavailable: '1000%' } }, false],
    ['where none of it may go', { bounds: { maxUnavailable: 0 } }, true],
    ['where the old pod may go first', { bounds: { maxUnavailable: 1 } }, false],
    ['where the old pod may go first by percentage', { bounds: { maxUnavailable: '100%' } }, false],
    ['where nearly all of it may go', { bounds: { maxUnavailable: '99%' } }, true],
    ['where the surge is 1 %', { bounds: { maxSurge: '1%' } }, true],
    ['that is recreated', { strategy: { type: 'Recreate' } }, false],
    ['of two replicas', { spec: { replicas: 2 } }, false],
    ['of no replicas', { spec: { replicas: 0 } }, false],
    ['that may run anywhere', { pod: { nodeSelector: {} } }, false],
    ['that selects a zone', { pod: { nodeSelector: { zone: 'a' } } }, false],
    ['without a host port', { port: plainPort }, false],
    ['on the network of the host', { port: plainPort, pod: onHost }, true],
    [
      'on the network of the host without ports',
      { pod: { ...onHost, containers: [{ name: 'app' }] } },
      false,
    ],
    ['under another scheduler', { pod: { schedulerName: 'volcano' } }, false],
  ])('is stuck for certain %s: %s', (_, fields, expected) => {
    expect(shapesOf(deployment(fields))).toEqual(expected ? ['host-port-on-one-node'] : []);
  });
});

it('a shape is one of Deployments or DaemonSets, under its own name', () => {
  expect(certainShapes.map(({ id, kind }) => [id, kind])).toEqual([
    ['host-port-on-one-node', 'Deployment'],
    ['surge-with-host-port', 'DaemonSet'],
  ]);
});

describe('a DaemonSet that surges with a host port', () => {
  it.each<[string, Fields, boolean]>([
    ['by one pod', {}, true],
    ['by a percentage', { bounds: { maxSurge: '1%' } }, true],
    ['by none', { bounds: { maxSurge: 0, maxUnavailable: 1 } }, false],
    ['by 0 %', { bounds: { maxSurge: '0%', maxUnavailable: 1 } }, false],
    ['by deletion alone', { strategy: { type: 'OnDelete' } }, false],
    ['without a host port', { port: plainPort }, false],
    ['on the network of the host', { port: plainPort, pod: onHost }, true],
    ['under another scheduler', { pod: { schedulerName: 'volcano' } }, false],
    [
      'of another container',
      { pod: { containers: [{ name: 'a' }, containerOf({ containerPort: 1, hostPort: 2 })] } },
      true,
    ],
  ])('is stuck for certain %s: %s', (_, fields, expected) => {
    expect(shapesOf(daemonSet(fields))).toEqual(expected ? ['surge-with-host-port'] : []);
  });
});
