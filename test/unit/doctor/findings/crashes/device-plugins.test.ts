import { expect, it } from 'vitest';
import { troubledAgents, troubledDevicePlugins } from '#src/doctor/findings/crashes/node-agents.js';
import type { Pod } from '#src/engine/objects/pod.js';
import { node } from '../../../../support/placement-builders.js';
import { backingOff, crashSnapshot, failingPod, readyFor } from './build.js';

interface Agent {
  readonly daemonSet: string;
  readonly node: string;
  readonly isReady?: boolean;
  /** The folder of the node that it mounts. */
  readonly folder?: string;
  readonly nodeSelector?: Readonly<Record<string, string>>;
}

const pluginFolder = '/var/lib/kubelet/device-plugins';

function agent({ daemonSet, node, isReady = true, folder = pluginFolder, nodeSelector = {} }: Agent): Pod {
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
    spec: { volumes: [{ name: 'folder', hostPath: { path: folder } }], nodeSelector },
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

const driver = 'disk.csi.example';
const serving: Agent = { daemonSet: 'disk', node: 'n-b', folder: `/var/lib/kubelet/plugins/${driver}` };
const dedicated = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };

it.each<[string, Parameters<typeof node>[1], Agent, object | undefined]>([
  [
    'a taint that its pods do not tolerate',
    { taints: [dedicated] },
    serving,
    { what: 'taint', text: 'dedicated=gpu:NoSchedule' },
  ],
  [
    'a label that its pods select',
    {},
    { ...serving, nodeSelector: { storage: 'yes' } },
    { what: 'label', text: 'storage=yes' },
  ],
  [
    'a preference against the node, which keeps no pod away',
    { taints: [{ ...dedicated, effect: 'PreferNoSchedule' }] },
    serving,
    undefined,
  ],
  ['nothing that its pods show', {}, serving, undefined],
])('the driver has no pod on the node for %s', (_, shape, agentThere, barrier) => {
  const snapshot = crashSnapshot({
    pods: [failingPod()],
    nodes: [node('n-a', shape), node('n-b')],
    others: { Pod: [agent(agentThere)] },
  });

  expect(troubledAgents(snapshot, ['n-a'], `driver name ${driver} not found`)).toEqual([
    expect.objectContaining({ pod: undefined, daemonSet: 'shop/disk', barrier }),
  ]);
});
