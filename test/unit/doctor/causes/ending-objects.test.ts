import { describe, expect, it } from 'vitest';
import { applicationCrash } from '#src/doctor/causes/application-crash.js';
import { mountFailure } from '#src/doctor/causes/mount-failure/rule.js';
import { indexObjects } from '#src/engine/objects/cluster-index.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { Pod } from '#src/engine/objects/pod.js';
import type { Snapshot } from '#src/engine/objects/snapshot.js';
import { node } from '../../../support/placement-builders.js';
import { examined } from '../../../support/remediation-builders.js';
import {
  backingOff,
  type ContainerShape,
  crashSnapshot,
  ended,
  failingPod,
  kubeletEvent,
  readyFor,
} from '../findings/crashes/build.js';
import { mustFind, told } from './run-rule.js';

interface Change {
  readonly line: string;
  readonly container?: ContainerShape;
  readonly beside?: ContainerShape;
  readonly spec?: object;
  readonly selector?: Readonly<Record<string, string>>;
  readonly clusterIP?: string;
  /** The spec of the volume behind the claim `data`. */
  readonly volume?: object;
  readonly fsGroupPolicy?: string;
}

/** `shop/web` whose only pod ends with this line, beside a Service `web`. */
function endedWith({
  line,
  container,
  beside,
  spec = {},
  selector = { app: 'web' },
  clusterIP,
  volume,
  fsGroupPolicy,
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
      ...(volume === undefined
        ? {}
        : {
            PersistentVolumeClaim: [
              schemas.PersistentVolumeClaim.parse({
                metadata: { name: 'data', namespace: 'shop' },
                spec: { accessModes: ['ReadWriteOnce'], volumeName: 'pv-1' },
                status: { phase: 'Bound' },
              }),
            ],
            PersistentVolume: [schemas.PersistentVolume.parse({ metadata: { name: 'pv-1' }, spec: volume })],
          }),
      ...(fsGroupPolicy === undefined
        ? {}
        : {
            CSIDriver: [
              schemas.CSIDriver.parse({ metadata: { name: 'csi.example' }, spec: { fsGroupPolicy } }),
            ],
          }),
    },
  });
}

const crashOf = (change: Change) => told(mustFind(applicationCrash, endedWith(change)));

describe('a file that a program refuses for its mode', () => {
  const line = "Permissions 0644 for '/keys/host' are too open.";
  const mounts = { spec: { volumeMounts: [{ name: 'keys', mountPath: '/keys' }] } };
  const ofClaim = { volumes: [{ name: 'keys', persistentVolumeClaim: { claimName: 'data' } }] };

  it.each([
    ['Secret', { secret: { secretName: 'keys' } }],
    ['ConfigMap', { configMap: { name: 'keys' } }],
  ])('gets its mode from the volume of a %s', (source, volume) => {
    const found = crashOf({ line, container: mounts, spec: { volumes: [{ name: 'keys', ...volume }] } });
    expect(found.reasoning).toContain('mode-of-object');
    expect(found.advice[0]).toBe('mode-of-object-title');
    expect(JSON.stringify(found), source).not.toContain('fsGroup: …');
  });

  it.each<[string, Omit<Change, 'line'>]>([
    ['in a claim', { container: mounts, spec: ofClaim }],
    ['in the image', {}],
  ])('needs another mode where it is %s', (_, change) => {
    const { reasoning, advice } = crashOf({ line, ...change });
    expect(reasoning).not.toContain('mode-of-object');
    expect(advice[0]).toBe('file-mode-title');
  });

  it('is another matter where the program may not use it', () => {
    const { advice } = crashOf({
      line: 'open /keys/host: permission denied',
      container: mounts,
      spec: ofClaim,
    });
    expect(advice[0]).toBe('not-permitted-title');
  });
});

describe('a kind that the API server does not serve', () => {
  it.each([
    'no matches for kind "CronJob" in version "batch/v1beta1"',
    'no matches for kind "PodDisruptionBudget" in version "policy/v1beta1"',
    'no matches for kind "Ingress" in version "networking.k8s.io/v1beta1"',
    'no matches for kind "Event" in version "v1beta2"',
  ])('needs another version of the program where it is of Kubernetes: %s', (line) => {
    const { reasoning, advice } = crashOf({ line });
    expect(reasoning).toContain('built-in-kind');
    expect(advice[0]).toBe('built-in-kind-title');
  });

  it.each([
    'no matches for kind "OpAMPBridge" in version "opentelemetry.io/v1alpha1"',
    'no matches for kind "HTTPRoute" in version "gateway.networking.k8s.io/v1"',
    'no matches for kind "VolumeSnapshot" in version "snapshot.storage.k8s.io/v1"',
    'the server could not find the requested resource (get httproutes.gateway.networking.k8s.io)',
  ])('needs its definition where it is none of Kubernetes: %s', (line) => {
    const { reasoning, advice } = crashOf({ line });
    expect(reasoning).not.toContain('built-in-kind');
    expect(advice[0]).toBe('kind-not-installed-title');
  });
});

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

