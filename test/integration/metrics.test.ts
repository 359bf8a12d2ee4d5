import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { alertmanagerBody } from '../support/alert-payloads.js';
import { channel, eventually, type Rig, startRig } from '../support/faults-rig.js';
import { idle } from '../support/idle-objects.js';
import { inThisProcess } from '../support/in-this-process.js';
import { type MetricsPage, readMetrics, sampleOf, selectedIn } from '../support/metrics-pages.js';

const root = join(import.meta.dirname, '../..');
const idleNames = ['metered', 'queued-1', 'queued-2'];
let rig: Rig;

beforeAll(async () => {
  rig = await startRig({
    startPart: inThisProcess,
    ownRedis: true,
    policy:
      'grants: [{ groups: [ml-oncall], namespaces: [shop], actions: "*" }]\ndemands: [{ approvers: 2 }]\nbrakes: { cancelSeconds: 0 }\n',
    alerts: `apiVersion: rollout-doctor/v1
channel: C0INCIDENTS
sentinel: { namespaces: { mode: all, except: [shop] } }
webhooks:
  - { name: alertmanager, source: alertmanager, auth: { type: bearer, token: { env: ALERTS_TOKEN } } }
`,
  });
  rig.cluster.create(idleNames.map((name) => idle(name)));
});
afterAll(() => rig?.stop());

const app = () => readMetrics(rig.app.statusPort);
const worker = () => readMetrics(rig.workers[0]?.statusPort);
const both = () => Promise.all([app(), worker()]);
const seen = (
  pages: () => Promise<readonly MetricsPage[]>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
) =>
  // What waits for people is kept for half a minute.
  expect.poll(async () => (await pages()).map((page) => sampleOf(page, `rollout_doctor_${name}`, labels)), {
    interval: 500,
  });

describe('the metrics of a running app and worker', () => {
  it('state the version, the leases and what both processes can reach', async () => {
    const [ofApp, ofWorker] = await both();
    expect(sampleOf(ofApp, 'rollout_doctor_build_info', { process: 'app' })).toBe(1);
    expect(sampleOf(ofWorker, 'rollout_doctor_build_info', { process: 'worker' })).toBe(1);
    await seen(both, 'redis_writable').toEqual([1, 1]);
    await seen(both, 'cluster_reachable', { cluster: rig.cluster.name }).toEqual([1, 1]);
    for (const lease of ['sentinel', 'crash-history']) {
      await seen(async () => [await worker()], 'lease_held', { lease, cluster: rig.cluster.name }).toEqual([
        1,
      ]);
    }
  });

  it('count calls to Slack that are answered with 429', async () => {
    rig.slack.faults.rateLimit({ method: 'chat.postMessage', retryAfterSeconds: 1, times: 1 });
    await rig.ask('deploy/metered -n shop');
    await rig.untilCard('shop/metered is scaled to 0');

    const name = 'rollout_doctor_slack_request_duration_seconds_count';
    expect(await rig.counted(name, { method: 'chat.postMessage', outcome: 'rate-limited' })).toBe(1);
    expect(await rig.counted(name, { method: 'chat.postMessage', outcome: 'ok' })).toBeGreaterThan(0);
  });

  it('show the open incident, the pending approval and its age, and then the verdict', async () => {
    await rig.ask('deploy/inference -n shop');
    const card = await rig.untilDeadlock();
    await seen(both, 'incidents_open', { severity: 'critical' }).toEqual([1, 1]);
    await rig.approve('dana', card);
    await seen(both, 'approvals_pending').toEqual([1, 1]);
    expect(sampleOf(await app(), 'rollout_doctor_oldest_approval_age_seconds')).toBeGreaterThan(0);
    expect(sampleOf(await app(), 'rollout_doctor_approval_lifetime_seconds')).toBe(900);

    await rig.approve('min-jun', card);
    await eventually(
      'the verdict is counted',
      async () => (await rig.counted('rollout_doctor_verdicts_total', { verdict: 'recovered' })) === 1,
    );
    await seen(both, 'approvals_pending').toEqual([0, 0]);
    expect(sampleOf(await app(), 'rollout_doctor_oldest_approval_age_seconds')).toBe(0);
  });

  it('show a cluster that refuses connections, and its requests without an answer', async () => {
    await rig.cluster.refuse();
    await seen(both, 'cluster_reachable', { cluster: rig.cluster.name }).toEqual([0, 0]);
    const counted = (outcome: string) =>
      rig.counted('rollout_doctor_cluster_request_duration_seconds_count', { outcome });
    expect(await counted('no-answer')).toBeGreaterThan(0);
    expect(await counted('ok')).toBeGreaterThan(0);
    await rig.cluster.accept();
    await seen(both, 'cluster_reachable', { cluster: rig.cluster.name }).toEqual([1, 1]);
  });

  it('show jobs that no worker takes, and how long the oldest waits', async () => {
    const [only] = rig.workers;
    await only?.stop();
    await rig.ask('deploy/queued-1 -n shop');
    await rig.ask('deploy/queued-2 -n shop');
    const waiting = { queue: 'diagnosis', state: 'waiting' };
    await seen(async () => [await app()], 'queue_jobs', waiting).toEqual([2]);
    const age = { queue: 'diagnosis', urgency: 'person' };
    await expect
      .poll(async () => sampleOf(await app(), 'rollout_doctor_oldest_job_age_seconds', age))
      .toBeGreaterThan(1);
    await only?.start();
    await rig.untilCard('shop/queued-2 is scaled to 0');
    await seen(both, 'queue_jobs', waiting).toEqual([0, 0]);
    await seen(both, 'oldest_job_age_seconds', age).toEqual([0, 0]);
    expect(
      await rig.counted('rollout_doctor_job_duration_seconds_count', { queue: 'diagnosis', outcome: 'done' }),
    ).toBeGreaterThanOrEqual(2);
  });

  it('leave out what Redis holds while it is away', async () => {
    await rig.redis.kill();
    await seen(both, 'redis_writable').toEqual([0, 0]);
    await seen(both, 'queue_jobs').toEqual([undefined, undefined]);
    await seen(both, 'approvals_pending').toEqual([undefined, undefined]);
    await rig.redis.start();
    await seen(both, 'redis_writable').toEqual([1, 1]);
    await seen(both, 'queue_jobs', { queue: 'delivery', state: 'waiting' }).toEqual([0, 0]);
  });
});

