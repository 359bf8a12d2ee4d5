import type { V1Node, V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureDevicePlugin } from '../cluster/harness/binaries.js';
import {
  allReady,
  created,
  type NodeIncident,
  podOf,
  polite,
  program,
  refusedPods,
  restarted,
  run,
  updateTo,
} from './incidents/incident.js';
import { type Observer, openObserver } from './observer.js';
import { type RealCluster, startRealCluster } from './real-cluster.js';

let real: RealCluster;
let observer: Observer;
let plugin: string;
beforeAll(async () => {
  plugin = await ensureDevicePlugin();
  real = await startRealCluster();
  observer = await openObserver(real);
});
afterAll(async () => {
  await real?.stop();
  await observer?.end();
});

async function expectIncident(incident: NodeIncident) {
  await observer.begin(incident);
  return observer.expectDiagnosis(incident);
}
const untilNode = (
  what: string,
  check: (node: V1Node) => boolean | undefined,
  name = 'node-a',
): Promise<true> =>
  real.cluster.until<V1Node, true>({
    what,
    selection: { kind: 'Node' },
    deadlineMilliseconds: 180_000,
    check: (nodes) => nodes.some((node) => node.metadata?.name === name && check(node)) || undefined,
  });
const isUnschedulable: NodeIncident['reached'] = (pods) =>
  pods.some(({ status }) => status?.conditions?.some(({ reason }) => reason === 'Unschedulable'));
const onNode = (name: string) =>
  podOf(program(`${polite} ${run}`), { nodeSelector: { 'kubernetes.io/hostname': name } });

describe('a registry that never answers', () => {
  it('is a possible reason once the pull has taken longer than one of usual size, and none before', async () => {
    const id = 'registry-hangs';
    await observer.begin({
      id,
      title: '',
      registry: 'hang',
      pod: (host) => ({ containers: [{ name: 'app', image: `${host}/${id}:1` }] }),
      reached: created,
      cause: 'image-pull-failure',
    });
    await observer.untilPods(id, created);
    await observer.untilEvent(id, 'Pulling');
    const [file, at] = await observer.record({
      id,
      title: 'the registry accepts the request for an image and never answers',
      cause: 'image-pull-failure',
      later: 900,
    });
    const { findings } = await observer.diagnosed(id, '--from', file, '--at', at);
    expect(findings[0]).toMatchObject({
      cause: 'image-pull-failure',
      confidence: 'possible',
      facts: { refusal: 'no-answer' },
    });
    const now = await observer.diagnosed(id, '--from', file);
    expect(now.findings.map(({ cause }) => cause)).not.toContain('image-pull-failure');
    await real.cluster.remove({ kind: 'Deployment', namespace: id, name: 'web' });
  });
});

