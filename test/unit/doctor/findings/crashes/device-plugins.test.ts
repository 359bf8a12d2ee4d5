import { expect, it } from 'vitest';
import { troubledDevicePlugins } from '#src/doctor/findings/crashes/node-agents.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { backingOff, crashSnapshot, failingPod, readyFor } from './build.js';

interface Agent {
  readonly daemonSet: string;
  readonly node: string;
  readonly isReady?: boolean;
  /** The folder of the node that it mounts. */
  readonly folder?: string;
}

const pluginFolder = '/var/lib/kubelet/device-plugins';

function agent({ daemonSet, node, isReady = true, folder = pluginFolder }: Agent): Pod {
  return failingPod({
    name: `${daemonSet}-${node}`,
    node,
    containers: [isReady ? {} : { state: backingOff, ready: false }],
    metadata: {
      labels: { app: daemonSet },
      ownerReferences: [
        { apiVersion: 'apps/v1', kind: 'DaemonSet', name: daemonSet, uid: daemonSet, controller: true },
      ],
    },
    spec: { volumes: [{ name: 'folder', hostPath: { path: folder } }] },
    status: isReady ? readyFor(600) : {},
  });
}

it.each<[string, readonly Agent[], readonly (readonly [string, string | undefined])[]]>([
  [
    'one that fails on the node',
    [
      { daemonSet: 'radio', node: 'n-a', isReady: false },
      { daemonSet: 'radio', node: 'n-b' },
    ],
    [['shop/radio', 'shop/radio-n-a']],
  ],
  [
    'the only one of the cluster, which has no pod there',
    [{ daemonSet: 'radio', node: 'n-b' }],
    [['shop/radio', undefined]],
  ],
  ['none that is ready', [{ daemonSet: 'radio', node: 'n-a' }], []],
  [
    'none that fails on another node',
    [
      { daemonSet: 'radio', node: 'n-a' },
      { daemonSet: 'radio', node: 'n-b', isReady: false },
    ],
    [],
  ],
  [
    'none that may serve other devices and has no pod there',
    [
      { daemonSet: 'radio', node: 'n-a' },
      { daemonSet: 'video', node: 'n-b' },
    ],
    [],
  ],
  [
    'no agent with another task that fails there',
    [
      { daemonSet: 'radio', node: 'n-a' },
      { daemonSet: 'logs', node: 'n-a', isReady: false, folder: '/var/log/pods' },
    ],
    [],
  ],
])('the device plug-in in trouble on a node is %s', (_, agents, found) => {
  const snapshot = crashSnapshot({ pods: [failingPod()], others: { Pod: agents.map(agent) } });
  const plugins = troubledDevicePlugins(snapshot, ['n-a']);

  expect(plugins.map(({ daemonSet, pod }) => [daemonSet, pod])).toEqual(found);
});
