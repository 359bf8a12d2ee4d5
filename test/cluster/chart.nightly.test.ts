import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type {
  KubernetesObject,
  V1CustomResourceDefinition,
  V1Deployment,
  V1Namespace,
  V1NetworkPolicy,
  V1PodDisruptionBudget,
  V1Service,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { addOnRights } from '../support/add-on-rights.js';
import { eventually } from '../support/eventually.js';
import { shippedProgram } from '../support/shipped-programs.js';
import { chart, helmOf } from './harness/chart.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { shippedObjects } from './harness/shipped-rbac.js';

const namespaced = ['--set', 'rbac.namespaces={shop,web}'];
const everyOption = ['--values', fileURLToPath(new URL('./every-chart-value.yaml', import.meta.url))];
/** Kinds of add-ons that the chart uses; the test serves them without a schema of their fields. */
const addOns = [
  { group: 'monitoring.coreos.com', version: 'v1', kind: 'ServiceMonitor' },
  { group: 'monitoring.coreos.com', version: 'v1', kind: 'PrometheusRule' },
  { group: 'keda.sh', version: 'v1alpha1', kind: 'ScaledObject' },
  { group: 'external-secrets.io', version: 'v1', kind: 'ExternalSecret' },
  { group: 'gateway.networking.k8s.io', version: 'v1', kind: 'HTTPRoute' },
] as const;

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster();
  for (const name of ['rollout-doctor', 'shop', 'web']) {
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } } as V1Namespace);
  }
  const accounts = shippedObjects('base/service-accounts.yaml').filter(
    ({ kind }) => kind === 'ServiceAccount',
  );
  for (const account of accounts) await cluster.create(account);
  for (const addOn of addOns) await cluster.create(definitionOf(addOn));
  await eventually('the API server serves the kinds of the add-ons', async () => {
    const answers = await Promise.all(
      addOns.map(({ group, version, kind }) => {
        const sample = {
          apiVersion: `${group}/${version}`,
          kind,
          metadata: { name: 'x', namespace: 'shop' },
        };
        return cluster.objects.create(sample, undefined, 'All').then(
          () => true,
          () => false,
        );
      }),
    );
    return answers.every((isServed) => isServed);
  });
});
afterAll(async () => {
  await cluster?.stop();
});

