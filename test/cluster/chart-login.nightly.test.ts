import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type {
  KubernetesObject,
  V1Deployment,
  V1Ingress,
  V1Namespace,
  V1NetworkPolicy,
  V1Pod,
  V1PodSpec,
  V1Service,
} from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { doctorCommand } from '#src/edges/cli/doctor-command.js';
import { testKeyText } from '../support/authority.js';
import { startCompanyLogin } from '../support/company-login.js';
import { helmOf } from './harness/chart.js';
import { type Cluster, startCluster } from './harness/cluster.js';

const docs = readFileSync(new URL('../../docs/login.md', import.meta.url), 'utf8');
/** The values and the Ingress of docs/login.md, as people copy them. */
const blocks = [...docs.matchAll(/```yaml\n(.*?)```/gsu)].map(([, text = '']) => text);
const blockWith = (words: string): string => {
  const found = blocks.find((text) => text.includes(words));
  if (found === undefined) throw new Error(`docs/login.md has no block with ${words}`);
  return found;
};

let cluster: Cluster;
const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-chart-login-'));
const values = join(folder, 'values.yaml');
writeFileSync(values, blockWith('login: { enabled: true }'));
beforeAll(async () => {
  cluster = await startCluster();
  const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
  const metadata = { name: 'rollout-doctor', labels };
  await cluster.create({ apiVersion: 'v1', kind: 'Namespace', metadata } as V1Namespace);
});
afterAll(async () => {
  await cluster?.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe.each(['helm-3', 'helm-4'] as const)('a release with the login of docs/login.md, by %s', (tool) => {
  const { prepare, render } = helmOf(tool);
  beforeAll(prepare);
  const given = (...more: string[]) =>
    render(['--values', values, ...more.flatMap((each) => ['--set', each])]);

  it.each([[[]], [['part=app']], [['part=cluster', 'clusterName=prod-eu']]])(
    'is accepted by the API server with %s',
    async (more) => {
      const objects = given(...more);
      const accounts = objects.filter(({ kind }) => kind === 'ServiceAccount');
      for (const account of accounts) await cluster.create(account).catch(() => undefined);
      const others = objects.filter(({ kind }) => kind !== 'ServiceAccount');
      for (const object of others) await cluster.objects.create(object, undefined, 'All');
      expect(others.length).toBeGreaterThan(5);
    },
  );

  it('has an Ingress whose port the Service passes to the app', async () => {
    const ingress: V1Ingress = parse(blockWith('kind: Ingress'));
    await cluster.objects.create(ingress as never, undefined, 'All');
    const backend = ingress.spec?.rules?.[0]?.http?.paths[0]?.backend.service;
    const objects = given();
    const service = named<V1Service>(objects, 'Service', backend?.name ?? '');
    const port = service.spec?.ports?.find(({ name }) => name === backend?.port?.name);
    const [container] = specOf(objects, 'app').containers;

    expect(ingress.spec?.rules?.[0]?.host).toBe(new URL(configIn(objects, 'LOGIN_BASE_URL')).host);
    expect(container?.ports?.find(({ name }) => name === port?.targetPort)?.containerPort).toBe(3003);
    expect(container?.env?.find(({ name }) => name === 'LOGIN_PORT')?.value).toBe('3003');
  });

  it('gives the client secret as a file to the app and to the test, and to no worker', () => {
    const holders = given()
      .filter((object) => JSON.stringify(object).includes('LOGIN_CLIENT_SECRET'))
      .map(({ kind, metadata }) => `${kind} ${metadata?.name}`);
    expect(holders).toEqual(['Deployment rollout-doctor-app', 'Pod rollout-doctor-test']);
    expect(JSON.stringify(given('part=cluster', 'clusterName=prod-eu'))).not.toContain('LOGIN_CLIENT_SECRET');
  });

  it.each([
    ['https://login.example.com', [443]],
    ['https://login.example.com:443', [443]],
    ['https://login.example.com:8443/realms/acme', [443, 8443]],
    ['https://[fd00::1]', [443]],
    ['https://[fd00::1]:9443', [443, 9443]],
  ])('lets the app reach %s, and browsers its pages', (issuer, ports) => {
    const objects = given(`config.LOGIN_ISSUER=${issuer}`);
    const egress = named<V1NetworkPolicy>(objects, 'NetworkPolicy', 'rollout-doctor').spec?.egress ?? [];
    const open = egress.filter(({ to }) => to === undefined).flatMap((rule) => rule.ports ?? []);
    const own = new Set([53, 6379, 6443]);
    expect(open.map(({ port }) => port).filter((port) => !own.has(Number(port)))).toEqual(ports);

    const ingress = named<V1NetworkPolicy>(objects, 'NetworkPolicy', 'rollout-doctor-app').spec?.ingress;
    expect(ingress).toEqual([
      {
        from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
        ports: [{ port: 'login' }],
      },
    ]);
  });

  it('reports by `helm test` whether the issuer answers', async () => {
    const company = await startCompanyLogin('http://127.0.0.1:1/login/callback', {
      sub: 'd',
      email: 'd@e.com',
    });
    onTestFinished(() => company.close());
    const objects = given(`config.LOGIN_ISSUER=${company.issuer}`);
    const pod = named<V1Pod>(objects, 'Pod', 'rollout-doctor-test').spec;
    if (pod === undefined) throw new Error('no pod');
    expect(pod.containers[0]?.command).toEqual(['rollout-doctor', 'doctor']);
    const secret = { LOGIN_CLIENT_SECRET: 'a-client-secret', APPROVAL_KEYS: testKeyText };

    const text = await reported(environmentOf(pod, secret, folder));

    expect(text).toContain(`The login at ${company.issuer} answers.`);
    expect(text).not.toContain('missing');
  });
});

/** What `rollout-doctor doctor` prints of the configuration. */
async function reported(env: Readonly<Record<string, string>>): Promise<string> {
  let text = '';
  const streams = {
    out: async (more: string) => {
      text += more;
    },
    paint: (_: unknown, told: string) => told,
  };
  await doctorCommand({ only: ['configuration'], output: 'text', lang: 'en' }, streams as never, env);
  return text;
}

/**
 * The environment of a pod's container as the kubelet makes it, with mounted keys of the Secret below a
 * folder.
 */
function environmentOf(
  { containers: [container], volumes = [] }: V1PodSpec,
  secret: Readonly<Record<string, string>>,
  below: string,
): Record<string, string> {
  const mounted = new Map<string, string>();
  for (const { name, mountPath } of container?.volumeMounts ?? []) {
    for (const { key, path } of volumes.find((each) => each.name === name)?.secret?.items ?? []) {
      const file = join(below, path);
      writeFileSync(file, secret[key] ?? '');
      mounted.set(`${mountPath}/${path}`, file);
    }
  }
  const every: Readonly<Record<string, string>> = {
    SLACK_BOT_TOKEN: 'xoxb-1',
    SLACK_APP_TOKEN: 'xapp-1',
    REDIS_URL: 'redis://127.0.0.1:1',
    ...secret,
  };
  return Object.fromEntries(
    (container?.env ?? []).flatMap(({ name, value, valueFrom }) => {
      const found = value ?? every[valueFrom?.secretKeyRef?.key ?? ''];
      return found === undefined ? [] : [[name, mounted.get(found) ?? found]];
    }),
  );
}

function named<Object extends KubernetesObject>(
  objects: readonly KubernetesObject[],
  kind: string,
  name: string,
): Object {
  const found = objects.find((object) => object.kind === kind && object.metadata?.name === name);
  if (found === undefined) throw new Error(`no ${kind} ${name}`);
  return found as Object;
}

function specOf(objects: readonly KubernetesObject[], component: string): V1PodSpec {
  const { spec } = named<V1Deployment>(objects, 'Deployment', `rollout-doctor-${component}`);
  if (spec?.template.spec === undefined) throw new Error('no pod');
  return spec.template.spec;
}

function configIn(objects: readonly KubernetesObject[], name: string): string {
  const value = specOf(objects, 'app').containers[0]?.env?.find((each) => each.name === name)?.value;
  if (value === undefined) throw new Error(`no ${name}`);
  return value;
}