describe('what is written about the metrics', () => {
  let pages: readonly MetricsPage[] = [];
  beforeAll(async () => {
    await rig.alert('alertmanager', alertmanagerBody({}));
    await eventually(
      'the alert is counted',
      async () => (await rig.counted('rollout_doctor_alerts_total')) > 0,
    );
    await rig.ask('deploy/inference -n shop');
    await eventually(
      'a finding or none is counted',
      async () =>
        (await rig.counted('rollout_doctor_job_duration_seconds_count', { queue: 'diagnosis' })) > 0,
    );
    pages = await both();
  });

  const labelsOf = (name: string): readonly string[] | undefined => {
    const samples = pages.flatMap(({ samples: all }) =>
      all.filter((each) => each.name === name || each.name.replace(/_(?:bucket|sum|count)$/, '') === name),
    );
    if (samples.length === 0) return undefined;
    return [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))]
      .filter((label) => label !== 'le')
      .sort();
  };

  /** Rows of the table of docs/metrics.md. */
  const documented = [
    ...readFileSync(join(root, 'docs/metrics.md'), 'utf8').matchAll(
      /^\| `(rollout_doctor_\w+)` \| (\w+) \| (.*?)\s*\| /gm,
    ),
  ].map(([, name = '', type = '', labels = '']) => ({
    name,
    type,
    labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = '']) => label).sort(),
  }));

  it('in docs/metrics.md is every metric, with its type and labels', () => {
    const types = new Map(
      pages.flatMap((page) => [...page.types].filter(([name]) => name.startsWith('rollout_doctor_'))),
    );

    expect(Object.fromEntries(documented.map(({ name, type }) => [name, type]))).toEqual(
      Object.fromEntries(types),
    );
    for (const { name, labels } of documented) expect(labelsOf(name) ?? labels, name).toEqual(labels);
  });

  it.each([
    [
      'the alert rules',
      () => expressionsOf(parse(readFileSync(join(root, 'deploy/monitoring/rules.yaml'), 'utf8'))),
    ],
    [
      'the dashboard',
      () => expressionsOf(JSON.parse(readFileSync(join(root, 'deploy/monitoring/dashboard.json'), 'utf8'))),
    ],
  ])('in %s selects series that exist', (_, read) => {
    const selected = read().flatMap(selectedIn);
    expect(selected.length).toBeGreaterThan(15);
    const absent = selected.filter(({ name, labels }) => {
      const metric = name.replace(/_(?:bucket|sum|count)$/, '');
      // A metric that counted nothing yet has no series. The page, which is compared above, names its labels.
      const row = documented.find((each) => each.name === name || each.name === metric);
      const known = labelsOf(name) ?? labelsOf(metric) ?? row?.labels;
      return known === undefined || labels.some((label) => !known.includes(label));
    });
    expect(absent).toEqual([]);
  });

  it('holds: no name of a workload, a namespace, a channel or a person is in the pages', () => {
    const values = pages.flatMap(({ samples }) => samples.flatMap(({ labels }) => Object.values(labels)));
    expect(values.length).toBeGreaterThan(100);
    const names = ['inference', 'shop', ...idleNames, channel, 'C0MLONCALL', 'C0INCIDENTS', 'dana', 'U0DANA'];
    expect(values.filter((value) => names.some((name) => value.includes(name)))).toEqual([]);
  });
});

/** Every `expr` of the file. */
function expressionsOf(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([key, value]) =>
    key === 'expr' && typeof value === 'string' ? [value] : expressionsOf(value),
  );
}
