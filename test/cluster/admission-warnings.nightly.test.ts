import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { certainShapes } from '#src/doctor/forecasts/certain-shapes.js';
import { schemas } from '#src/engine/objects/cluster-objects.js';
import type { JsonObject } from '#src/engine/objects/wire.js';
import { eventually } from '../support/eventually.js';
import { scenarios } from '../support/scenarios/expectation.js';
import { shippedFolder } from '../support/shipped-programs.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { ensureTool } from './harness/tools.js';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');

type Kind = 'Deployment' | 'DaemonSet';
interface Template {
  readonly strategy?: unknown;
  readonly replicas?: number;
  readonly pod?: object;
  readonly ports?: readonly object[];
}

function object(kind: Kind, name: string, { strategy, replicas, pod, ports }: Template): JsonObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind,
    metadata: { name, namespace: 'default' },
    spec: {
      ...(replicas === undefined ? {} : { replicas }),
      ...(strategy === undefined
        ? {}
        : { [kind === 'Deployment' ? 'strategy' : 'updateStrategy']: strategy }),
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: {
          ...pod,
          containers: [{ name: 'app', image: 'registry.example/app:1', ...(ports && { ports }) }],
        },
      },
    },
  };
}

const rolling = (maxSurge: unknown, maxUnavailable: unknown) => ({
  type: 'RollingUpdate',
  rollingUpdate: { maxSurge, maxUnavailable },
});
const ports = [{ containerPort: 80, hostPort: 80 }];
const pinned = { nodeSelector: { 'kubernetes.io/hostname': 'node-a' } };
const onHost = { ...pinned, hostNetwork: true };

const crafted: readonly (readonly [boolean, Kind, Template])[] = [
  [true, 'Deployment', { pod: pinned, ports }],
  [true, 'Deployment', { pod: onHost, ports: [{ containerPort: 80 }] }],
  [true, 'Deployment', { pod: pinned, ports, strategy: rolling(1, 0) }],
  [true, 'Deployment', { pod: pinned, ports, strategy: rolling('1%', '99%') }],
  [false, 'Deployment', { pod: pinned, ports, strategy: rolling('1%', '100%') }],
  [false, 'Deployment', { pod: pinned, ports, strategy: rolling(0, 1) }],
  [false, 'Deployment', { pod: pinned, ports, strategy: rolling('0%', '25%') }],
  [false, 'Deployment', { pod: pinned, ports, strategy: rolling(1, 1) }],
  [false, 'Deployment', { pod: pinned, ports, strategy: { type: 'Recreate' } }],
  [false, 'Deployment', { pod: pinned, ports, replicas: 0 }],
  [false, 'Deployment', { pod: pinned, ports, replicas: 2 }],
  [false, 'Deployment', { pod: pinned, ports: [{ containerPort: 80 }] }],
  [false, 'Deployment', { pod: pinned }],
  [false, 'Deployment', { ports }],
  [false, 'Deployment', { pod: { ...pinned, schedulerName: 'other' }, ports }],
  [true, 'DaemonSet', { ports, strategy: rolling(1, 0) }],
  [true, 'DaemonSet', { ports, strategy: rolling('5%', 0) }],
  [false, 'DaemonSet', { ports, strategy: rolling(0, 1) }],
  [false, 'DaemonSet', { ports, strategy: rolling('0%', 1) }],
  [false, 'DaemonSet', { ports }],
  [false, 'DaemonSet', { ports, strategy: { type: 'OnDelete' } }],
  [false, 'DaemonSet', { strategy: rolling(1, 0) }],
];

/** Every recorded Deployment and DaemonSet, as a manifest under a name of its own. */
async function recorded(): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  for (const { folder } of scenarios()) {
    const list = JSON.parse(await readFile(join(folder, 'objects.json'), 'utf8')) as { items: JsonObject[] };
    for (const item of list.items) {
      if (item.kind !== 'Deployment' && item.kind !== 'DaemonSet') continue;
      const name = `recorded-${found.length}`;
      found.push({
        apiVersion: 'apps/v1',
        kind: item.kind,
        metadata: { name, namespace: 'default' },
        spec: item.spec,
      });
    }
  }
  return found;
}

function nameOf({ metadata }: JsonObject): string {
  return (metadata as { readonly name: string }).name;
}

function isCertain(manifest: JsonObject): boolean {
  const workload = schemas[manifest.kind as Kind].parse(manifest);
  return certainShapes.some(({ kind, matches }) => kind === workload.kind && matches(workload));
}

describe('the warnings of the API server', () => {
  let cluster: Cluster;
  let folder: string;
  let kubectl: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-warnings-'));
    ({ file: kubectl } = await ensureTool('kubectl'));
    cluster = await startCluster();
    const page = await readFile(join(root, 'docs/admission-warnings.md'), 'utf8');
    const [, args = ''] =
      /^node dist\/rollout-doctor\.js admission-policy \| kubectl (apply -f -)$/m.exec(page) ?? [];
    const program = [join(shippedFolder('package'), 'dist/rollout-doctor.js'), 'admission-policy'];
    const { stdout: policy } = await run(process.execPath, program, { cwd: root });
    const applied = run(kubectl, args.split(' '), { cwd: root, env: userEnv() });
    applied.child.stdin?.end(policy);
    await applied;
    const [, kind, template] = crafted[0] ?? [];
    if (kind === undefined || template === undefined) throw new Error('no object');
    await eventually(
      'the policy is in force',
      async () => (await warned([object(kind, 'probe', template)])).warned.length > 0,
    );
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function userEnv() {
    return { PATH: process.env.PATH, HOME: folder, KUBECONFIG: cluster.controlPlane.adminKubeconfig };
  }

  /** Names of the objects of which the API server warns in a dry run, and of those that it accepts. */
  async function warned(items: readonly JsonObject[]) {
    const file = join(folder, 'list.json');
    await writeFile(file, JSON.stringify({ apiVersion: 'v1', kind: 'List', items }));
    const args = ['create', '--dry-run=server', '-o', 'name', '-f', file];
    const options = { env: userEnv(), maxBuffer: 64 * 1024 * 1024 };
    const { stdout, stderr } = await run(kubectl, args, options).catch(
      (error: { readonly stdout: string; readonly stderr: string }) => error,
    );
    return {
      warned: [...stderr.matchAll(/^Warning: .*: (?:Deployment|DaemonSet) (\S+): The next update/gmu)].map(
        ([, name = '']) => name,
      ),
      accepted: stdout.split('\n').flatMap((line) => line.split('/')[1]?.split(' ')[0] ?? []),
      stderr,
    };
  }

  it('come for each certain shape and for no other', async () => {
    const items = crafted.map(([, kind, template], at) => object(kind, `w-${at}`, template));
    const { warned: names, accepted, stderr } = await warned(items);
    expect(accepted.length, stderr.slice(0, 2_000)).toBe(items.length);
    const expected = items.filter((_, at) => crafted[at]?.[0]);
    expect(names).toEqual(expected.map(nameOf));
    expect(items.filter(isCertain).map(nameOf)).toEqual(expected.map(nameOf));
  });

  it('come for those recorded workloads that the same rule of `check` names', async () => {
    const items = await recorded();
    const { warned: names, accepted } = await warned(items);
    const taken = new Set(accepted);
    expect(taken.size).toBeGreaterThan(500);
    const expected = items.filter(isCertain).map(nameOf);
    expect(expected.length).toBeGreaterThan(0);
    expect(names).toEqual(expected.filter((name) => taken.has(name)));
  });
});
