import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject, V1Deployment, V1Namespace, V1Service } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { type Cluster, startCluster } from './harness/cluster.js';
import { shippedObjects } from './harness/shipped-rbac.js';
import { ensureTool } from './owners/harness/tools.js';

const chart = fileURLToPath(new URL('../../deploy/chart', import.meta.url));
const namespaced = ['--set', 'rbac.namespaces={shop,web}'];
const everyOption = [
  ...['--set', 'config.CHANNEL_LANGUAGE=ko,config.READ_TIMEOUT_SECONDS=30,app.replicas=2'],
  ...['--set', 'alerts=apiVersion: rollout-doctor/v1,alertSecrets={ALERTS_TOKEN},policy=grants: []'],
  ...['--set', 'image.tag=1.2.3,existingSecret=tokens,diagnosis.replicas=3'],
];

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  for (const name of ['rollout-doctor', 'shop', 'web']) {
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } } as V1Namespace);
  }
});
afterAll(async () => {
  await cluster?.stop();
});

describe.each(['helm-3', 'helm-4'] as const)('the chart, rendered by %s', (name) => {
  let file = '';
  beforeAll(async () => {
    file = (await ensureTool(name)).file;
  });

  const helm = (...args: string[]) => spawnSync(file, args, { encoding: 'utf8' });
  function render(options: readonly string[]): KubernetesObject[] {
    const { stdout, stderr, status } = helm('template', 'doctor', chart, '-n', 'rollout-doctor', ...options);
    expect(status, stderr).toBe(0);
    return parseAllDocuments(stdout)
      .map((document): KubernetesObject | null => document.toJS())
      .filter((object) => object !== null);
  }
  const permissions = (objects: readonly KubernetesObject[]) =>
    objects
      .filter(({ kind = '' }) => /Role|ServiceAccount/.test(kind))
      .map(({ kind, ...rest }) => ({ kind, ...rest }));

  it('passes helm lint', () => {
    const { status, stdout } = helm('lint', '--strict', chart);
    expect(status, stdout).toBe(0);
  });

  it('grants the rules of deploy/rbac/cluster-wide by default', () => {
    const files = ['base/service-accounts.yaml', 'cluster-wide/reader.yaml', 'cluster-wide/patcher.yaml'];
    const shipped = permissions(files.flatMap(shippedObjects));
    const rendered = permissions(render([]));
    expect(rendered).toHaveLength(shipped.length);
    expect(rendered).toEqual(expect.arrayContaining(shipped));
  });

  it('grants the rules of deploy/rbac/namespaced in each named namespace', () => {
    const perNamespace = ['namespaced/reader.yaml', 'namespaced/patcher.yaml'].flatMap(shippedObjects);
    const once = ['base/service-accounts.yaml', 'namespaced/cluster-scoped.yaml'].flatMap(shippedObjects);
    const shipped = permissions([
      ...once,
      ...['shop', 'web'].flatMap((namespace) =>
        perNamespace.map((object) => ({ ...object, metadata: { ...object.metadata, namespace } })),
      ),
    ]);
    const rendered = permissions(render(namespaced));
    expect(rendered).toHaveLength(shipped.length);
    expect(rendered).toEqual(expect.arrayContaining(shipped));
  });

  it.each([
    ['config.VERIFY_SECONDS=0', 'VERIFY_SECONDS'],
    ['config.SLACK_MODE=pigeon', 'SLACK_MODE'],
    ['config.NO_SUCH_SETTING=1', 'NO_SUCH_SETTING'],
    ['config.APPROVAL_KEYS=a:b', 'APPROVAL_KEYS'],
    ['app.replicaz=2', 'replicaz'],
  ])('refuses %s by name', (value, named) => {
    const { status, stderr } = helm('template', 'doctor', chart, '--set', value);
    expect(status).not.toBe(0);
    expect(stderr).toContain(named);
  });

  it('mounts the alerts file where one is given, and passes the secrets that it names', () => {
    const deployments = (options: readonly string[]) =>
      JSON.stringify(render(options).filter(({ kind }) => kind === 'Deployment'));

    expect(deployments([])).not.toContain('ALERTS_FILE');
    const given = deployments(everyOption);
    expect(given.match(/"ALERTS_FILE"/g)).toHaveLength(3);
    expect(given.match(/"ALERTS_TOKEN","valueFrom"/g)).toHaveLength(3);
  });

  it('routes each port of the Service to a port that the app names', () => {
    const objects = render([]);
    const service: V1Service | undefined = objects.find(({ kind }) => kind === 'Service');
    const app: V1Deployment | undefined = objects.find(
      ({ kind, metadata }) => kind === 'Deployment' && metadata?.name === 'rollout-doctor-app',
    );
    const named = app?.spec?.template.spec?.containers[0]?.ports?.map(({ name }) => name);

    expect(service?.spec?.ports).toHaveLength(2);
    for (const { targetPort } of service?.spec?.ports ?? []) expect(named).toContain(targetPort);
    expect(app?.spec?.template.metadata?.labels).toMatchObject(service?.spec?.selector ?? { none: 'at all' });
  });

  it.each([
    ['with its defaults', []],
    ['for two namespaces', namespaced],
    ['with every option', everyOption],
  ])('is accepted by the API server %s', async (_, options) => {
    const objects = render(options);
    for (const object of objects) await cluster.objects.create(object, undefined, 'All');

    expect(objects.length).toBeGreaterThan(10);
  });

  it('gives the keys that sign approvals to the app and the remediation worker only', () => {
    const holders = render([])
      .filter((object) => object.kind === 'Deployment' && JSON.stringify(object).includes('APPROVAL_KEYS'))
      .map(({ metadata }) => metadata?.name);
    expect(holders).toEqual(['rollout-doctor-app', 'rollout-doctor-remediation']);
  });
});
