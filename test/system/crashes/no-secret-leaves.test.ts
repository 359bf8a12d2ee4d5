import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../demo/cluster/json.js';
import { type Conduct, conductObject } from '../../../demo/cluster/loops/conduct.js';
import { changeContainers, deploymentObject } from '../../../demo/cluster/seed/incident-seed.js';
import { readyNode } from '../../../demo/cluster/seed/nodes.js';
import { opened, quick } from '../../support/crashes-stage.js';
import { channel, eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { canariesIn, passwordFor, planted, secretFor, secretsFor } from './canaries.js';
import { everythingStored, type StoredKey } from './everything-stored.js';

/** Values beside the secrets that must be found, which proves that the search covers these places. */
const control = { image: 'registry.example/shop/leaky:2.0-control7731', reason: 'control-reason-4471' };

/** A workload with secrets in every usual place. */
function leaky(name: string, image: string, place: string): JsonObject {
  const container = {
    name: 'app',
    image,
    command: [
      '/bin/app',
      secretFor('an argument', `the command of ${place}`).text,
      '--token',
      passwordFor(`--token of ${place}`),
    ],
    args: [secretFor('a password in a URL', `an argument of ${place}`).text],
    env: [
      { name: 'DATABASE_URL', value: secretFor('a password in a URL', `the environment of ${place}`).text },
      { name: 'AWS_SECRET_ACCESS_KEY', value: passwordFor(`AWS_SECRET_ACCESS_KEY of ${place}`) },
      { name: 'SESSION_TOKEN', value: passwordFor(`SESSION_TOKEN of ${place}`) },
      { name: 'CONFIG', value: secretFor('a field of JSON', `a JSON variable of ${place}`).text },
      { name: 'TLS_KEY', value: secretFor('a private key', `the environment of ${place}`).text },
    ],
    readinessProbe: {
      httpGet: {
        path: '/ready',
        port: 8080,
        httpHeaders: [
          {
            name: 'Authorization',
            value: secretFor('a bearer token', `a probe of ${place}`).text.replace('Authorization: ', ''),
          },
        ],
      },
    },
  };
  const object = deploymentObject({ namespace: 'shop', name }, 2, container) as {
    metadata: JsonObject;
    spec: { template: { metadata: JsonObject } };
  };
  object.metadata.annotations = {
    'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
      kind: 'Deployment',
      spec: {
        env: [{ name: 'API_TOKEN', value: passwordFor(`the last applied configuration of ${place}`) }],
      },
    }),
    'example.com/notes': secretsFor(`an annotation of ${place}`),
    'kubernetes.io/change-cause': secretsFor(`the change cause of ${place}`),
  };
  object.spec.template.metadata.annotations = {
    'example.com/agent-config': secretsFor(`an annotation of the template of ${place}`),
  };
  return object as unknown as JsonObject;
}

const images = {
  good: 'registry.example/shop/leaky:1.0',
  bad: control.image,
};
const registryPassword = secretFor('a password in a URL', 'an image reference').core;
const unreachable = `https://ci:${registryPassword}@registry.example/shop/puller:9`;

const conduct: readonly Conduct[] = [
  {
    image: images.bad,
    ready: false,
    log: `starting\n${secretsFor('the log of a run')}\n`,
    crash: {
      afterMs: 300,
      exitCode: 1,
      log: `${secretsFor('the last lines')}\nfatal: cannot connect\n`,
      message: secretsFor('the termination message'),
    },
  },
  {
    image: unreachable,
    pullError: `failed to resolve reference "${unreachable}": unexpected status from HEAD request: 401\n${secretsFor('what the registry said')}`,
  },
];

