import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CoreV1Event, V1Node, V1Pod } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCli } from '#src/edges/cli/run-process.js';
import { ensureDevicePlugin } from '../cluster/harness/binaries.js';
import { deploymentOf, type NodeIncident, nodeIncidents } from './incidents.js';
import { programImage } from './machine/images.js';
import { type RealCluster, startRealCluster } from './real-cluster.js';

/** With `KEEP_RECORDINGS=yes` the recordings replace those of `test/scenarios/real-node`. */
const kept = fileURLToPath(new URL('../scenarios/real-node/', import.meta.url));

let real: RealCluster;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-recordings-'));
  real = await startRealCluster();
  // All begin at once: most of their time is back-off.
  for (const incident of nodeIncidents) {
    await real.cluster.createNamespace(incident.id);
    if (incident.isHasty !== true) await begin(incident);
  }
});

async function begin(incident: NodeIncident): Promise<void> {
  const { id, registry = 'serve' } = incident;
  real.registry.behave(id, registry);
  await real.cluster.create(deploymentOf(incident, real.registry.host));
}
afterAll(async () => {
  await real?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Back-offs and evictions take their time. */
const untilPods = (namespace: string, reached: NodeIncident['reached']): Promise<true> =>
  real.cluster.until<V1Pod, true>({
    what: `the pods of ${namespace} to show what it is about`,
    selection: { kind: 'Pod', namespace },
    deadlineMilliseconds: 600_000,
    check: (pods) => reached(pods) || undefined,
  });

interface Diagnosed {
  readonly findings: readonly {
    readonly cause: string;
    readonly confidence: string;
    readonly facts: Readonly<Record<string, unknown>>;
  }[];
}

async function command(...args: readonly string[]): Promise<string> {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runCli(args, {
    out: (text) => void out.push(text),
    err: (text) => void err.push(text),
    paint: { colour: false, width: 100 },
    watched: false,
  });
  if (status > 1) throw new Error(`${args.join(' ')} ended with ${status}: ${err.join('')}`);
  return out.join('');
}

const diagnosed = async (namespace: string, ...source: readonly string[]): Promise<Diagnosed> =>
  JSON.parse(await command('diagnose', `${namespace}/web`, '--output', 'json', ...source));

/** @param later seconds after the recording at which the diagnosis is made */
async function record({ id, title, cause, never = [] }: NodeIncident, later = 0): Promise<string> {
  const file = join(folder, `${id}.json`);
  const takenAt = new Date(Date.now() + later * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
  await command('record', file, '-n', id, '--kubeconfig', real.cluster.controlPlane.adminKubeconfig);
  if (process.env.KEEP_RECORDINGS === 'yes') {
    const workload = { kind: 'Deployment', namespace: id, name: 'web' };
    const expected = { id, title, takenAt, workload, cause, ...(never.length === 0 ? {} : { never }) };
    await mkdir(join(kept, id), { recursive: true });
    await writeFile(join(kept, id, 'objects.json'), await readFile(file));
    await writeFile(join(kept, id, 'expect.json'), `${JSON.stringify(expected, undefined, 1)}\n`);
  }
  return file;
}

describe('an incident on a real node', () => {
  it.each(nodeIncidents)('$title', async (incident) => {
    const { id, before, reached, cause, never = [], facts = {} } = incident;
    if (incident.isHasty === true) await begin(incident);
    if (before !== undefined) {
      await untilPods(id, before.reached);
      real.registry.behave(id, before.registry);
    }
    await untilPods(id, reached);
    const file = await record(incident);
    const live = await diagnosed(id, '--kubeconfig', real.cluster.controlPlane.adminKubeconfig);
    const later = await diagnosed(id, '--from', file);
    await real.cluster.remove({ kind: 'Deployment', namespace: id, name: 'web' });
    for (const { findings } of [live, later]) {
      expect(findings[0]).toMatchObject({ cause, facts });
      expect(findings.filter((finding) => never.some((each) => each === finding.cause))).toEqual([]);
    }
  });
});

describe('a registry that never answers', () => {
  const id = 'registry-hangs';
  it('is a possible reason once the pull has taken longer than one of usual size, and none before', async () => {
    real.registry.behave(id, 'hang');
    await real.cluster.createNamespace(id);
    const incident: NodeIncident = {
      id,
      title: 'the registry accepts the request for an image and never answers',
      pod: (host) => ({ containers: [{ name: 'app', image: `${host}/${id}:1` }] }),
      reached: (pods) =>
        pods.some(({ status }) => status?.containerStatuses?.[0]?.state?.waiting !== undefined),
      cause: 'image-pull-failure',
    };
    await real.cluster.create(deploymentOf(incident, real.registry.host));
    await untilPods(id, incident.reached);
    await real.cluster.until<CoreV1Event, true>({
      what: 'the event of the pull',
      selection: { kind: 'Event', namespace: id },
      check: (events) => events.some(({ reason }) => reason === 'Pulling') || undefined,
    });
    const file = await record(incident, 900);
    const { findings } = await diagnosed(id, '--from', file, '--at', in15Minutes());
    expect(findings[0]).toMatchObject({
      cause: 'image-pull-failure',
      confidence: 'possible',
      facts: { refusal: 'no-answer' },
    });
    const now = await diagnosed(id, '--from', file);
    expect(now.findings.map(({ cause }) => cause)).not.toContain('image-pull-failure');
    await real.cluster.remove({ kind: 'Deployment', namespace: id, name: 'web' });
  });
});

const in15Minutes = (): string => new Date(Date.now() + 900_000).toISOString();

describe('a device that becomes unhealthy while a pod holds it', () => {
  const id = 'unhealthy-device-held';
  const resource = 'node.test/device';
  const incident: NodeIncident = {
    id,
    title: 'the old pod holds an unhealthy device, and the other device counts as used',
    pod: () => ({
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'app', image: programImage, resources: { limits: { [resource]: '1' } } }],
    }),
    reached: (pods) =>
      pods.some(({ status }) => status?.conditions?.some(({ reason }) => reason === 'Unschedulable')),
    cause: 'surge-deadlock',
  };
  const deviceIn = (pods: readonly V1Pod[], health: string): string | undefined =>
    pods
      .flatMap(({ status }) => status?.containerStatuses ?? [])
      .flatMap(({ allocatedResourcesStatus = [] }) => allocatedResourcesStatus)
      .flatMap(({ resources = [] }) => resources)
      .find((each) => each.health === health)?.resourceID;
  const untilDevice = (health: string): Promise<string> =>
    real.cluster.until<V1Pod, string>({
      what: `a device with health ${health}`,
      selection: { kind: 'Pod', namespace: id },
      deadlineMilliseconds: 120_000,
      check: (pods) => deviceIn(pods, health),
    });

  it('is named where the pod deadlocks the rollout', async () => {
    const [node] = real.nodes;
    await node.startDevices(await ensureDevicePlugin(), resource, 2);
    await real.cluster.createNamespace(id);
    await real.cluster.create(deploymentOf(incident, real.registry.host));
    const device = await untilDevice('Healthy');
    node.setUnhealthy(device);
    await untilDevice('Unhealthy');
    // The status of the pod comes first. Until the node follows, a new pod gets the other device.
    await real.cluster.until<V1Node, true>({
      what: 'the node to offer one device less',
      selection: { kind: 'Node' },
      deadlineMilliseconds: 60_000,
      check: (nodes) => nodes.some(({ status }) => status?.allocatable?.[resource] === '1'),
    });
    await real.cluster.patch(
      { kind: 'Deployment', namespace: id, name: 'web' },
      { spec: { template: { metadata: { annotations: { change: '2' } } } } },
    );
    await untilPods(id, incident.reached);
    const file = await record(incident);
    const { findings } = await diagnosed(id, '--from', file);
    expect(findings[0]).toMatchObject({ cause: 'surge-deadlock' });
    expect(JSON.stringify(findings[0])).toContain(`${device}: Unhealthy`);
    await real.cluster.remove({ kind: 'Deployment', namespace: id, name: 'web' });
  });
});

describe('a cordoned node', () => {
  const onNode = (id: string, title: string, name: string, cause: NodeIncident['cause']): NodeIncident => ({
    id,
    title,
    pod: () => ({
      nodeSelector: { 'kubernetes.io/hostname': name },
      containers: [{ name: 'app', image: programImage }],
    }),
    reached: (pods) =>
      pods.some(({ status }) => status?.conditions?.some(({ reason }) => reason === 'Unschedulable')),
    cause,
  });
  const cordon = (name: string, unschedulable: boolean): Promise<void> =>
    real.cluster.patch({ kind: 'Node', name }, { spec: { unschedulable } });

  async function expectCause(incident: NodeIncident): Promise<void> {
    await real.cluster.createNamespace(incident.id);
    await real.cluster.create(deploymentOf(incident, real.registry.host));
    await untilPods(incident.id, incident.reached);
    const file = await record(incident);
    const { findings } = await diagnosed(incident.id, '--from', file);
    expect(findings[0]).toMatchObject({ cause: incident.cause, confidence: 'proven' });
    const other = incident.cause === 'node-cordoned' ? 'node-not-ready' : 'node-cordoned';
    expect(findings.map(({ cause }) => cause)).not.toContain(other);
  }

  it('is the reason where its kubelet is healthy', async () => {
    await cordon('node-a', true);
    await expectCause(
      onNode('cordoned-and-healthy', 'the only node that fits is cordoned', 'node-a', 'node-cordoned'),
    );
    await cordon('node-a', false);
  });

  it('is not the reason where its kubelet is silent', async () => {
    const [, silent] = real.nodes;
    await silent.stopKubelet();
    await cordon(silent.name, true);
    await real.cluster.until<V1Node, true>({
      what: 'the taint of the silent node',
      selection: { kind: 'Node' },
      deadlineMilliseconds: 120_000,
      check: (nodes) =>
        nodes.some(({ spec }) => spec?.taints?.some(({ key }) => key === 'node.kubernetes.io/unreachable')),
    });
    await expectCause(
      onNode(
        'cordoned-and-silent',
        'the only node that fits is cordoned, and its kubelet is silent',
        silent.name,
        'node-not-ready',
      ),
    );
    await cordon(silent.name, false);
    await silent.startKubelet();
  });
});
