import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { KubernetesObject } from '@kubernetes/client-node';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { shippedObjects } from './harness/shipped-rbac.js';
import { ensureTool } from './owners/harness/tools.js';

const chart = fileURLToPath(new URL('../../deploy/chart', import.meta.url));
const namespaced = ['--set', 'rbac.namespaces={shop,web}'];

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

  it('gives the keys that sign approvals to the app and the remediation worker only', () => {
    const holders = render([])
      .filter((object) => object.kind === 'Deployment' && JSON.stringify(object).includes('APPROVAL_KEYS'))
      .map(({ metadata }) => metadata?.name);
    expect(holders).toEqual(['rollout-doctor-app', 'rollout-doctor-remediation']);
  });
});