describe('the incidents of workloads with secrets', () => {
  let rig: Rig;
  let redis: Redis;
  let stored: readonly StoredKey[];
  const lines: string[] = [];
  let metrics = '';

  beforeAll(async () => {
    rig = await startRig({
      mode: 'http',
      scenario: 'none',
      cluster: { kubelet: quick, namespaces: ['shop'] },
      env: { LOG_LEVEL: 'debug' },
      onLog: (name, line) => void lines.push(`${name} ${line}`),
    });
    redis = new Redis(rig.redis.url, { maxRetriesPerRequest: null });
    const { cluster } = rig;
    const since = cluster.clock.now() - 86_400_000;
    cluster.load([
      readyNode({ name: 'n-1', number: 1, cpu: '8', memory: '32Gi' }, since),
      readyNode({ name: 'n-2', number: 2, cpu: '8', memory: '32Gi' }, since),
      conductObject(conduct),
    ]);
    cluster.create([
      leaky('leaky', images.good, 'leaky'),
      leaky('puller', 'registry.example/shop/puller:8', 'puller'),
    ]);
    await eventually('the first revisions are ready', () =>
      ['leaky', 'puller'].every(
        (name) =>
          (cluster.find('apps/v1', 'Deployment', 'shop', name)?.status as { readyReplicas?: number })
            ?.readyReplicas === 2,
      ),
    );
    changeContainers(cluster.registry, 'shop', 'leaky', (container) => {
      const next = leaky('leaky', images.bad, 'the second revision') as {
        spec: { template: { spec: { containers: JsonObject[] } } };
      };
      Object.assign(container, next.spec.template.spec.containers[0]);
    });
    changeContainers(cluster.registry, 'shop', 'puller', (container) => {
      container.image = unreachable;
    });
    await eventually('the second revisions fail', () => {
      const pods = JSON.stringify(cluster.list('v1', 'Pod', 'shop').map(({ status }) => status));
      return pods.includes('CrashLoopBackOff') && pods.includes('ImagePullBackOff');
    });
    const [pod] = cluster
      .list('v1', 'Pod', 'shop')
      .filter(({ status }) => JSON.stringify(status).includes('CrashLoop'));
    if (pod === undefined) throw new Error('no pod crashes');
    cluster.load([
      foreignEvent(pod.metadata, 'FailedMount', 'MountVolume.SetUp failed for volume "data": mount -o '),
      foreignEvent(pod.metadata, 'Unhealthy', 'Readiness probe failed: HTTP probe failed: '),
    ]);
  });

  afterAll(async () => {
    redis?.disconnect();
    await rig?.stop();
  });

  const typed = ['a bearer token', 'a password in a URL', 'a token of GitHub']
    .map((shape) => secretFor(shape, 'the reason of an approval').text)
    .join(' ');
  const dana = () => rig.slack.as('dana');

  it('can be diagnosed, reviewed, refused, approved, verified and undone', async () => {
    await rig.ask('deploy/leaky -n shop');
    const card = await rig.untilCard('has been crash-looping since revision 2');
    await rig.slack.until(() => rig.slack.thread(card).length > 0, { what: 'the picture' });

    const denied = await opened(rig, 'dana', card, 'shop/leaky, Roll back to revision 1', 'control7731');
    const refuse = rig.cluster.faults.add({
      match: { verbs: ['patch'], resources: ['deployments'], dryRun: false },
      effect: { type: 'deny', webhook: 'policy.example', message: secretsFor('the words of a webhook') },
    });
    await dana().submits(denied, {
      reason: `${control.reason} ${typed}`,
    });
    await rig.untilCard('was not applied');
    refuse();
    const before = JSON.stringify(rig.slack.message(card)?.edited);
    await rig.ask('deploy/leaky -n shop');
    await rig.slack.until(
      () => {
        const now = rig.slack.message(card);
        return (
          now !== undefined && JSON.stringify(now.edited) !== before && !rig.says(now).includes('Diagnosing')
        );
      },
      { what: 'the second diagnosis' },
    );
    const proof = await rig.proof('dana', card);
    expect(proof).toContain('Evidence');

    const review = await opened(rig, 'dana', card, 'shop/leaky, Roll back to revision 1', 'control7731');
    await dana().submits(review, { reason: 'again' });
    const recovered = await rig.untilRecovered();
    const undo = await opened(rig, 'dana', recovered, 'Undo', 'control7731');
    await dana().submits(undo, { reason: 'and back' });
    await rig.untilCard('has its previous settings again');
  });

  it('include an image that cannot be pulled', async () => {
    await rig.ask('deploy/puller -n shop');
    await rig.untilCard('shop/puller');
    await rig.slack.until(() => rig.cards().some((card) => rig.says(card).includes('image-pull-failure')), {
      what: 'the card of the image',
    });
  });

  it('include commands, mentions, failed requests and failed jobs with secrets', async () => {
    for (const text of [
      `explain 0/3 nodes are available: ${secretsFor('a sentence to explain').replaceAll('\n', ' ')}`,
      `deploy/leaky -n shop ${secretsFor('a command').replaceAll('\n', ' ')}`,
      `deploy/${secretFor('an assignment', 'the name of a workload').text} -n shop`,
    ]) {
      const before = rig.slack.ephemerals('sam').length;
      await rig.ask(text, 'sam');
      await rig.slack.until(() => rig.slack.ephemerals('sam').length > before, {
        what: 'an answer',
      });
    }
    const called = rig.slack.calls().length;
    const mention = `shop/leaky ${secretsFor('a mention').replaceAll('\n', ' ')}`;
    rig.slack.as('sam').mentions(mention, { channel });
    await rig.slack.until(() => rig.slack.calls().length > called, { what: 'an answer to the mention' });

    const away = rig.cluster.faults.add({
      match: { resources: ['deployments'] },
      effect: { type: 'status', code: 403, message: secretsFor('an answer of the API server') },
    });
    await rig.ask('deploy/leaky -n shop');
    await rig.untilTold('dana', 'Could not search');
    away();

    const queue = new Queue('diagnosis', { connection: redis, prefix: `${rig.prefix}-jobs` });
    const failed = lines.length;
    await queue.add(
      'diagnosis',
      { v: 1, incidentId: 'a'.repeat(20), look: { password: passwordForJob } },
      { jobId: 'malformed' },
    );
    await eventually('the job fails', () =>
      lines.slice(failed).some((line) => line.includes('a job failed for good')),
    );
    await queue.close();
  });

  it('leave no secret in a message, log line, record, job, metric or Event', async () => {
    stored = await everythingStored(redis, `*${rig.prefix}*`);
    for (const { statusPort } of [...rig.apps, ...rig.workers]) {
      metrics += await (await fetch(`http://127.0.0.1:${statusPort}/metrics`)).text();
    }
    const bot = [
      ...rig.slack.messages(channel, { replies: true }),
      ...['dana', 'sam'].flatMap((name) => rig.slack.ephemerals(name)),
    ]
      .filter(({ botId }) => botId === rig.slack.botId)
      .map((message) => JSON.stringify(message));
    const calls = rig.slack.calls().map(({ method, args }) => `${method} ${JSON.stringify(args)}`);
    const events = rig.cluster
      .list('v1', 'Event', 'shop')
      .filter(({ reason }) => String(reason).startsWith('Remediation'))
      .map((event) => JSON.stringify(event));
    const places: Readonly<Record<string, { readonly texts: readonly string[]; readonly holds: string }>> = {
      'calls to Slack': { texts: calls, holds: control.image },
      'messages in Slack': { texts: bot, holds: 'has its previous settings again' },
      'proofs in Slack': {
        texts: calls.filter((call) => call.startsWith('views.update')),
        holds: 'Evidence',
      },
      'log lines': { texts: lines, holds: 'a job failed for good' },
      'values in Redis': {
        texts: stored.filter(({ key }) => key !== poisoned(rig)).map(({ key, text }) => `${key} ${text}`),
        holds: control.image,
      },
      'the audit': {
        texts: stored.filter(({ key }) => key.includes('audit')).map(({ text }) => text),
        holds: control.reason,
      },
      metrics: { texts: [metrics], holds: 'rollout_doctor' },
      'Events of ours': { texts: events, holds: 'leaky' },
    };

    for (const [place, { texts, holds }] of Object.entries(places)) {
      const found = texts.flatMap((text) => canariesIn(text).map((what) => `${what}: ${text.slice(0, 120)}`));
      expect(texts.length, `${place} were searched`).toBeGreaterThan(0);
      expect(
        texts.some((text) => text.includes(holds)),
        `${place} hold the control value`,
      ).toBe(true);
      expect(found, place).toEqual([]);
    }
    expect(planted.length).toBeGreaterThan(100);
    expect(stored.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['hash', 'stream', 'string', 'zset']),
    );
    expect(stored.some(({ key }) => key.startsWith(`${rig.prefix}-jobs:`))).toBe(true);
  });
});

const passwordForJob = passwordFor('the payload of a job');

/** The key of the job that the test added with a secret. */
function poisoned({ prefix }: Rig): string {
  return `${prefix}-jobs:diagnosis:malformed`;
}

/** An Event as the kubelet writes it, with the message of a program. */
function foreignEvent(
  { name, uid }: { readonly name: string; readonly uid: string },
  reason: string,
  words: string,
): JsonObject {
  const time = new Date().toISOString().replace(/\.\d+Z/, 'Z');
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: `${name}.${reason.toLowerCase()}`, namespace: 'shop' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name, uid, apiVersion: 'v1' },
    type: 'Warning',
    reason,
    message: `${words}${secretsFor(`the words of the Event ${reason}`)}`,
    source: { component: 'kubelet', host: 'n-1' },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 3,
  };
}
