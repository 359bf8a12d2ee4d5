import type { KubernetesObject, V1ConfigMap, V1Secret, V1Volume } from '@kubernetes/client-node';
import {
  created,
  incident,
  type NodeIncident,
  podOf,
  polite,
  program,
  restarted,
  run,
  type Scene,
  waitsFor,
  works,
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
  incident(
    'settings-missing',
    'a variable comes from a ConfigMap that does not exist',
    program(run, level('settings', 'level')),
    { reached: unset, cause: 'config-missing' },
  ),
  incident(
    'key-of-settings-missing',
    'a variable comes from a key that its ConfigMap does not have',
    program(run, level('settings', 'level')),
    { beside: [settings], reached: unset, cause: 'config-missing' },
  ),
  works(
    'key-of-settings-there',
    'a variable comes from a key of a ConfigMap',
    program(`${polite} ${run}`, level('settings', 'colour')),
    { beside: [settings] },
  ),
  works(
    'settings-optional',
    'a variable comes from a ConfigMap that does not exist and is optional',
    program(`${polite} ${run}`, level('settings', 'level', true)),
    { never: ['config-missing'] },
  ),
  works(
    'settings-written-late',
    'the ConfigMap of a variable is written after the pod began to wait for it',
    program(`${polite} ${run}`, level('settings', 'colour')),
    { steps: [{ reached: unset, act: create(settings) }], never: ['config-missing'] },
  ),
  incident(
    'credentials-of-the-environment-missing',
    'the variables come from a Secret that does not exist',
    program(run, { envFrom: [{ secretRef: { name: 'credentials' } }] }),
    { reached: unset, cause: 'config-missing' },
  ),
  incident(
    'credentials-of-a-volume-missing',
    'a volume comes from a Secret that does not exist',
    withVolume({ secret: { secretName: 'credentials' } }),
    { reached: created, event: 'FailedMount', later: 120, cause: 'mount-failure' },
  ),
  works(
    'credentials-of-a-volume-there',
    'a volume comes from a Secret',
    withVolume({ secret: { secretName: 'credentials' } }),
    { beside: [credentials] },
  ),
  works(
    'credentials-of-a-volume-written-late',
    'the Secret of a volume is written after the pod began to wait for it',
    withVolume({ secret: { secretName: 'credentials' } }),
    { steps: [{ reached: created, act: create(credentials) }], never: ['mount-failure'] },
  ),
  incident(
    'key-of-a-volume-missing',
    'a volume names a key that its ConfigMap does not have',
    withVolume({ configMap: { name: 'settings', items: [{ key: 'level', path: 'level' }] } }),
    { beside: [settings], reached: created, event: 'FailedMount', later: 120, cause: 'mount-failure' },
  ),
  incident(
    'folder-over-a-file',
    'the template mounts a folder over a file of the image',
    withVolume({ emptyDir: {} }, '/etc/passwd'),
    { reached: restarted(1), cause: 'mount-failure', never: ['bad-command', 'sandbox-failure'] },
  ),
  works(
    'file-over-a-file',
    'the template mounts one key over a file of the image',
    withVolume({ configMap: { name: 'settings' } }, '/etc/passwd', 'colour'),
    { beside: [settings] },
  ),
  incident(
    'sub-path-leaves-the-volume',
    'a program replaced the folder of a subPath by a link out of the volume',
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
    {
      reached: waitsFor('CreateContainerConfigError', 'RunContainerError', 'CreateContainerError'),
      cause: 'mount-failure',
      never: ['bad-command', 'image-pull-failure'],
    },
  ),
  incident(
    'folder-of-the-node-missing',
    'a volume is a folder that the node does not have',
    withVolume({ hostPath: { path: '/var/lib/models', type: 'Directory' } }),
    { reached: created, event: 'FailedMount', later: 120, cause: 'mount-failure' },
  ),
  works(
    'folder-of-the-node-made',
    'a volume is a folder that the node makes where it is missing',
    withVolume({ hostPath: { path: '/var/lib/models-made', type: 'DirectoryOrCreate' } }),
  ),
  incident(
    'socket-of-the-node-is-a-folder',
    'a volume is a socket, and the node has a folder at its path',
    withVolume({ hostPath: { path: '/var/log', type: 'Socket' } }),
    { reached: created, event: 'FailedMount', later: 120, cause: 'mount-failure' },
  ),
  works(
    'credentials-of-the-environment-there',
    'the variables come from a Secret',
    program(`${polite} ${run}`, { envFrom: [{ secretRef: { name: 'credentials' } }] }),
    { beside: [credentials] },
  ),
  works(
    'credentials-of-a-volume-optional',
    'a volume comes from a Secret that does not exist and is optional',
    withVolume({ secret: { secretName: 'credentials', optional: true } }),
    { never: ['mount-failure'] },
  ),
  works(
    'key-of-a-volume-there',
    'a volume names a key of a ConfigMap',
    withVolume({ configMap: { name: 'settings', items: [{ key: 'colour', path: 'colour' }] } }),
    { beside: [settings] },
  ),
  works(
    'sub-path-within-the-volume',
    'the folder of a subPath is in the volume',
    withVolume({ emptyDir: {} }, '/data', 'in'),
  ),
  works(
    'folder-of-the-node-there',
    'a volume is a folder that the node has',
    withVolume({ hostPath: { path: '/var/log', type: 'Directory' } }),
  ),
];
