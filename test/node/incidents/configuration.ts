import type { KubernetesObject, V1ConfigMap, V1Secret, V1Volume } from '@kubernetes/client-node';
import {
  allReady,
  created,
  type NodeIncident,
  podOf,
  polite,
  program,
  restarted,
  run,
  type Scene,
  waitsFor,
} from './incident.js';

const settings: V1ConfigMap = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings' },
  data: { colour: 'blue' },
};
const credentials: V1Secret = {
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name: 'credentials' },
  stringData: { password: 'open' },
};
const create =
  (object: KubernetesObject) =>
  async ({ cluster, namespace }: Scene): Promise<void> => {
    await cluster.create({ ...object, metadata: { ...object.metadata, namespace } });
  };

const level = (name: string, key: string, optional = false) => ({
  env: [{ name: 'LEVEL', valueFrom: { configMapKeyRef: { name, key, optional } } }],
});
const withVolume = (volume: Omit<V1Volume, 'name'>, mountPath = '/data', subPath?: string) =>
  podOf(
    program(`${polite} ${run}`, {
      volumeMounts: [{ name: 'data', mountPath, ...(subPath === undefined ? {} : { subPath }) }],
    }),
    { volumes: [{ name: 'data', ...volume }] },
  );
const unset = waitsFor('CreateContainerConfigError');

