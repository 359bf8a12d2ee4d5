import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { V1Deployment } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runAction } from '#src/edges/cli/action-command.js';
import { recordCommand } from '#src/edges/cli/record-command.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { nameOf } from './harness/grants.js';
import { applyShipped, grantsOf, shippedObjects } from './harness/shipped-rbac.js';
import { deploymentManifest } from './incidents/deployment-manifest.js';
import { rollOut } from './incidents/rolling.js';

const file = 'recorder/recorder.yaml';
const account = { namespace: 'rollout-doctor', name: 'rollout-doctor-recorder' };
const secrets = ['hunter2-hunter2', 'ghp_1234567890abcdefghijklmnopqrstuvwxyz', 'correct-horse-battery'];

/**
 * Values as people write them into templates: variables, arguments, annotations, and a copy of what was
 * applied.
 */
function withSecrets({ metadata, spec, ...deployment }: V1Deployment): V1Deployment {
  const template = spec?.template;
  const [container] = template?.spec?.containers ?? [];
  if (spec === undefined || template?.spec === undefined || container === undefined)
    throw new Error('no pod');
  const pod = {
    ...template.spec,
    containers: [
      {
        ...container,
        args: ['--listen=:80', `--token=${secrets[1]}`, '--password', `${secrets[0]}`],
        env: [
          { name: 'GREETING', value: secrets[2] ?? '' },
          { name: 'DB_PASSWORD', value: secrets[0] ?? '' },
        ],
      },
    ],
  };
  const annotations = { ...template.metadata?.annotations, 'example.com/note': secrets[2] ?? '' };
  return {
    ...deployment,
    metadata: { ...metadata },
    spec: { ...spec, template: { metadata: { ...template.metadata, annotations }, spec: pod } },
  };
}

describe('a recording by the shipped account', () => {
  let cluster: Cluster;
  let folder: string;
  let recorder: string;
  let namespace: string;
  let live: V1Deployment;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-record-'));
    cluster = await startCluster({ auditedGroups: [`system:serviceaccounts:${account.namespace}`] });
    await applyShipped(cluster, [file]);
    recorder = await cluster.kubeconfigFor(account);
    namespace = await cluster.createNamespace('shop');
    await cluster.createNodes({ name: 'gpu-a', allocatable: { 'nvidia.com/gpu': '1' } }, { name: 'cpu-a' });
    await rollOut(cluster, { namespace, name: 'inference', requests: { 'nvidia.com/gpu': '1' } });
    const plain = deploymentManifest({ namespace, name: 'web' });
    live = withSecrets(plain);
    const applied = JSON.stringify(live);
    await cluster.create({
      ...live,
      metadata: {
        ...live.metadata,
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': applied },
      },
    });
    await cluster.until({
      what: 'the pod of web to have a node',
      selection: { kind: 'Pod', namespace },
      check: (pods) => pods.some((pod) => pod.metadata?.labels?.app === 'web') || undefined,
    });
    await cluster.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { namespace, name: 'keys' },
      stringData: { key: secrets[0] ?? '' },
    } as never);
  });
  afterAll(async () => {
    await cluster?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  async function record(name: string, options: object) {
    const said: string[] = [];
    const status = await recordCommand(
      join(folder, name),
      { kubeconfig: recorder, lang: 'en', ...options },
      {
        out: (text) => void said.push(text),
        err: (text) => void said.push(text),
        paint: { colour: false, width: 80 },
        watched: false,
      },
    );
    return { status, said: said.join(''), text: await readFile(join(folder, name), 'utf8') };
  }

  async function action(manifest: object, env: Readonly<Record<string, string>>) {
    const path = join(folder, 'manifest.json');
    const [summary, output] = [join(folder, 'summary.md'), join(folder, 'output')];
    await Promise.all([path, summary, output].map((each) => rm(each, { force: true })));
    await writeFile(path, JSON.stringify(manifest));
    const written: string[] = [];
    const files = { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output };
    const status = await runAction({ INPUT_FILES: path, ...files, ...env }, (text) => written.push(text));
    return {
      status,
      written,
      summary: await readFile(summary, 'utf8'),
      output: await readFile(output, 'utf8'),
    };
  }

  it('reads every kind, and uses each right that is granted', async () => {
    const { status, said } = await record('all.json', { allNamespaces: true });
    expect([status, said]).toEqual([0, expect.stringMatching(/^Recorded \d+ objects of cluster/)]);
    await record('shop.json', { namespace });
    const user = `system:serviceaccount:${account.namespace}:${account.name}`;
    const asked = cluster.controlPlane.audit().filter((entry) => entry.user === user && entry.allowed);
    expect([...new Set(asked.map(nameOf))].sort()).toEqual(grantsOf(shippedObjects(file)));
  });

  it('holds no secret and no value of a variable, of all that the cluster holds', async () => {
    for (const [name, options] of [
      ['all.json', { allNamespaces: true, force: true }],
      ['shop.json', { namespace, force: true }],
    ] as const) {
      const { text } = await record(name, options);
      expect(text.includes('"DB_PASSWORD"')).toBe(true);
      expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    }
  });

  it.each([
    [
      'deadlock',
      () =>
        deploymentManifest({
          namespace,
          name: 'inference',
          requests: { 'nvidia.com/gpu': '1' },
          container: { image: 'registry.example/app:2' },
        }),
    ],
    ['unchanged', () => live],
    [
      'completes',
      () => ({
        ...live,
        spec: {
          ...live.spec,
          template: {
            ...live.spec?.template,
            metadata: { labels: { app: 'web' }, annotations: { 'example.com/note': 'other' } },
          },
        },
      }),
    ],
  ])('gives the action the answer of the cluster: %s', async (result, manifest) => {
    await record('all.json', { allNamespaces: true, force: true });
    const [recorded, asked] = [
      await action(manifest(), { INPUT_AGAINST: join(folder, 'all.json') }),
      await action(manifest(), { INPUT_KUBECONFIG: cluster.controlPlane.adminKubeconfig }),
    ];
    expect(asked.output).toContain(`result=${result}`);
    expect(recorded).toEqual(asked);
  });
});