describe('a device', () => {
  const resource = 'node.test/device';
  const holder = program(`${polite} ${run}`, { resources: { limits: { [resource]: '1' } } });
  const withDevice = (more = {}) => podOf(holder, more);
  const offers = (count: string) => (node: V1Node) => node.status?.allocatable?.[resource] === count;
  const deviceIn = (pods: readonly V1Pod[], health: string): string | undefined =>
    pods
      .flatMap(({ status }) => status?.containerStatuses ?? [])
      .flatMap(({ allocatedResourcesStatus = [] }) => allocatedResourcesStatus)
      .flatMap(({ resources = [] }) => resources)
      .find((each) => each.health === health)?.resourceID;

  it('is given to a pod', async () => {
    const [node] = real.nodes;
    await node.startDevices(plugin, resource, 2);
    await untilNode('the devices to be offered', offers('2'));
    await expectIncident({
      id: 'device-given',
      title: 'a pod has one of two devices',
      pod: () => withDevice(),
      reached: allReady(),
      cause: null,
    });
  });

  it('that becomes unhealthy while a pod holds it is named where the pod deadlocks the rollout', async () => {
    const [node] = real.nodes;
    let device = '';
    const answer = await expectIncident({
      id: 'unhealthy-device-held',
      title: 'the old pod holds an unhealthy device, and the other device counts as used',
      pod: () => withDevice(),
      steps: [
        {
          reached: (pods) => {
            device = deviceIn(pods, 'Healthy') ?? '';
            return allReady()(pods) && device !== '';
          },
          act: () => node.setUnhealthy(device),
        },
        {
          reached: (pods) => deviceIn(pods, 'Unhealthy') !== undefined,
          // The status of the pod comes first. Until the node follows, a new pod gets the other device.
          act: async (scene) => {
            await untilNode('the node to offer one device less', offers('1'));
            await updateTo({ ...holder, command: ['/bin/sh', '-c', run] })(scene);
          },
        },
      ],
      reached: isUnschedulable,
      cause: 'surge-deadlock',
    });
    expect(JSON.stringify(answer.findings[0])).toContain(`${device}: Unhealthy`);
  });

  it('of a node without a healthy one is not offered to a new pod', async () => {
    const [node] = real.nodes;
    node.setUnhealthy('device-0', 'device-1');
    await untilNode('no device to be offered', offers('0'));
    await expectIncident({
      id: 'devices-all-unhealthy',
      title: 'the only node with devices has two, and both are unhealthy',
      pod: () => withDevice(),
      reached: isUnschedulable,
      later: 120,
      cause: 'unsatisfiable-placement',
      never: ['surge-deadlock', 'kubelet-rejected'],
    });
  });

  it('that its plug-in refuses to allocate is why the kubelet rejects the pods', async () => {
    const [node] = real.nodes;
    node.setUnhealthy();
    await untilNode('both devices to be offered again', offers('2'));
    node.refuseDevices('the driver answers: input/output error');
    await expectIncident({
      id: 'device-refused',
      title: 'the device plug-in fails to allocate a device',
      pod: () => withDevice(),
      reached: refusedPods('UnexpectedAdmissionError'),
      cause: 'kubelet-rejected',
      never: ['application-crash', 'insufficient-capacity'],
    });
    node.refuseDevices(undefined);
  });

  it('goes on in a pod after its plug-in has ended', async () => {
    const [node] = real.nodes;
    await expectIncident({
      id: 'device-plugin-ended-below-a-pod',
      title: 'the device plug-in ends, and the pod that has a device runs on',
      pod: () => withDevice(),
      steps: [
        {
          reached: allReady(),
          act: async () => {
            await node.stopDevices();
            await untilNode('no device to be offered', offers('0'));
          },
        },
      ],
      reached: allReady(),
      cause: null,
    });
  });

  it('without its plug-in is why the kubelet rejects a pod that names the node', async () => {
    await expectIncident({
      id: 'device-plugin-gone',
      title: 'the template names the node, whose device plug-in has ended',
      pod: () => withDevice({ nodeName: 'node-a' }),
      reached: refusedPods('UnexpectedAdmissionError'),
      cause: 'kubelet-rejected',
      never: ['application-crash'],
    });
  });
});