describe('a file that the program may not write', () => {
  const line = "mkdir: can't create directory '/data/db': Permission denied";
  const mounts = { spec: { volumeMounts: [{ name: 'data', mountPath: '/data' }] } };
  const claim = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
  const csi = { csi: { driver: 'csi.example' } };
  const withFileSystem = { csi: { driver: 'csi.example', fsType: 'ext4' } };

  it.each<[string, Omit<Change, 'line'>, string, string]>([
    ['a claim', { container: mounts, spec: claim, volume: csi }, 'file-of-volume', 'not-permitted-title'],
    [
      'a claim whose driver leaves the group to the kubelet',
      { container: mounts, spec: claim, volume: csi, fsGroupPolicy: 'File' },
      'file-of-volume',
      'not-permitted-title',
    ],
    [
      'a claim whose driver wants no group',
      { container: mounts, spec: claim, volume: csi, fsGroupPolicy: 'None' },
      'volume-without-group',
      'owner-of-folder-title',
    ],
    [
      'a claim of many nodes, whose driver sets the group of volumes of one node',
      {
        container: mounts,
        spec: claim,
        volume: { ...withFileSystem, accessModes: ['ReadWriteMany'] },
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
      },
      'volume-without-group',
      'owner-of-folder-title',
    ],
    [
      'a claim without a file system of its own, whose driver sets the group of those that have one',
      {
        container: mounts,
        spec: claim,
        volume: { ...csi, accessModes: ['ReadWriteOnce'] },
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
      },
      'volume-without-group',
      'owner-of-folder-title',
    ],
    [
      'a claim of one node with a file system, whose driver sets the group',
      {
        container: mounts,
        spec: claim,
        volume: { ...withFileSystem, accessModes: ['ReadWriteOnce'] },
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
      },
      'file-of-volume',
      'not-permitted-title',
    ],
    [
      'a claim on a folder of the node',
      { container: mounts, spec: claim, volume: { hostPath: { path: '/srv' } } },
      'volume-without-group',
      'owner-of-folder-title',
    ],
    [
      'a claim on a share',
      { container: mounts, spec: claim, volume: { nfs: { server: 'files', path: '/srv' } } },
      'volume-without-group',
      'owner-of-folder-title',
    ],
    [
      'a folder of the node',
      { container: mounts, spec: { volumes: [{ name: 'data', hostPath: { path: '/srv' } }] } },
      'volume-without-group',
      'owner-of-folder-title',
    ],
    [
      'a share that the pod describes',
      {
        container: mounts,
        spec: { volumes: [{ name: 'data', nfs: { server: 'files', path: '/srv' } }] },
      },
      'volume-without-group',
      'owner-of-folder-title',
    ],
    [
      'a volume that the pod describes, without a file system of its own',
      {
        container: mounts,
        spec: { volumes: [{ name: 'data', csi: { driver: 'csi.example' } }] },
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
      },
      'volume-without-group',
      'owner-by-driver-title',
    ],
    [
      'a volume that the pod describes, whose driver leaves the group to the kubelet',
      {
        container: mounts,
        spec: { volumes: [{ name: 'data', csi: { driver: 'csi.example' } }] },
        fsGroupPolicy: 'File',
      },
      'file-of-volume',
      'not-permitted-title',
    ],
    [
      'a volume that the pod mounts read-only, whatever its driver leaves to the kubelet',
      {
        container: mounts,
        spec: { volumes: [{ name: 'data', csi: { driver: 'csi.example', readOnly: true } }] },
        fsGroupPolicy: 'File',
      },
      'volume-without-group',
      'owner-by-driver-title',
    ],
    ['the image', {}, 'file-of-image', 'image-file-title'],
  ])('needs another fix where the path is in %s', (_, change, says, advised) => {
    const { reasoning, advice } = crashOf({ line, ...change });
    expect(reasoning).toContain(says);
    expect(advice[0]).toBe(advised);
  });

  it('is in the volume where the line names the source of a copy as well', () => {
    const { reasoning } = crashOf({
      line: "EACCES: permission denied, copyfile '/usr/src/app/settings.js' -> '/data/settings.js'",
      container: mounts,
      spec: claim,
    });
    expect(reasoning).toContain('file-of-volume');
  });

  it('is not of the image below what the kernel provides', () => {
    const { reasoning } = crashOf({ line: 'open /dev/kfd: permission denied' });
    expect(reasoning).not.toContain('file-of-image');
  });
});

describe('data of a claim that a program cannot use', () => {
  const line = 'FATAL: /data/wal/4: last record is corrupted';
  const mounts = { spec: { volumeMounts: [{ name: 'data', mountPath: '/data' }] } };
  const claim = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
  const originOf = (change: Change, ready: readonly Pod[] = []) => {
    const snapshot = endedWith(change);
    const { objects } = snapshot.index;
    const index = indexObjects({ ...objects, Pod: [...objects.Pod, ...ready] });
    const [found] = [applicationCrash.detect(examined({ ...snapshot, index }))].flat();
    return found === undefined ? 'none' : (found.origin ?? applicationCrash.origin);
  };

  it('comes from the volumes, which a former revision mounts too', () => {
    expect(originOf({ line, container: mounts, spec: claim })).toBe('volumes');
  });

  it.each<[string, Change]>([
    ['lie in no claim', { line, container: mounts }],
    [
      'are of another version',
      { line: 'FATAL: /data is incompatible with this version', container: mounts, spec: claim },
    ],
  ])('do not come from the volumes where they %s', (_, change) => {
    expect(originOf(change)).toBe('template');
  });

  it('do not come from the volumes while a ready pod mounts the same claim', () => {
    const ready = failingPod({ name: 'store-1-a', spec: claim, status: readyFor(900) });
    expect(originOf({ line, container: mounts, spec: claim }, [ready])).toBe('template');
  });
});