describe.each(['helm-3', 'helm-4'] as const)('the chart, rendered by %s', (name) => {
  const { helm, render, prepare } = helmOf(name);
  beforeAll(prepare);

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

  it.each(Object.entries(addOnRights))(
    'grants the rules of deploy/rbac for the add-on %s',
    (addOn, files) => {
      const value = ['--set', `rbac.addOns={${addOn}}`];
      const added = permissions(render(value)).filter((object) => !isIn(permissions(render([])), object));
      const shipped = permissions(files.flatMap((file) => shippedObjects(file)));
      expect(added).toHaveLength(shipped.length);
      expect(added).toEqual(expect.arrayContaining(shipped));
      const ofApp = permissions(render([...value, '--set', 'part=app']));
      expect(ofApp).toEqual(permissions(render(['--set', 'part=app'])));
    },
  );

  it.each([
    ['config.VERIFY_SECONDS=0', 'VERIFY_SECONDS'],
    ['config.SLACK_MODE=pigeon', 'SLACK_MODE'],
    ['config.NO_SUCH_SETTING=1', 'NO_SUCH_SETTING'],
    ['config.APPROVAL_KEYS=a:b', 'APPROVAL_KEYS'],
    ['app.replicaz=2', 'replicaz'],
    ['redis.storage=lots', 'storage'],
    ['image.digest=latest', 'digest'],
    ['networkPolicy.apiServer.cidrs={everywhere}', 'cidrs'],
    ['networkPolicy.alertsFrom[0].podSelektor.a=b', 'podSelektor'],
    ['autoscaling.enabled=true', 'prometheus'],
    ['autoscaling.minReplicas=0', 'minReplicas'],
    ['externalSecret.enabled=true', 'externalSecret'],
    ['monitoring.serviceMonitor.interval=often', 'interval'],
    ['rbac.addOns={kservee}', 'addOns'],
    ['login.enabled=true', 'LOGIN_ISSUER'],
    ['policy=ml-oncall', 'policy is not the content of a YAML file'],
    ['alerts=[3001]', 'alerts is not the content of a YAML file'],
    ['config.LOGIN_ISSUER=https://login.example', 'login'],
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
    expect(given.match(/"GIT_FILE"/g)).toHaveLength(3);
    expect(given.match(/"ALERTS_TOKEN","valueFrom"/g)).toHaveLength(3);
  });

  it('routes each port of the Service to a port that the app names', () => {
    const objects = render([]);
    const service: V1Service | undefined = find(objects, 'Service', 'rollout-doctor');
    const app: V1Deployment | undefined = find(objects, 'Deployment', 'rollout-doctor-app');
    const named = app?.spec?.template.spec?.containers[0]?.ports?.map(({ name }) => name);

    expect(service?.spec?.ports).toHaveLength(2);
    for (const { targetPort } of service?.spec?.ports ?? []) expect(named).toContain(targetPort);
    expect(app?.spec?.template.metadata?.labels).toMatchObject(service?.spec?.selector ?? { none: 'at all' });
  });

  it.each([
    ['with its defaults', []],
    ['for two namespaces', namespaced],
    ['of the app of many clusters', ['--set', 'part=app']],
    ['of the workers of one cluster', ['--set', 'part=cluster,clusterName=prod-eu']],
    ['with every option', everyOption],
  ])('is accepted by the API server %s', async (_, options) => {
    const objects = render(options);
    // A dry run of a Pod needs its account, so the accounts exist.
    const others = objects.filter(({ kind }) => kind !== 'ServiceAccount');
    for (const object of others) await cluster.objects.create(object, undefined, 'All');

    expect(objects.length).toBeGreaterThan(8);
  });

  it('gives the app of many clusters neither roles nor a token, and the workers of a cluster no Service', () => {
    const kubeconfig = 'kubeconfig.readerSecret=reader,kubeconfig.patcherSecret=patcher';
    const app = render(['--set', `part=app,${kubeconfig}`]);
    const workers = render(['--set', 'part=cluster,clusterName=prod-eu']);
    const deployments = app.filter(({ kind }) => kind === 'Deployment') as V1Deployment[];

    expect(deployments.map(({ metadata }) => metadata?.name)).toEqual([
      'rollout-doctor-app',
      'rollout-doctor-delivery',
    ]);
    expect(JSON.stringify(app)).not.toMatch(/"(Cluster)?Role(Binding)?"|KUBECONFIG/u);
    for (const { spec } of deployments) expect(spec?.template.spec?.automountServiceAccountToken).toBe(false);
    expect(workers.map(({ kind }) => kind)).not.toContain('Service');
    const keysOf = (object: object) => [...new Set(JSON.stringify(object).match(/\w+_KEYS/gu))];
    const all = [...app, ...workers].filter(({ kind }) => kind === 'Deployment');
    expect(all.map((each) => [each.metadata?.name, ...keysOf(each)])).toEqual([
      ['rollout-doctor-app', 'APPROVAL_KEYS'],
      ['rollout-doctor-delivery', 'ANSWER_KEYS'],
      ['rollout-doctor-diagnosis', 'ANSWER_KEYS'],
      ['rollout-doctor-remediation', 'APPROVAL_KEYS'],
    ]);
    expect(helm('template', 'doctor', chart, '--set', 'part=cluster').stderr).toContain('clusterName');
  });

  it('renders every kind of object with every option', () => {
    const kinds = new Set(render(everyOption).map(({ kind }) => kind));
    for (const { kind } of addOns) expect(kinds).toContain(kind);
    for (const kind of ['NetworkPolicy', 'StatefulSet', 'Pod']) expect(kinds).toContain(kind);
  });

  it('leaves the replicas of the diagnosis worker to the autoscaler, and sets them without one', () => {
    const replicas = (options: readonly string[]) => {
      const found: V1Deployment | undefined = find(render(options), 'Deployment', 'rollout-doctor-diagnosis');
      return found?.spec?.replicas;
    };
    expect(replicas([])).toBe(1);
    expect(replicas(everyOption)).toBeUndefined();
  });

  it('selects with each NetworkPolicy, Service and PodDisruptionBudget the pods that it is for', () => {
    const objects = render(everyOption);
    const pods = objects.flatMap((object) => labelledPods(object));
    const selected = (labels: Readonly<Record<string, string>> = {}) =>
      pods
        .filter((pod) => Object.entries(labels).every(([key, value]) => pod.labels[key] === value))
        .map(({ name: of }) => of)
        .sort();
    const budgets = objects.filter(({ kind }) => kind === 'PodDisruptionBudget') as V1PodDisruptionBudget[];
    for (const { metadata, spec } of budgets)
      expect(selected(spec?.selector?.matchLabels)).toEqual([metadata?.name]);
    const redis: V1Service | undefined = find(objects, 'Service', 'rollout-doctor-redis');
    expect(selected(redis?.spec?.selector)).toEqual(['rollout-doctor-redis']);
    const status: V1Service | undefined = find(objects, 'Service', 'rollout-doctor-status');
    expect(selected(status?.spec?.selector)).toEqual([
      'rollout-doctor-app',
      'rollout-doctor-diagnosis',
      'rollout-doctor-remediation',
    ]);
    const policies = objects.filter(({ kind }) => kind === 'NetworkPolicy') as V1NetworkPolicy[];
    expect(
      policies.map(({ metadata, spec }) => [metadata?.name, selected(spec?.podSelector?.matchLabels)]),
    ).toEqual([
      ['rollout-doctor', expect.arrayContaining(['rollout-doctor-diagnosis', 'rollout-doctor-test'])],
      ['rollout-doctor-app', ['rollout-doctor-app']],
      ['rollout-doctor-redis', ['rollout-doctor-redis']],
    ]);
  });

  it('puts the address of the documentation before each runbook', () => {
    const rules = JSON.stringify(render(everyOption).filter(({ kind }) => kind === 'PrometheusRule'));
    expect(rules).toContain('"https://docs.example/rd/runbook.md#rolloutdoctordown"');
    expect(rules).toContain('"https://docs.example/rd/causes/surge-deadlock.md"');
  });

  it('renders the same from its package, which holds what its links lead to', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-chart-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const { status, stderr } = helm('package', chart, '--destination', folder);
    expect(status, stderr).toBe(0);
    const [archive = ''] = readdirSync(folder);
    expect(render(everyOption, join(folder, archive))).toEqual(render(everyOption));
  });

  it('passes the check of the product itself', () => {
    const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-chart-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const manifest = join(folder, 'rendered.yaml');
    writeFileSync(
      manifest,
      render([])
        .map((object) => JSON.stringify(object))
        .join('\n---\n'),
    );
    const against = fileURLToPath(new URL('../scenarios/gpu-one-node', import.meta.url));
    const { status, stdout } = spawnSync(
      process.execPath,
      [shippedProgram('rollout-doctor'), 'check', '-f', manifest, '--against', against],
      { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8' },
    );
    expect(status, stdout).toBe(0);
    expect(stdout.match(/is new, and all its pods/g)).toHaveLength(3);
  });

  it('gives the keys that sign approvals to the app and the remediation worker only', () => {
    const holders = render([])
      .filter((object) => object.kind === 'Deployment' && JSON.stringify(object).includes('APPROVAL_KEYS'))
      .map(({ metadata }) => metadata?.name);
    expect(holders).toEqual(['rollout-doctor-app', 'rollout-doctor-remediation']);
  });
});

