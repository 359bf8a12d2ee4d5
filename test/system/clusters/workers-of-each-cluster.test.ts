import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundledProgram } from '#support/bundled-programs.js';
import { eventually, type Rig, scenarios, startRig } from '#support/faults-rig.js';
import { aloud } from '#support/read-aloud.js';
import { createLocalCluster, type LocalCluster } from '../../../demo/cluster/local-cluster.js';

const alerts = `apiVersion: rollout-doctor/v1
channel: C0MLONCALL
webhooks:
  - name: alertmanager
    source: alertmanager
    auth: { type: bearer, token: { env: ALERTS_TOKEN } }
`;
const clusterNames = ['prod-ap', 'prod-eu', 'prod-us'] as const;
type Name = (typeof clusterNames)[number];

const keys = `main:${randomBytes(32).toString('base64')}`;
/** As an operator makes them. */
const keysFor = async (name: Name): Promise<string> => {
  const env = { PATH: process.env.PATH, APPROVAL_KEYS: keys };
  const { stdout } = await promisify(execFile)(
    'node',
    [bundledProgram('rollout-doctor'), 'cluster-keys', name],
    { env },
  );
  return stdout.trim();
};

let rig: Rig;
let folder: string;
const clusters = new Map<Name, LocalCluster>();

const cluster = (name: Name): LocalCluster => {
  const found = clusters.get(name);
  if (found === undefined) throw new Error(`no cluster ${name}`);
  return found;
};
/** The two workers of a cluster: one that diagnoses, and one that changes. */
const workersOf = (name: Name) => {
  const first = 1 + 2 * clusterNames.indexOf(name);
  return rig.workers.slice(first, first + 2);
};
const strategyIn = (name: Name): string => {
  const [found] = cluster(name).list('apps/v1', 'Deployment', 'shop') as unknown as readonly {
    readonly spec: { readonly strategy: unknown };
  }[];
  return JSON.stringify(found?.spec.strategy);
};
const changesIn = (name: Name): number =>
  cluster(name).requests.filter(({ verb, query }) => verb === 'patch' && !query.includes('dryRun')).length;
/** Asks again and again: which workers run is known some seconds later. */
async function askUntil(what: string, person: string, isSo: () => boolean): Promise<void> {
  let at = 0;
  await eventually(`${person} is answered about ${what}`, async () => {
    if (Date.now() - at > 3_000) {
      at = Date.now();
      await rig.ask(what, person);
    }
    return isSo();
  });
}
const told = (person: string, words: RegExp): boolean =>
  rig.slack.ephemerals(person).some((message) => words.test(rig.says(message)));
const cardsOf = (name: Name) => rig.cards().filter((card) => rig.says(card).includes(`\`${name}\``));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-clusters-'));
  const furtherWorkers: Record<string, string>[] = [];
  for (const name of clusterNames) {
    const local = await createLocalCluster();
    clusters.set(name, local);
    await local.loadRecording(join(scenarios, 'gpu-one-node'));
    const path = join(folder, name);
    await writeFile(path, local.kubeconfig(), { mode: 0o600 });
    const own = { CLUSTER_NAME: name, KUBECONFIG: path, APPROVAL_KEYS: await keysFor(name) };
    furtherWorkers.push({ ...own, WORKERS: 'diagnosis,verification' }, { ...own, WORKERS: 'remediation' });
  }
  rig = await startRig({
    scenario: 'none',
    env: { CLUSTER_ACCESS: 'workers', KUBECONFIG: '', APPROVAL_KEYS: keys },
    furtherWorkers,
    alerts,
  });
}, 240_000);

afterAll(async () => {
  await rig?.stop();
  for (const local of clusters.values()) await local.close();
  await rm(folder, { recursive: true, force: true });
});

describe('clusters whose workers hold the only credentials', () => {
  it('are all asked for a name, and the person chooses', async () => {
    await askUntil('shop/inference', 'dana', () => told('dana', /prod-ap.*prod-eu.*prod-us/su));
  });

  it('are diagnosed, reviewed and changed by their own workers', async () => {
    await rig.ask('prod-eu/shop/inference');
    const card = await rig.untilCard('`prod-eu`');
    await rig.untilCard('is deadlocked');

    await rig.approve('dana', card);
    await rig.untilCard('recovered');
    expect(strategyIn('prod-eu')).not.toEqual(strategyIn('prod-us'));
    expect([changesIn('prod-ap'), changesIn('prod-us')]).toEqual([0, 0]);
    expect(changesIn('prod-eu')).toBeGreaterThan(0);
  });

  it('delay nobody and are named when their workers are down', async () => {
    for (const worker of workersOf('prod-us')) await worker.kill();
    const actor = rig.slack.as('dana');
    let openedAt = 0;
    const page = (): string => {
      // As a person does: the app answers each opening.
      if (Date.now() - openedAt > 1_000) {
        openedAt = Date.now();
        actor.opensHome();
      }
      return aloud(actor.home()?.blocks ?? []);
    };
    await eventually('Home names the cluster', () => page().includes('No worker is running'));
    expect(page()).toContain('prod-us');
    expect(page()).not.toMatch(/No worker is running[^.]*prod-ap/u);

    await rig.ask('prod-us/shop/inference', 'sam');
    await rig.untilTold('sam', 'no worker of this cluster is running');
    await rig.ask('prod-ap/shop/inference', 'sam');
    await eventually('the other cluster is diagnosed', () => cardsOf('prod-ap').length > 0);
  });

  it('are served again when their workers return', async () => {
    for (const worker of workersOf('prod-us')) await worker.start();
    await askUntil('prod-us/shop/inference', 'dana', () => cardsOf('prod-us').length > 0);
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
      cardsOf('prod-ap').some((card) => rig.says(card).includes(labels.alertname)),
    );
  });
});
