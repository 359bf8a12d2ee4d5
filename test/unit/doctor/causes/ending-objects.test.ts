import { describe, expect, it } from 'vitest';
import { applicationCrash } from '#src/doctor/causes/application-crash.js';
import { mountFailure } from '#src/doctor/causes/mount-failure/rule.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { node } from '../../../support/placement-builders.js';
import {
  backingOff,
  type ContainerShape,
  crashSnapshot,
  ended,
  failingPod,
  kubeletEvent,
} from '../findings/crashes/build.js';
import { mustFind, told } from './run-rule.js';

interface Change {
  readonly line: string;
  readonly container?: ContainerShape;
  readonly beside?: ContainerShape;
  readonly spec?: object;
  readonly selector?: Readonly<Record<string, string>>;
  readonly clusterIP?: string;
}

/** `shop/web` whose only pod ends with this line, beside a Service `web`. */
function endedWith({
  line,
  container,
  beside,
  spec = {},
  selector = { app: 'web' },
  clusterIP,
}: Change): Snapshot {
  const failing = { state: backingOff, lastState: ended(), ready: false, ...container };
  return crashSnapshot({
    pods: [failingPod({ containers: [failing, ...(beside === undefined ? [] : [beside])], spec })],
    logs: [
      {
        namespace: 'shop',
        pod: 'web-1-a',
        container: 'app',
        previous: true,
        lines: [line],
        truncated: false,
      },
    ],
    others: {
      Service: [
        schemas.Service.parse({
          metadata: { name: 'web', namespace: 'shop' },
          spec: { selector, clusterIP: clusterIP ?? '10.96.4.4', ports: [{ port: 80 }] },
        }),
      ],
    },
  });
}

const crashOf = (change: Change) => told(mustFind(applicationCrash, endedWith(change)));

describe('a port that is none, of a program behind a Service', () => {
  const line = 'Error: port: ports must be within range 0 - 65535';

  it('may be the variable that Kubernetes sets for the Service', () => {
    const { reasoning } = crashOf({ line });
    expect(reasoning).toContain('own-variable');
  });

  it.each<[string, Omit<Change, 'line'>]>([
    ['of a Service that selects other pods', { selector: { app: 'other' } }],
    ['of a Service without an address', { clusterIP: 'None' }],
    ['that the pod turns off', { spec: { enableServiceLinks: false } }],
    ['that the container sets itself', { container: { spec: { env: [{ name: 'WEB_PORT', value: '80' }] } } }],
    [
      'that the container may take from another object',
      { container: { spec: { envFrom: [{ configMapRef: { name: 'settings' } }] } } },
    ],
  ])('is not the variable %s', (_, change) => {
    const { reasoning } = crashOf({ line, ...change });
    expect(reasoning).not.toContain('own-variable');
  });

  it('is not the reason where the setting is no port', () => {
    const { reasoning } = crashOf({ line: 'Error: unknown option --colour' });
    expect(reasoning).not.toContain('own-variable');
  });
});

describe('a URL that a program takes for the name of a socket', () => {
  it('is the variable of the Service that has its address', () => {
    const { reasoning, advice } = crashOf({
      line: 'Error: listen EACCES: permission denied tcp://10.96.4.4:80',
    });
    expect(reasoning).toContain('variable-of-service');
    expect(advice[0]).toBe('service-variable-title');
  });

  it('names no Service that has another address', () => {
    const { reasoning } = crashOf({ line: 'Error: listen EACCES: permission denied tcp://10.96.4.45:80' });
    expect(reasoning).not.toContain('variable-of-service');
  });
});

describe('a file that a former run left', () => {
  const line = 'A server is already running. Check /app/tmp/server.pid.';
  const mounts = { spec: { volumeMounts: [{ name: 'tmp', mountPath: '/app/tmp' }] } };
  const volumes = (source: object) => ({ volumes: [{ name: 'tmp', ...source }] });

  it('ends with the pod, where it is in an emptyDir', () => {
    const finding = crashOf({ line, container: mounts, spec: volumes({ emptyDir: {} }) });
    expect(finding.reasoning).toContain('kept-in-pod');
    expect(finding.advice[0]).toBe('kept-in-pod-title');
    expect(finding.becauseOf).not.toContain('restart-withheld');
  });

  it.each<[string, Omit<Change, 'line'>]>([
    [
      'the volume is a claim',
      { container: mounts, spec: volumes({ persistentVolumeClaim: { claimName: 'data' } }) },
    ],
    ['the path is in no volume', {}],
    [
      'another container has the volume',
      { container: mounts, beside: { name: 'proxy', ...mounts }, spec: volumes({ emptyDir: {} }) },
    ],
  ])('may be of another process, where %s', (_, change) => {
    const finding = crashOf({ line, ...change });
    expect(finding.reasoning).not.toContain('kept-in-pod');
    expect(finding.advice[0]).toBe('held-elsewhere-title');
    expect(finding.becauseOf).toContain('restart-withheld');
  });
});

describe('a driver that names another node', () => {
  const claim = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };

  /** The pod on n-a waits for a claim that a pod on n-b uses. */
  function refused(message: string, used: object = claim) {
    const waiting = { waiting: { reason: 'ContainerCreating' } };
    return told(
      mustFind(
        mountFailure,
        crashSnapshot({
          nodes: [node('n-a'), node('n-b')],
          pods: [
            failingPod({ phase: 'Pending', containers: [{ state: waiting, ready: false }], spec: claim }),
            failingPod({ name: 'web-1-b', node: 'n-b', spec: used }),
          ],
          events: [kubeletEvent('FailedMount', message)],
        }),
      ),
    );
  }
  const said = 'MountVolume.MountDevice failed for volume "pvc-1" : rpc error: volume still mounted on';

  it('is shown with the pods that use the claim there', () => {
    expect(refused(`${said} node n-b`).reasoning).toContain('used-on');
  });

  it.each([
    ['the node is its own', `${said} node n-a`, claim],
    ['no pod there uses the claim', `${said} node n-b`, { volumes: [] }],
    ['the name is part of another word', `${said} node n-b2`, claim],
  ])('is not shown where %s', (_, message, used) => {
    expect(refused(message, used).reasoning).not.toContain('used-on');
  });
});