/** What a container or a volume needs from other objects and from the node. */
export const configuration: readonly NodeIncident[] = [
  {
    id: 'settings-missing',
    title: 'a variable comes from a ConfigMap that does not exist',
    pod: () => podOf(program(run, level('settings', 'level'))),
    reached: unset,
    cause: 'config-missing',
  },
  {
    id: 'key-of-settings-missing',
    title: 'a variable comes from a key that its ConfigMap does not have',
    pod: () => podOf(program(run, level('settings', 'level'))),
    beside: [settings],
    reached: unset,
    cause: 'config-missing',
  },
  {
    id: 'key-of-settings-there',
    title: 'a variable comes from a key of a ConfigMap',
    pod: () => podOf(program(`${polite} ${run}`, level('settings', 'colour'))),
    beside: [settings],
    reached: allReady(),
    cause: null,
  },
  {
    id: 'settings-optional',
    title: 'a variable comes from a ConfigMap that does not exist and is optional',
    pod: () => podOf(program(`${polite} ${run}`, level('settings', 'level', true))),
    reached: allReady(),
    cause: null,
    never: ['config-missing'],
  },
  {
    id: 'settings-written-late',
    title: 'the ConfigMap of a variable is written after the pod began to wait for it',
    pod: () => podOf(program(`${polite} ${run}`, level('settings', 'colour'))),
    steps: [{ reached: unset, act: create(settings) }],
    reached: allReady(),
    cause: null,
    never: ['config-missing'],
  },
  {
    id: 'credentials-of-the-environment-missing',
    title: 'the variables come from a Secret that does not exist',
    pod: () => podOf(program(run, { envFrom: [{ secretRef: { name: 'credentials' } }] })),
    reached: unset,
    cause: 'config-missing',
  },
  {
    id: 'credentials-of-a-volume-missing',
    title: 'a volume comes from a Secret that does not exist',
    pod: () => withVolume({ secret: { secretName: 'credentials' } }),
    reached: created,
    event: 'FailedMount',
    later: 120,
    cause: 'mount-failure',
  },
  {
    id: 'credentials-of-a-volume-there',
    title: 'a volume comes from a Secret',
    pod: () => withVolume({ secret: { secretName: 'credentials' } }),
    beside: [credentials],
    reached: allReady(),
    cause: null,
  },
  {
    id: 'credentials-of-a-volume-written-late',
    title: 'the Secret of a volume is written after the pod began to wait for it',
    pod: () => withVolume({ secret: { secretName: 'credentials' } }),
    steps: [{ reached: created, act: create(credentials) }],
    reached: allReady(),
    cause: null,
    never: ['mount-failure'],
  },
  {
    id: 'key-of-a-volume-missing',
    title: 'a volume names a key that its ConfigMap does not have',
    pod: () => withVolume({ configMap: { name: 'settings', items: [{ key: 'level', path: 'level' }] } }),
    beside: [settings],
    reached: created,
    event: 'FailedMount',
    later: 120,
    cause: 'mount-failure',
  },
  {
    id: 'folder-over-a-file',
    title: 'the template mounts a folder over a file of the image',
    pod: () => withVolume({ emptyDir: {} }, '/etc/passwd'),
    reached: restarted(1),
    cause: 'mount-failure',
    never: ['bad-command', 'sandbox-failure'],
  },
  {
    id: 'file-over-a-file',
    title: 'the template mounts one key over a file of the image',
    pod: () => withVolume({ configMap: { name: 'settings' } }, '/etc/passwd', 'colour'),
    beside: [settings],
    reached: allReady(),
    cause: null,
  },
  {
    id: 'sub-path-leaves-the-volume',
    title: 'a program replaced the folder of a subPath by a link out of the volume',
    pod: () =>
      podOf(
        program(`${polite} ${run}`, {
          volumeMounts: [{ name: 'data', mountPath: '/data', subPath: 'out' }],
        }),
        {
          volumes: [{ name: 'data', emptyDir: {} }],
          initContainers: [
            program('ln -s /etc /data/out', {
              name: 'link',
              volumeMounts: [{ name: 'data', mountPath: '/data' }],
            }),
          ],
        },
      ),
    reached: waitsFor('CreateContainerConfigError', 'RunContainerError', 'CreateContainerError'),
    cause: 'mount-failure',
    never: ['bad-command', 'image-pull-failure'],
  },
  {
    id: 'folder-of-the-node-missing',
    title: 'a volume is a folder that the node does not have',
    pod: () => withVolume({ hostPath: { path: '/var/lib/models', type: 'Directory' } }),
    reached: created,
    event: 'FailedMount',
    later: 120,
    cause: 'mount-failure',
  },
  {
    id: 'folder-of-the-node-made',
    title: 'a volume is a folder that the node makes where it is missing',
    pod: () => withVolume({ hostPath: { path: '/var/lib/models-made', type: 'DirectoryOrCreate' } }),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'socket-of-the-node-is-a-folder',
    title: 'a volume is a socket, and the node has a folder at its path',
    pod: () => withVolume({ hostPath: { path: '/var/log', type: 'Socket' } }),
    reached: created,
    event: 'FailedMount',
    later: 120,
    cause: 'mount-failure',
  },
  {
    id: 'credentials-of-the-environment-there',
    title: 'the variables come from a Secret',
    pod: () => podOf(program(`${polite} ${run}`, { envFrom: [{ secretRef: { name: 'credentials' } }] })),
    beside: [credentials],
    reached: allReady(),
    cause: null,
  },
  {
    id: 'credentials-of-a-volume-optional',
    title: 'a volume comes from a Secret that does not exist and is optional',
    pod: () => withVolume({ secret: { secretName: 'credentials', optional: true } }),
    reached: allReady(),
    cause: null,
    never: ['mount-failure'],
  },
  {
    id: 'key-of-a-volume-there',
    title: 'a volume names a key of a ConfigMap',
    pod: () => withVolume({ configMap: { name: 'settings', items: [{ key: 'colour', path: 'colour' }] } }),
    beside: [settings],
    reached: allReady(),
    cause: null,
  },
  {
    id: 'sub-path-within-the-volume',
    title: 'the folder of a subPath is in the volume',
    pod: () => withVolume({ emptyDir: {} }, '/data', 'in'),
    reached: allReady(),
    cause: null,
  },
  {
    id: 'folder-of-the-node-there',
    title: 'a volume is a folder that the node has',
    pod: () => withVolume({ hostPath: { path: '/var/log', type: 'Directory' } }),
    reached: allReady(),
    cause: null,
  },
];
