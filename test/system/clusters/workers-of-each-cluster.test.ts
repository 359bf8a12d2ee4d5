import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ClustersRig, startClusters } from '../../support/clusters-rig.js';
import { eventually, type Rig } from '../../support/faults-rig.js';

const alerts = `apiVersion: rollout-doctor/v1
channel: C0MLONCALL
webhooks:
  - name: alertmanager
    source: alertmanager
    auth: { type: bearer, token: { env: ALERTS_TOKEN } }
`;
type Name = 'prod-ap' | 'prod-eu' | 'prod-us';

let clusters: ClustersRig<Name>;
let rig: Rig;

beforeAll(async () => {
  clusters = await startClusters({ 'prod-ap': {}, 'prod-eu': {}, 'prod-us': {} }, { alerts });
  rig = clusters.rig;
}, 240_000);

afterAll(() => clusters?.stop());

describe('clusters whose workers hold the only credentials', () => {
  it('are all asked for a name, and the person chooses', async () => {
    const { askUntil, isTold } = clusters;
    await askUntil('shop/inference', 'dana', () => isTold('dana', /prod-ap.*prod-eu.*prod-us/su));
  });

  it('are diagnosed, reviewed and changed by their own workers', async () => {
    const { changesIn, strategyIn } = clusters;
    await rig.ask('prod-eu/shop/inference');
    const card = await rig.untilCard('`prod-eu`');
    await rig.untilDeadlock();

    await rig.approve('dana', card);
    await rig.untilRecovered();
    expect(strategyIn('prod-eu')).not.toEqual(strategyIn('prod-us'));
    expect([changesIn('prod-ap'), changesIn('prod-us')]).toEqual([0, 0]);
    expect(changesIn('prod-eu')).toBeGreaterThan(0);
  });

  it('delay nobody and are named when their workers are down', async () => {
    for (const worker of clusters.workersOf('prod-us')) await worker.kill();
    const page = await clusters.untilHome('dana', (shown) => shown.includes('No worker is running'));
    expect(page).toContain('prod-us');
    expect(page).not.toMatch(/No worker is running[^.]*prod-ap/u);

    await rig.ask('prod-us/shop/inference', 'sam');
    await rig.untilTold('sam', 'no worker of this cluster is running');
    await rig.ask('prod-ap/shop/inference', 'sam');
    await eventually('the other cluster is diagnosed', () => clusters.cardsOf('prod-ap').length > 0);
  });

  it('are served again when their workers return', async () => {
    for (const worker of clusters.workersOf('prod-us')) await worker.start();
    await clusters.askUntil('prod-us/shop/inference', 'dana', () => clusters.cardsOf('prod-us').length > 0);
  });

  it('are asked for the workload of an alert', async () => {
    const labels = { alertname: 'KubeDeploymentRolloutStuck', namespace: 'shop', deployment: 'inference' };
    const alert = {
      status: 'firing',
      labels: { ...labels, cluster: 'prod-ap' },
      annotations: {},
      startsAt: '2026-11-20T09:00:00Z',
      fingerprint: 'f1',
    };
    const answer = await rig.alert('alertmanager', { version: '4', status: 'firing', alerts: [alert] });
    expect(answer.ok).toBe(true);
    await eventually('the card of that cluster names the alert', () =>
      clusters.cardsOf('prod-ap').some((card) => rig.says(card).includes(labels.alertname)),
    );
  });
});