describe('a node', () => {
  const cordon = (name: string, unschedulable: boolean): Promise<void> =>
    real.cluster.patch({ kind: 'Node', name }, { spec: { unschedulable } });
  const isTainted = ({ spec }: V1Node) =>
    spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/unreachable');
  const onSilentNode: NodeIncident['reached'] = (pods) =>
    pods.some(({ status }) =>
      status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'False'),
    );

  it('that is cordoned is the reason where its kubelet is healthy', async () => {
    await cordon('node-a', true);
    const { findings } = await expectIncident({
      id: 'cordoned-and-healthy',
      title: 'the only node that fits is cordoned',
      pod: () => onNode('node-a'),
      reached: isUnschedulable,
      cause: 'node-cordoned',
      never: ['node-not-ready'],
    });
    expect(findings[0]).toMatchObject({ confidence: 'proven' });
    await expectIncident({
      id: 'cordoned-beside-a-free-node',
      title: 'one node is cordoned, and the pod runs on the other',
      pod: () => podOf(program(`${polite} ${run}`)),
      reached: allReady(),
      cause: null,
    });
    await cordon('node-a', false);
  });

  it('that was cut off from its power restarts its containers', async () => {
    const [, node] = real.nodes;
    await expectIncident({
      id: 'node-after-a-power-cut',
      title: 'the node of a pod lost its power and is back',
      pod: () => onNode(node.name),
      steps: [
        {
          reached: allReady(),
          act: async () => {
            await node.powerOff();
            await node.start();
          },
        },
      ],
      reached: allReady(1, 1),
      cause: null,
      never: ['application-crash', 'node-not-ready'],
    });
  });

  it('that crashed below a program that crashes changes nothing about the program', async () => {
    const [, node] = real.nodes;
    await expectIncident({
      id: 'crash-after-a-power-cut',
      title: 'a program exits with 3 before and after a power cut of its node',
      pod: () => ({ ...onNode(node.name), containers: [program('sleep 5; exit 3')] }),
      steps: [
        {
          reached: restarted(2),
          act: async () => {
            await node.powerOff();
            await node.start();
          },
        },
      ],
      reached: restarted(5),
      cause: 'application-crash',
      never: ['node-not-ready'],
    });
  });

  it('with a short maximum of the back-off restarts a program that crashes at that pace', async () => {
    const [, node] = real.nodes;
    await node.stopKubelet();
    await node.startKubelet({ crashLoopBackOff: { maxContainerRestartPeriod: '15s' } });
    await expectIncident({
      id: 'crash-under-a-short-back-off',
      title: 'a program exits with 4 on a node whose kubelet waits fifteen seconds at most',
      pod: () => ({ ...onNode(node.name), containers: [program('sleep 1; exit 4')] }),
      // With the usual maximum the sixth restart comes after five minutes.
      reached: restarted(6),
      cause: 'application-crash',
    });
    await node.stopKubelet();
    await node.startKubelet();
  });

  it('whose new kubelet refuses cgroup v1 is the reason, and its events say why', async () => {
    const [, node] = real.nodes;
    const lost: NodeIncident = {
      id: 'kubelet-refuses-cgroup-v1',
      title: 'a kubelet that refuses cgroup v1 took the place of one that warned of it',
      pod: () => onNode(node.name),
      reached: onSilentNode,
      cause: 'node-not-ready',
    };
    await observer.begin(lost);
    await observer.untilPods(lost.id, allReady());
    await node.stopKubelet();
    await node.startKubelet({ failCgroupV1: true });
    await untilNode('the taint of the silent node', isTainted, node.name);
    const { findings } = await observer.expectDiagnosis(lost);
    expect(findings[0]?.facts.troubles).toMatchObject([
      { node: node.name, warnedOfCgroupV1: expect.any(String) },
    ]);
    await node.startKubelet();
    await untilNode('the node to be back', (each) => !isTainted(each), node.name);
  });

  it('whose kubelet is silent is the reason, also where it is cordoned, and none after its return', async () => {
    const [, silent] = real.nodes;
    const lost: NodeIncident = {
      id: 'node-silent',
      title: 'the kubelet of the only node that fits is silent',
      pod: () => onNode(silent.name),
      reached: onSilentNode,
      cause: 'node-not-ready',
      never: ['node-cordoned', 'readiness-failing'],
    };
    const back: NodeIncident = {
      id: 'node-returned',
      title: 'the kubelet of the node was silent and is back',
      pod: lost.pod,
      reached: allReady(),
      cause: null,
      never: ['node-not-ready'],
    };
    await Promise.all([back, lost].map(observer.begin));
    await Promise.all([back, lost].map(({ id }) => observer.untilPods(id, allReady())));
    await silent.stopKubelet();
    await cordon(silent.name, true);
    await untilNode('the taint of the silent node', isTainted, silent.name);
    await observer.expectDiagnosis(lost);
    await expectIncident({
      id: 'cordoned-and-silent',
      title: 'the only node that fits is cordoned, and its kubelet is silent',
      pod: () => onNode(silent.name),
      reached: isUnschedulable,
      cause: 'node-not-ready',
      never: ['node-cordoned'],
    });
    await cordon(silent.name, false);
    await silent.startKubelet();
    await untilNode('the node to be back', (node) => !isTainted(node), silent.name);
    await observer.expectDiagnosis(back);
  });
});
