import { describe, expect, it } from 'vitest';
import { configMissing } from '#src/doctor/causes/config-missing.js';
import { mountFailure } from '#src/doctor/causes/mount-failure/rule.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import { crashSnapshot, type FailingPodShape, failingPod, kubeletEvent } from '../findings/crashes/build.js';
import { foundBy, has, lacks, mustFind, told } from './run-rule.js';

type Volume = NonNullable<NonNullable<FailingPodShape['spec']>['volumes']>[number];

const kept = '/var/lib/kubelet/pods/31539de4/volumes';
const runc =
  'runc create failed: unable to start container process: error during container init: error mounting';
const ended = { exitCode: 128, reason: 'StartError', message: '', finishedAt: '2026-11-20T09:29:50Z' };

/** A container that its runtime or its kubelet refused some seconds ago. */
function refused(reason: string, message: string, volume: Volume) {
  return crashSnapshot({
    pods: [
      failingPod({
        phase: 'Pending',
        spec: { volumes: [volume] },
        containers: [
          {
            state: { waiting: { reason, message } },
            ...(reason === 'RunContainerError' ? { lastState: { terminated: { ...ended, message } } } : {}),
            ready: false,
          },
        ],
      }),
    ],
    events: [
      kubeletEvent('Failed', `Error: ${message}`, { container: 'app', first: 12, last: 4, type: 'Warning' }),
    ],
  });
}

describe('a refused place of a mount', () => {
  it.each([
    [
      'a folder over a file, in the words of runc',
      'RunContainerError',
      `${runc} "${kept}/kubernetes.io~empty-dir/data" to rootfs at "/etc/passwd": mount (via /proc/self/fd/6), flags: 0x5000: not a directory: unknown`,
    ],
    [
      'a file over a folder, in the words of crun',
      'CreateContainerError',
      `container create failed: error mounting "${kept}/kubernetes.io~configmap/data/colour" to rootfs at "/etc": Is a directory`,
    ],
    [
      'a root file system without a folder to mount at',
      'RunContainerError',
      `${runc} "${kept}/kubernetes.io~empty-dir/data" to rootfs at "/data": make mountpoint "/data": mkdirat /data: read-only file system`,
    ],
    [
      'a read-only folder above the place, in the words of runc before 1.1',
      'RunContainerError',
      `failed to create shim task: OCI runtime create failed: container_linux.go:380: starting container process caused: process_linux.go:545: container init caused: rootfs_linux.go:75: mounting "${kept}/kubernetes.io~empty-dir/data" to rootfs at "/var/run/data" caused: mkdir /run/rootfs/run/secrets: read-only file system: unknown`,
    ],
    [
      'a link that leaves the volume, in the words of the kubelet',
      'CreateContainerConfigError',
      'failed to prepare subPath for volumeMount "data" of container "app"',
    ],
  ])('is reported at once: %s', (_, reason, message) => {
    const finding = told(mustFind(mountFailure, refused(reason, message, { name: 'data', emptyDir: {} })));

    expect(finding).toMatchObject({
      facts: { volume: 'data' },
      reasoning: has('mount-refused'),
      advice: has('advice-place-title'),
    });
    expect(finding.advice).toEqual(lacks('advice-node-title'));
  });

  it('is no missing configuration', () => {
    const message = 'failed to prepare subPath for volumeMount "data" of container "app"';
    const snapshot = refused('CreateContainerConfigError', message, { name: 'data', emptyDir: {} });
    expect(foundBy(configMissing, snapshot)).toBeUndefined();
  });

  it.each(['transport endpoint is not connected', 'stale file handle', 'input/output error'])(
    'is not what a volume reports that its driver lost: %s',
    (words) => {
      const message = `${runc} "${kept}/kubernetes.io~csi/pv-1/mount" to rootfs at "/data": ${words}`;
      const volume = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
      expect(foundBy(mountFailure, refused('RunContainerError', message, volume))).toBeUndefined();
    },
  );
});

