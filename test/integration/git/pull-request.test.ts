import type { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { createGitHubHost } from '#src/adapters/github/github-host.js';
import type { Incident } from '#src/core/incident/incident.js';
import type { Review } from '#src/usecases/people/conversation.js';
import { withRedis } from '#support/open-redis.js';
import { idOf, type Rig, startRig } from '#support/remediation-rig.js';
import { addNodes, workloadObject } from '#support/remediation-workloads.js';
import { type LocalGitHost, startLocalGitHost } from '../../../demo/git-host/local-git-host.js';

let redis: Redis;

withRedis((open) => {
  ({ redis } = open);
});

const repository = 'acme/deploy';
const target = { repository, branch: 'main', path: 'prod' } as const;
const manifest = [
  '# the shop',
  'apiVersion: apps/v1',
  'kind: Deployment',
  'metadata: {name: api, namespace: shop}',
  'spec:',
  '  replicas: 1   # one is enough',
  '  selector:',
  '    matchLabels: {app: api}',
  '  template:',
  '    metadata:',
  '      labels: {app: api}',
  '    spec:',
  '      containers:',
  '        - name: app',
  '          image: registry.example/api:2',
  '          resources: {limits: {cpu: "1", memory: 1Gi}}',
  '',
].join('\n');

const block =
  '  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n';

const ended: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0)) await end();
});

interface Stage {
  readonly rig: Rig;
  readonly git: LocalGitHost;
  readonly incident: Incident;
}

/** A Deployment whose update is deadlocked, and a repository that declares it. */
async function deadlocked(
  files: Readonly<Record<string, string>> = { 'prod/api.yaml': manifest },
): Promise<Stage> {
  const git = await startLocalGitHost({ repositories: { [repository]: files, 'acme/other': {} } });
  const host = createGitHubHost({ ...git.app, timeoutMs: 10_000 });
  const rig = await startRig({ redis, git: { host, target } });
  ended.push(async () => {
    await rig.stop();
    await git.close();
  });
  addNodes(rig, ['n-1'], '1500m');
  rig.local.create([{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }]);
  rig.local.create([workloadObject('Deployment', { replicas: 1 })]);
  rig.pass(60);
  await patchLive(rig, {
    spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example/api:2' }] } } },
  });
  rig.pass(120);
  const incident = await rig.diagnosed({ kind: 'Deployment', namespace: 'shop', name: 'api' });
  return { rig, git, incident };
}

async function patchLive(rig: Rig, body: object): Promise<void> {
  const answer = await fetch(`${rig.local.url}/apis/apps/v1/namespaces/shop/deployments/api`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

const review = ({ rig, incident }: Stage) =>
  rig.usecases.review({
    incidentId: incident.id,
    remediationId: idOf(incident, 'patch-strategy'),
    inGit: true,
    by: 'U0DANA',
  });

async function reviewed(stage: Stage): Promise<Review> {
  const found = await review(stage);
  if (found.type === 'refused') throw new Error(`refused: ${JSON.stringify(found.because)}`);
  return found;
}

async function approve({ rig }: Stage, { approval }: Review): Promise<void> {
  const decided = await rig.usecases.decide({
    approvalId: approval.id,
    by: 'U0DANA',
    decision: 'approve',
    reason: 'GPU deadlock',
  });
  if (decided.type !== 'approved') throw new Error(`not approved: ${JSON.stringify(decided)}`);
}

const pullRequestOf = async ({ rig, incident }: Stage) => (await rig.current(incident.id)).pullRequest;

/** Passes the time until the next job of the pull request is due, and runs it. */
async function later({ rig }: Stage, seconds = 600): Promise<void> {
  rig.pass(seconds);
  await rig.work();
}

describe('a fix as a pull request', () => {
  it('shows the edit in the review, opens one after the approval, and follows it until the cause is gone', async () => {
    const stage = await deadlocked();
    const { rig, git } = stage;
    const writesBefore = rig.writes();
    const shown = await reviewed(stage);
    expect(shown.dryRun).toMatchObject({
      type: 'accepted',
      edit: { file: 'prod/api.yaml', line: 2, diff: expect.arrayContaining(['+      maxSurge: 0']) },
    });
    expect(git.repository(repository).branches()).toEqual(['main']);

    await approve(stage, shown);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'opening', approvedBy: ['U0DANA'] });
    await rig.work();

    const [pull, ...others] = git.pulls(repository);
    expect(others).toEqual([]);
    expect(pull).toMatchObject({
      base: 'main',
      head: expect.stringMatching(/^rollout-doctor\/shop-api-[0-9a-f]{8}$/),
    });
    const changed = git.repository(repository).textOf(pull?.head ?? '', 'prod/api.yaml');
    expect(changed).toBe(manifest.replace('enough\n', `enough\n${block}`));
    expect(await pullRequestOf(stage)).toMatchObject({
      state: 'open',
      number: 1,
      url: expect.stringContaining('/pull/1'),
    });
    expect(rig.writes()).toEqual(writesBefore);

    git.merge(repository, 1);
    await later(stage);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'merged' });
    await patchLive(rig, { spec: { strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } } });
    await later(stage, 120);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'recovered' });
    expect((await rig.current(stage.incident.id)).diagnosis?.findings).toEqual([]);
  });
});
