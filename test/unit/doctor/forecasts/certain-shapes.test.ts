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
const shapesOf = (workload: Workload): readonly string[] =>
  certainShapes.filter((shape) => shape.matches(workload)).map(({ id }) => id);

const onHost = { hostNetwork: true };
const plainPort = { containerPort: 80 };

describe('a Deployment whose only pod holds a host port of its one node', () => {
  it.each<[string, Fields, boolean]>([
    ['by default', {}, true],
    ['with a surge of one', { bounds: { maxSurge: 1, maxUnavailable: 0 } }, true],
    ['without a surge', { bounds: { maxSurge: 0, maxUnavailable: 1 } }, false],
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

describe('a DaemonSet that surges with a host port', () => {
  it.each<[string, Fields, boolean]>([
    ['by one pod', {}, true],
    ['by a percentage', { bounds: { maxSurge: '1%' } }, true],
    ['by none', { bounds: { maxSurge: 0, maxUnavailable: 1 } }, false],
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