describe('a volume that does not mount', () => {
  const failing = (volume: Volume, message: string) =>
    crashSnapshot({
      pods: [
        failingPod({
          phase: 'Pending',
          spec: { volumes: [volume] },
          containers: [{ state: { waiting: { reason: 'ContainerCreating', message: '' } } }],
        }),
      ],
      events: [
        kubeletEvent('FailedMount', `MountVolume.SetUp failed for volume "data" : ${message}`, {
          first: 300,
          last: 5,
        }),
      ],
    });

  it.each([
    ['a folder', 'hostPath type check failed: /opt/models is not a directory'],
    ['a socket', 'hostPath type check failed: /opt/models is not a socket file'],
    ['a folder that cannot be made', 'mkdir /opt/models: read-only file system'],
  ])('is a path of the node where the volume is one: %s', (_, message) => {
    const volume = { name: 'data', hostPath: { path: '/opt/models', type: 'Directory' } };
    const finding = told(mustFind(mountFailure, failing(volume, message)));
    expect(finding).toMatchObject({
      reasoning: has('node-path'),
      advice: ['advice-node-path-title'],
      ruledOut: lacks('because-not-env'),
    });
  });

  it.each<[string, Volume, string]>([
    ['the kubelet', { name: 'data', configMap: { name: 'settings' } }, 'advice-kubelet-title'],
    ['the kubelet', { name: 'data', emptyDir: {} }, 'advice-kubelet-title'],
    ['a driver', { name: 'data', persistentVolumeClaim: { claimName: 'data' } }, 'advice-node-title'],
    ['a driver', { name: 'data', csi: { driver: 'files.example' } }, 'advice-node-title'],
  ])('sends people to %s where that provides %j', (_, volume, title) => {
    const finding = told(mustFind(mountFailure, failing(volume, 'timed out waiting for the condition')));
    expect(finding.advice).toEqual([title]);
  });

  it('asks for the key alone where only the key is missing', () => {
    const volume = { name: 'data', configMap: { name: 'settings', items: [{ key: 'level', path: 'l' }] } };
    const message = 'configmap references non-existent config key: level';
    const { advice } = mustFind(mountFailure, failing(volume, message));
    expect(JSON.stringify(advice)).toContain('"key":"level"');
  });
});

describe('a driver that is not registered on the node', () => {
  const csiNode = (name: string, ...drivers: readonly string[]) =>
    schemas.CSINode.parse({
      metadata: { name },
      spec: { drivers: drivers.map((driver) => ({ name: driver, nodeID: name })) },
    });
  const adviceWith = (CSINode: ReturnType<typeof csiNode>[], drivers: readonly string[] = []) =>
    told(
      mustFind(
        mountFailure,
        crashSnapshot({
          pods: [
            failingPod({
              phase: 'Pending',
              spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
              containers: [{ state: { waiting: { reason: 'ContainerCreating', message: '' } } }],
            }),
          ],
          others: {
            CSINode,
            CSIDriver: drivers.map((name) => schemas.CSIDriver.parse({ metadata: { name }, spec: {} })),
          },
          events: [
            kubeletEvent(
              'FailedMount',
              'MountVolume.SetUp failed for volume "pv-1" : kubernetes.io/csi: mounter.SetUpAt failed to get CSI client: driver name nfs.example not found in the list of registered CSI drivers',
              { first: 300, last: 5 },
            ),
          ],
        }),
      ),
    ).advice;

  it('is not installed, or has another name, where no node has it', () => {
    const advice = adviceWith([csiNode('n-a', 'files.example'), csiNode('n-b', 'files.example')]);
    expect(advice).toContain('advice-no-driver-title');
    expect(advice).not.toContain('advice-driver-title');
  });

  it.each<[string, ReturnType<typeof csiNode>[], string[]]>([
    ['another node has it', [csiNode('n-a'), csiNode('n-b', 'nfs.example')], []],
    ['the cluster knows it', [csiNode('n-a'), csiNode('n-b')], ['nfs.example']],
    ['only the node itself was read', [csiNode('n-a', 'files.example')], []],
  ])('is a matter of its pod on the node where %s', (_, nodes, drivers) => {
    const advice = adviceWith(nodes, drivers);
    expect(advice).toContain('advice-driver-title');
    expect(advice).not.toContain('advice-no-driver-title');
  });
});

