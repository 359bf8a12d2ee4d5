import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readyNode } from '../../../demo/cluster/seed/nodes.js';
import type { Part } from '../../../demo/stack.js';
import { alertmanagerBody } from '../../support/alert-payloads.js';
import { type AlertRig, startAlertRig } from '../../support/alert-rig.js';
import { eventually } from '../../support/eventually.js';
import { deploymentOf, rollOut } from '../../support/sentinel-rollouts.js';

const settings = `apiVersion: rollout-doctor/v1
channel: C0INCIDENTS
sentinel:
  afterSeconds: 5
webhooks:
  - name: alertmanager
    source: alertmanager
    auth: { type: bearer, token: { env: ALERTS_TOKEN } }
`;

const off = { 'rollout-doctor.dev/sentinel': 'off' };
/** Nodes of one core for one Deployment each, too small for two of its pods. */
const ownNodes = ['calm', 'later'];
const stuckIn = (namespace: string, name: string) => ({
  namespace,
  name,
  cpu: '600m',
  nodeSelector: { for: name },
});

let rig: AlertRig;

beforeAll(async () => {
  rig = await startAlertRig({
    workers: 2,
    alerts: settings,
    scenario: 'gpu-one-node',
    cluster: { name: 'prod', kubelet: { usual: { startMs: 100, readyMs: 100, terminationMs: 100 } } },
  });
  const since = Date.now() - 86_400_000;
  rig.cluster.load([
    ...ownNodes.map((name, number) =>
      readyNode({ name, number: number + 50, cpu: '1', memory: '8Gi', labels: { for: name } }, since),
    ),
    readyNode({ name: 'roomy', number: 60, cpu: '16', memory: '64Gi', labels: { for: 'moving' } }, since),
  ]);
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'calm', annotations: off } };
  rig.cluster.create([namespace]);
});

afterAll(async () => {
  await rig?.stop();
});

const looks = (outcome: string) =>
  rig.counted('rollout_doctor_sentinel_diagnoses_total', `outcome="${outcome}"`);

/** Rolls out a second revision of a ready Deployment. */
async function rolling(rolled: ReturnType<typeof stuckIn>): Promise<void> {
  const { namespace, name } = rolled;
  rig.cluster.create([deploymentOf(rolled)]);
  const status = () => rig.cluster.find('apps/v1', 'Deployment', namespace, name)?.status ?? {};
  await eventually(`${name} to be ready`, () => JSON.stringify(status()).includes('"readyReplicas":1'));
  await rollOut(rig.cluster, rolled);
}

async function leader(): Promise<Part> {
  let found: Part | undefined;
  await eventually('one worker to lead', async () => {
    const pages = await Promise.all(
      rig.workers.map(async (worker) => {
        if (worker.pid === undefined) return [];
        const page = await (await fetch(`http://127.0.0.1:${worker.statusPort}/metrics`)).text();
        return /^rollout_doctor_lease_held\{lease="sentinel",.*\} 1$/m.test(page) ? [worker] : [];
      }),
    );
    [found] = pages.flat();
    return found !== undefined;
  });
  if (found === undefined) throw new Error('no worker leads');
  return found;
}

describe('a deadlock without an alert or a command', () => {
  it('gets a card of the sentinel with its start, and none where the sentinel is off', async () => {
    await rolling(stuckIn('calm', 'calm'));
    await rolling({ namespace: 'shop', name: 'moving', cpu: '600m', nodeSelector: { for: 'moving' } });
    const card = await rig.untilCardShows(/shop\/inference[\s\S]*proven/);

    expect(rig.textOf(card)).toMatch(/found without an alert · first `FailedScheduling` <!date/);
    await eventually('the other one to be examined', async () => (await looks('not-watched')) > 0);
    expect(rig.cards()).toHaveLength(1);
  });

  it('is joined by a later alert and a later command', async () => {
    await rig.post(alertmanagerBody({}));
    const alerted = await rig.untilCardShows(/KubeDeploymentRolloutStuck[\s\S]*found without an alert/);
    expect(rig.textOf(alerted)).not.toContain('fired');
    const writes = () => rig.slack.calls('chat.update').length;
    const before = writes();
    await rig.slack.as('dana').runs('/rollout-doctor deploy/inference -n shop', { channel: 'incidents' });
    // The command may join the diagnosis that the alert asked for, so the count of diagnoses is open.
    await eventually('the card to be written after the command', () => writes() > before);
    await rig.untilCardShows(/shop\/inference[\s\S]*proven[\s\S]*KubeDeploymentRolloutStuck/);

    expect(rig.cards()).toHaveLength(1);
  });

  it('is reported once when the worker that found it is killed at that moment', async () => {
    const first = await leader();
    const queued = () => rig.counted('rollout_doctor_sentinel_candidates_total');
    const before = await queued();
    await rolling(stuckIn('shop', 'later'));
    await eventually('it to be queued', async () => (await queued()) > before);
    await first.kill();

    await rig.untilCardShows(/shop\/later[\s\S]*proven/);
    expect((await leader()).name).not.toBe(first.name);
    await first.start();
    await eventually(
      'the sentinel to examine it again',
      async () => (await looks('told')) + (await looks('known')) > 0,
    );
    expect(rig.cards()).toHaveLength(2);
  });
});
