import { describe, expect, it } from 'vitest';
import { mountFailure } from '#src/doctor/causes/mount-failure/rule.js';
import { crashSnapshot, failingPod, kubeletEvent } from '../findings/crashes/build.js';
import { mustFind, told } from './run-rule.js';

const creating = { waiting: { reason: 'ContainerCreating', message: '' } };
const volume = { name: 'data', persistentVolumeClaim: { claimName: 'data' } };
const ready = { conditions: [{ type: 'Ready', status: 'True' }] };

/** A new pod on `n-a` whose volume is refused with the message, and an old one that is ready on `node`. */
function answer(message: string, { node = 'n-a', claim = 'data' } = {}) {
  const claimed = { name: 'data', persistentVolumeClaim: { claimName: claim } };
  return told(
    mustFind(
      mountFailure,
      crashSnapshot({
        pods: [
          failingPod({
            phase: 'Pending',
            containers: [{ state: creating }],
            spec: { volumes: [volume] },
          }),
          failingPod({ name: 'web-0-a', revision: '0', node, spec: { volumes: [claimed] }, status: ready }),
        ],
        events: [kubeletEvent('FailedMount', message, { first: 600, last: 5 })],
      }),
    ),
  );
}

const setUp = 'MountVolume.SetUp failed for volume "pvc-1" : rpc error: code = Internal desc = ';
const checked = `${setUp}failed to run fsck: output: "fsck from util-linux 2.41\n/dev/drbd1016 is mounted.\ne2fsck: Cannot continue, aborting.`;

describe('a volume that the node has mounted already', () => {
  it.each([
    checked,
    `${setUp}mount failed: exit status 32: /dev/longhorn/pvc-1 already mounted or mount point busy.`,
    `${setUp}target is busy`,
  ])('is answered with the old pod that uses it there: %s', (message) => {
    const { reasoning, advice } = answer(message);
    expect(reasoning).toContain('used-beside');
    expect(advice).toEqual(['advice-beside-title']);
  });

  it.each([
    ['runs on another node', { node: 'n-b' }],
    ['uses another claim', { claim: 'other' }],
  ])('is none of an old pod that %s', (_, old) => {
    expect(answer(checked, old)).toMatchObject({ advice: ['advice-node-title'] });
  });

  it('is not one that is not mounted', () => {
    expect(answer(`${setUp}volume is not mounted`).advice).toEqual(['advice-node-title']);
  });
});

describe('the advice for a volume that cannot be mounted', () => {
  it.each([
    ['advice-stale-title', 'lstat /var/lib/kubelet/pods/1/mount: stale NFS file handle'],
    ['advice-stale-title', 'stat /var/lib/kubelet/pods/1/mount: transport endpoint is not connected'],
    ['advice-provider-title', 'error connecting to provider "aws": provider not found: provider "aws"'],
    ['advice-object-title', 'SecretProviderClass.secrets-store.csi.x-k8s.io "app-secrets" not found'],
    ['advice-object-title', 'shares.storage.example.com "team-a" not found'],
    ['advice-server-title', 'mount.nfs: access denied by server while mounting 10.0.0.5:/data'],
    ['advice-node-title', 'the file "app.conf" not found'],
    ['advice-node-title', 'connection reset by the provider "aws"'],
  ])('is %s: %s', (title, words) => {
    expect(answer(`${setUp}${words}`, { node: 'n-b' }).advice).toEqual([title]);
  });
});

const noSpace = (volumeName: string) =>
  `MountVolume.SetUp failed for volume "${volumeName}" : write /var/lib/kubelet/pods/1/volumes/kubernetes.io~projected/${volumeName}/..2026/token: no space left on device`;

/** A new pod with this volume and this memory limit, which the kubelet cannot fill. */
function filled(source: object, memory: string | undefined, message = noSpace('kept')) {
  const limits: Record<string, string> = memory === undefined ? {} : { memory };
  return told(
    mustFind(
      mountFailure,
      crashSnapshot({
        pods: [
          failingPod({
            phase: 'Pending',
            containers: [{ state: creating, spec: { resources: { limits } } }],
            spec: { volumes: [{ name: 'kept', ...source }] },
          }),
        ],
        events: [kubeletEvent('FailedMount', message, { first: 600, last: 5 })],
      }),
    ),
  );
}

describe('a volume in memory without room for its files', () => {
  const token = { projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } };
  const secret = { secret: { secretName: 'keys' } };

  it.each([
    [token, '128m'],
    [secret, '4Ki'],
  ])('is answered with the memory limit: %j at %s', (source, memory) => {
    const { reasoning, advice } = filled(source, memory);
    expect(reasoning).toContain('in-memory');
    expect(advice).toEqual(['advice-memory-title']);
  });

  it.each<[string, object, string | undefined, string]>([
    ['of a pod without a limit', token, undefined, noSpace('kept')],
    ['on the disk of the node', { configMap: { name: 'settings' } }, '64Mi', noSpace('kept')],
    [
      'that the kubelet cannot fill for another reason',
      token,
      '64Mi',
      'MountVolume.SetUp failed for volume "kept" : failed to fetch token: timeout',
    ],
  ])('is no volume %s', (_, source, memory, message) => {
    const { reasoning, advice } = filled(source, memory, message);
    expect(reasoning).not.toContain('in-memory');
    expect(advice).toEqual(['advice-kubelet-title']);
  });
});