function isIn(objects: readonly object[], object: object): boolean {
  return objects.some((each) => JSON.stringify(each) === JSON.stringify(object));
}

function find(
  objects: readonly KubernetesObject[],
  kind: string,
  name: string,
): KubernetesObject | undefined {
  return objects.find((object) => object.kind === kind && object.metadata?.name === name);
}

/** The pods that an object makes, or is, with their labels. */
function labelledPods({ kind, metadata, ...rest }: KubernetesObject): readonly {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
}[] {
  const name = metadata?.name ?? '';
  if (kind === 'Pod') return [{ name, labels: metadata?.labels ?? {} }];
  const labels = (rest as V1Deployment).spec?.template?.metadata?.labels;
  return labels === undefined ? [] : [{ name, labels }];
}

/** A kind whose objects may hold anything. */
function definitionOf({ group, version, kind }: (typeof addOns)[number]): V1CustomResourceDefinition {
  const singular = kind.toLowerCase();
  const plural = `${singular}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${plural}.${group}`,
      // The API server asks for it in groups of Kubernetes itself, such as that of the Gateway API.
      annotations: { 'api-approved.kubernetes.io': 'unapproved, in a test' },
    },
    spec: {
      group,
      names: { kind, plural, singular },
      scope: 'Namespaced',
      versions: [{ name: version, served: true, storage: true, schema }],
    },
  };
}
