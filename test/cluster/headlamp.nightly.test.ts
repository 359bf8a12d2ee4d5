import { type RequestOptions, request } from 'node:https';
import { text } from 'node:stream/consumers';
import { KubeConfig, type V1Role, type V1RoleBinding, type V1ServiceAccount } from '@kubernetes/client-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HeadlampPage, startHeadlampPage } from '../support/headlamp-page.js';
import { hasBrowser, type OpenPage, openPage } from '../support/open-page.js';
import { type Cluster, startCluster } from './harness/cluster.js';
import { surgeExtendedResource } from './incidents/surge-deadlocks.js';

/** The built plug-in in a browser, and a real API server that decides what each user may read. */
describe.runIf(hasBrowser)('the section in Headlamp, with a real API server', () => {
  let cluster: Cluster;
  let headlamp: HeadlampPage;
  let browser: OpenPage;
  let user: KubeConfig;
  let workload: { readonly namespace: string; readonly name: string };

  beforeAll(async () => {
    cluster = await startCluster();
    ({ workload } = await surgeExtendedResource.reproduce(cluster));
    headlamp = await startHeadlampPage((path) => answerTo(path));
    browser = await openPage();
  });
  afterAll(async () => {
    await browser?.close();
    await headlamp?.close();
    await cluster?.stop();
  });

  /** As the backend of Headlamp forwards a request, with the credentials of the user. */
  async function answerTo(path: string) {
    const server = user.getCurrentCluster()?.server ?? '';
    const options: RequestOptions = { headers: {} };
    await user.applyToHTTPSOptions(options);
    return await new Promise<{ readonly status: number; readonly body: string }>((resolve, reject) => {
      request(`${server}${path}`, options, (answer) => {
        text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
      })
        .on('error', reject)
        .end();
    });
  }

  async function shown(): Promise<string> {
    const { page } = browser;
    await page.goto(headlamp.urlOf('Deployment', workload.namespace, workload.name));
    await page.getByRole('button', { name: 'Find out why the rollout is stuck' }).click();
    await page.locator('section > div, section > [role=alert]').first().waitFor();
    return (await page.locator('main').textContent()) ?? '';
  }

  it('proves the deadlock to an administrator, and only reads', async () => {
    user = cluster.config;
    const said = await shown();

    expect(said).toContain('surge-deadlock');
    expect(said).toContain('proven');
    expect(said).toContain(`kubectl -n ${workload.namespace} patch deployment/${workload.name}`);
    expect(headlamp.asked.filter((each) => !each.startsWith('GET /'))).toEqual([]);
  });

  it('says what a user of one namespace may not read, and proves nothing', async () => {
    const { namespace } = workload;
    const metadata = { name: 'viewer', namespace };
    await cluster.create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata } as V1ServiceAccount);
    const rules = [{ apiGroups: ['', 'apps', 'events.k8s.io'], resources: ['*'], verbs: ['get', 'list'] }];
    await cluster.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'Role',
      metadata,
      rules,
    } as V1Role);
    await cluster.create({
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'RoleBinding',
      metadata,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'viewer' },
      subjects: [{ kind: 'ServiceAccount', ...metadata }],
    } as V1RoleBinding);
    user = new KubeConfig();
    user.loadFromFile(await cluster.kubeconfigFor(metadata));
    const said = await shown();

    expect(said).toContain('forbidden');
    expect(said).not.toContain('proven');
  });
});
