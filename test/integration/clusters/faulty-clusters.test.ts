import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClustersRig, startClusters } from '../../support/clusters-rig.js';
import type { Rig } from '../../support/faults-rig.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { textOf, withAssistant } from '../../support/mcp-rig.js';
import { rolloutDoctor } from '../../support/run-command-line.js';

const token = 'a'.repeat(40);
const alerts = `assistants: [{ name: oncall, token: { env: ONCALL_TOKEN }, user: U0DANA, channel: C0MLONCALL }]\n`;
const policyOf = (grants: string): string => `apiVersion: rollout-doctor/v1\n${grants}\n`;

/**
 * `twin` runs under the name of `prod-eu`, the API server of `prod-us` hangs, `prod-sa` has another policy.
 */
type Key = 'prod-ap' | 'prod-eu' | 'prod-sa' | 'prod-us' | 'twin';

describe('clusters of which some have a fault', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rollout-doctor-policies-'));
  const file = (name: string, grants: string): string => {
    writeFileSync(join(folder, name), policyOf(grants));
    return join(folder, name);
  };
  const policy = file('policy', 'grants: [{ groups: [ml-oncall], namespaces: ["*"], actions: "*" }]');
  let clusters: ClustersRig<Key>;
  let rig: Rig;

  beforeAll(async () => {
    const other = file('other', 'grants: []');
    clusters = await startClusters<Key>(
      {
        'prod-ap': {},
        'prod-eu': {},
        'prod-sa': { env: { POLICY_FILE: other } },
        'prod-us': {},
        twin: { name: 'prod-eu' },
      },
      { startPart: inThisProcess, alerts, env: { POLICY_FILE: policy, ONCALL_TOKEN: token } },
    );
    rig = clusters.rig;
  }, 240_000);
  afterAll(async () => {
    await clusters?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('have the card of a healthy one arrive while the API server of another one hangs', async () => {
    const { askUntil, cardsOf, cluster } = clusters;
    await askUntil('prod-us/shop/inference', 'sam', () => cardsOf('prod-us').length > 0);
    cluster('prod-us').faults.add({ effect: { type: 'hang' } });
    const before = cardsOf('prod-us').length;
    await rig.ask('prod-us/shop/other', 'sam');
    await askUntil('prod-ap/shop/inference', 'dana', () => cardsOf('prod-ap').length > 0);
    expect(cardsOf('prod-us')).toHaveLength(before);
  });

  it('are named on Home and by doctor, each with its fault, and the healthy one is not', async () => {
    const faults = [
      /two different clusters have the same name[^\n]*prod-eu/,
      /API server does not answer[^\n]*prod-us/,
      /policy of the workers differs[^\n]*prod-sa/,
    ];
    const page = await clusters.untilHome('dana', (shown) => faults.every((fault) => fault.test(shown)));
    expect(
      page.split('\n').filter((line) => /prod-ap/.test(line) && /differ|does not answer/.test(line)),
    ).toEqual([]);

    const { out } = await rolloutDoctor(['doctor', '--only', 'redis'], {
      env: { REDIS_URL: rig.redis.url, REDIS_PREFIX: rig.prefix, POLICY_FILE: policy },
    });
    const text = out.replace(/\s+/g, ' ');
    expect(text).toMatch(/prod-eu: workers of two different clusters run with this CLUSTER_NAME/);
    expect(text).toMatch(/prod-us: the workers run, and the API server does not answer them/);
    expect(text).toMatch(/prod-sa: the workers have another policy than the app/);
    expect(text).toContain('ok prod-ap: the workers of the cluster are running.');
  });

  it('answer at once about one whose API server is away, and about a name that two share', async () => {
    await rig.ask('prod-us/shop/inference', 'robin');
    await rig.untilTold('robin', /prod-us.*does not answer/su);
    await rig.ask('prod-eu/shop/inference', 'min-jun');
    await rig.untilTold('min-jun', /prod-eu.*두 클러스터의 워커가 이 이름으로/su);
    expect(clusters.cardsOf('prod-eu')).toEqual([]);
  });

  it('apply the policy of their own workers, which lets nobody approve', async () => {
    const { askUntil, cardsOf, changesIn } = clusters;
    await askUntil('prod-sa/shop/inference', 'dana', () => cardsOf('prod-sa').length > 0);
    const [card] = cardsOf('prod-sa');
    if (card === undefined) throw new Error('no card');
    await rig.opensReview('dana', card);
    await rig.untilModal('dana', 'policy');
    expect(rig.slack.as('dana').modal()?.submit).toBeUndefined();
    expect(changesIn('prod-sa')).toBe(0);
  });

  it('refuse an approval once a second cluster has the name, after it was reviewed', async () => {
    const { askUntil, cardsOf, changesIn, untilHome, workersOf } = clusters;
    const isShared = (page: string) => /have the same name[^\n]*prod-eu/.test(page);
    for (const worker of workersOf('twin')) await worker.stop();
    await untilHome('dana', (page) => !isShared(page));
    await askUntil('prod-eu/shop/inference', 'dana', () => cardsOf('prod-eu').length > 0);
    const [card] = cardsOf('prod-eu');
    if (card === undefined) throw new Error('no card');
    const view = await rig.review('dana', card);
    for (const worker of workersOf('twin')) await worker.start();
    await untilHome('sam', isShared);

    await rig.slack.as('dana').submits(view, { reason: 'deadlock' });
    expect(await rig.untilModal('dana', 'Workers of two different clusters')).toContain(
      'Nothing was changed',
    );
    expect([changesIn('prod-eu'), changesIn('twin')]).toEqual([0, 0]);
  });

  it('let assistants read the incidents of all, and name what to do in place of reading a cluster', async () => {
    const received = rig.logged.find(({ msg }) => msg === 'alerts are received');
    const url = new URL(`http://127.0.0.1:${received?.port}/mcp`);
    await withAssistant(url, token, async (client) => {
      const refused = [
        { name: 'diagnose_rollout', arguments: { workload: 'prod-ap/shop/inference' } },
        { name: 'scan_rollouts', arguments: { namespace: 'shop', cluster: 'prod-ap' } },
      ];
      for (const call of refused) {
        const answer = await client.callTool(call);
        expect([call.name, answer.isError]).toEqual([call.name, true]);
        expect(textOf(answer)).toMatch(/Slack.*get_incident.*rollout-doctor mcp/su);
      }
      const { structuredContent } = await client.callTool({ name: 'list_incidents' });
      const { items } = structuredContent as {
        readonly items: readonly { readonly id: string; readonly workload: { readonly cluster: string } }[];
      };
      expect(new Set(items.map(({ workload }) => workload.cluster))).toEqual(
        new Set(['prod-ap', 'prod-eu', 'prod-sa', 'prod-us']),
      );
      const id = items.find(({ workload }) => workload.cluster === 'prod-ap')?.id;
      const incident = await client.callTool({ name: 'get_incident', arguments: { id } });
      expect(incident.structuredContent).toMatchObject({
        workload: { cluster: 'prod-ap' },
        cause: 'surge-deadlock',
      });
    });
  });
});