describe('a volume with one SELinux label on a node', () => {
  /** In the words of the kubelet of 1.37.2: `volume_manager.go`, `desired_state_of_world.go`. */
  const unable = (why: string) =>
    `Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to process volumes=[data]: ${why}`;
  const conflict = unable(
    'conflicting SELinux labels of volume pv-1: "system_u:object_r:container_file_t:s0:c1,c2" and "system_u:object_r:container_file_t:s0:c3,c4"',
  );
  const volumes = (claimName: string) => [{ name: 'data', persistentVolumeClaim: { claimName } }];
  const waitingFor = (message: string, usedByOld: string) =>
    crashSnapshot({
      pods: [
        failingPod({
          phase: 'Pending',
          spec: { volumes: volumes('data') },
          containers: [{ state: { waiting: { reason: 'ContainerCreating', message: '' } }, ready: false }],
        }),
        failingPod({ name: 'web-0-a', revision: '0', spec: { volumes: volumes(usedByOld) } }),
      ],
      events: [kubeletEvent('FailedMount', message, { first: 600, last: 30 })],
    });

  it('waits for the old pod that has it mounted with another label', () => {
    const finding = told(mustFind(mountFailure, waitingFor(conflict, 'data')));
    expect(finding).toMatchObject({
      holders: ['web-0-a'],
      reasoning: has('other-label'),
      advice: ['advice-label-title', 'advice-relabel-title'],
      snippets: expect.stringContaining('seLinuxChangePolicy: Recursive'),
    });
  });

  it('names no pod that uses another volume', () => {
    const finding = told(mustFind(mountFailure, waitingFor(conflict, 'other')));
    expect(finding).toMatchObject({ holders: [], reasoning: has('other-label') });
  });

  it('is not why a driver fails beside such a pod', () => {
    const finding = told(mustFind(mountFailure, waitingFor(unable('timed out'), 'data')));
    expect(finding).toMatchObject({
      holders: [],
      reasoning: lacks('other-label'),
      advice: ['advice-node-title'],
    });
  });
});

describe('who has to act on a volume that does not arrive', () => {
  const failed = (reason: 'FailedAttachVolume' | 'FailedMount', message: string) =>
    told(
      mustFind(
        mountFailure,
        crashSnapshot({
          pods: [
            failingPod({
              phase: 'Pending',
              containers: [
                { state: { waiting: { reason: 'ContainerCreating', message: '' } }, ready: false },
              ],
              spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
            }),
          ],
          events: [kubeletEvent(reason, message, { first: 600, last: 30 })],
        }),
      ),
    );
  const attach = 'AttachVolume.Attach failed for volume "pvc-1" : rpc error: code = ';
  const mount = 'MountVolume.MountDevice failed for volume "pvc-1" : rpc error: code = Internal desc = ';

  it.each([
    `${attach}FailedPrecondition desc = HTTPStatusCode: 409, RawError: {"message": "The maximum number of data disks allowed to be attached to a VM of this size is 8."}`,
    `${attach}ResourceExhausted desc = Attachment limit exceeded`,
    `${attach}ResourceExhausted desc = maximum number of attached volumes reached on node w1`,
  ])('is who places the pod, where the machine takes no further volume: %s', (message) => {
    expect(failed('FailedAttachVolume', message).advice).toEqual(['advice-slots-title']);
  });

  it.each([
    `${attach}Internal desc = failed to publish volume: volume is already attached to a server, please detach it first`,
    `${attach}DeadlineExceeded desc = context deadline exceeded`,
  ])('is the controller of the driver, where it attaches: %s', (message) => {
    expect(failed('FailedAttachVolume', message).advice).toEqual(['advice-controller-title']);
  });

  it.each([
    `${mount}mount failed: exit status 32 Output: mount error(13): Permission denied`,
    `${mount}mount.nfs: access denied by server while mounting nas:/export`,
    `${mount}GET https://share.example: RESPONSE StatusCode=403 AuthorizationFailed`,
  ])('is the server of the share, where it refuses the node: %s', (message) => {
    expect(failed('FailedMount', message).advice).toEqual(['advice-server-title']);
  });

  it.each([
    `${mount}fsck found errors on device /dev/sdb but could not correct them`,
    `${mount}mkdir /var/lib/kubelet/plugins/x: permission denied`,
    `${mount}the maximum number of retries was reached`,
  ])('is the driver on the node, where it mounts: %s', (message) => {
    expect(failed('FailedMount', message).advice).toEqual(['advice-node-title']);
  });
});
