import { expect, onTestFinished } from 'vitest';
import { GitSettings } from '#src/doctor/git-edits/git-settings.js';
import type { Incident } from '#src/doctor/incidents/incident.js';
import { createGitHubHost } from '#src/edges/git-hosts/github-host.js';
import { createGitLabHost } from '#src/edges/git-hosts/gitlab-host.js';
import type { JsonObject } from '#src/engine/objects/wire.js';
import { createFindGitTarget } from '#src/service/git/find-git-target.js';
import type { GitHost } from '#src/service/git/git-host.js';
import type { Review } from '#src/service/people/conversation.js';
import { type LocalGitHost, startLocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { type LocalGitLabHost, startLocalGitLabHost } from '../../../demo/git-host/local-gitlab-host.js';
import { type OpenRedis, withRedis } from '../../support/open-redis.js';
import { idOf, type Rig, startRig } from '../../support/remediation-rig.js';
import { addNodes, workloadObject } from '../../support/remediation-workloads.js';

let db: OpenRedis;

/** Gives the stages of a file of tests their Redis. */
export function withStages(): void {
  db = withRedis();
}

export const repository = 'acme/deploy';
export const target = { repository, branch: 'main', path: 'prod' } as const;
export const manifest = [
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

export const block =
  '  strategy:\n    type: RollingUpdate\n    rollingUpdate:\n      maxSurge: 0\n      maxUnavailable: 1\n';

/** What both local hosts can do. */
export type LocalHost = Omit<LocalGitHost, 'app' | 'protect'>;

export interface Stage<Git extends LocalHost = LocalGitHost> {
  readonly rig: Rig;
  readonly git: Git;
  readonly incident: Incident;
}

type AnyStage = Stage<LocalHost>;

interface StageOptions {
  readonly repositories?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Repositories of the settings. */
  readonly allowed?: readonly string[];
  /** Sources of the settings: without them the owner in the cluster decides. */
  readonly sources?: readonly object[];
  /** Labels and annotations of the Deployment. */
  readonly marks?: JsonObject;
  /** Objects of the owner, which may name a commit of the repository. */
  readonly owner?: (git: LocalGitHost) => readonly JsonObject[];
}

/** A Deployment whose update is deadlocked, and repositories of which one declares it. */
export async function startStage(options: StageOptions): Promise<Stage> {
  const { repositories = oneRepository, allowed = [repository], owner } = options;
  const git = await startLocalGitHost({ repositories });
  const host = createGitHubHost({ ...git.app, timeoutMs: 10_000 });
  const settings = {
    github: { appId: git.app.appId, privateKey: { env: 'KEY' }, apiUrl: git.url },
    repositories: allowed,
  };
  return startStageOn(git, { host, settings, owner: owner?.(git) }, options);
}

/** The same with the repositories on GitLab. */
export async function startGitLabStage(
  options: Omit<StageOptions, 'owner'> & { readonly owner?: (git: LocalGitLabHost) => readonly JsonObject[] },
): Promise<Stage<LocalGitLabHost>> {
  const { repositories = oneRepository, allowed = [repository], owner } = options;
  const git = await startLocalGitLabHost({ repositories });
  const host = createGitLabHost({ ...git.access, timeoutMs: 10_000 });
  const { apiUrl } = git.access;
  const settings = { gitlab: { apiUrl, token: { env: 'TOKEN' }, repositories: allowed } };
  return startStageOn(git, { host, settings, owner: owner?.(git) }, options);
}

const oneRepository = { [repository]: { 'prod/api.yaml': manifest } };

async function startStageOn<Git extends LocalHost>(
  git: Git,
  {
    host,
    settings,
    owner = [],
  }: {
    readonly host: GitHost;
    readonly settings: object;
    readonly owner: readonly JsonObject[] | undefined;
  },
  {
    allowed = [repository],
    sources = [{ namespaces: ['shop'], ...target }],
    marks = {},
  }: Omit<StageOptions, 'owner'>,
): Promise<Stage<Git>> {
  const findTarget = createFindGitTarget(GitSettings.parse({ ...settings, sources }));
  const rig = await startRig({ redis: db.redis, git: { host, repositories: allowed, findTarget } });
  onTestFinished(async () => {
    await rig.stop();
    await git.close();
  });
  addNodes(rig, ['n-1'], '1500m');
  rig.local.create(
    ['shop', 'tools'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
  );
  const workload = workloadObject('Deployment', { replicas: 1 });
  rig.local.create([...owner, { ...workload, metadata: { ...workload.metadata, ...marks } }]);
  rig.pass(60);
  await patchLive(rig, {
    spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example/api:2' }] } } },
  });
  rig.pass(120);
  const incident = await rig.diagnosed({ kind: 'Deployment', namespace: 'shop', name: 'api' });
  return { rig, git, incident };
}

export async function patchLive(rig: Rig, body: object): Promise<void> {
  const answer = await fetch(`${rig.local.url}/apis/apps/v1/namespaces/shop/deployments/api`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/strategic-merge-patch+json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
}

export const review = ({ rig, incident }: AnyStage, kind = 'patch-strategy') =>
  rig.usecases.review({
    incidentId: incident.id,
    remediationId: idOf(incident, kind),
    inGit: true,
    by: 'U0DANA',
  });

export async function reviewed(stage: AnyStage, kind?: string): Promise<Review> {
  const found = await review(stage, kind);
  if (found.type === 'refused') throw new Error(`refused: ${JSON.stringify(found.because)}`);
  return found;
}

export async function approve({ rig }: AnyStage, { approval }: Review): Promise<void> {
  const decided = await rig.usecases.decide({
    approvalId: approval.id,
    by: 'U0DANA',
    decision: 'approve',
    reason: 'GPU deadlock',
  });
  if (decided.type !== 'approved') throw new Error(`not approved: ${JSON.stringify(decided)}`);
}

export const pullRequestOf = async ({ rig, incident }: AnyStage) =>
  (await rig.current(incident.id)).pullRequest;

/** Passes the time until the next job of the pull request is due, and runs it. */
export async function later({ rig }: AnyStage, seconds = 600): Promise<void> {
  rig.pass(seconds);
  await rig.work();
}

/** Reviews and approves the change, has it proposed, and returns the one pull request. */
export async function opened(stage: AnyStage, kind?: string, name = repository) {
  await approve(stage, await reviewed(stage, kind));
  await stage.rig.work();
  expect(await pullRequestOf(stage)).toMatchObject({ state: 'open' });
  const [pull, ...others] = stage.git.pulls(name);
  expect(others).toEqual([]);
  const head = pull?.head ?? '';
  return { ...pull, head, textOf: (file: string) => stage.git.repository(name).textOf(head, file) };
}

/** The first pull request is merged, and its job has seen it. */
export async function merged(stage: AnyStage): Promise<void> {
  stage.git.merge(repository, 1);
  await later(stage);
  expect(await pullRequestOf(stage)).toMatchObject({ state: 'merged' });
}

/** Its owner applies these bounds in the cluster, whose controllers act on them. */
export async function applied(stage: AnyStage, maxSurge = 0): Promise<void> {
  await patchLive(stage.rig, { spec: { strategy: { rollingUpdate: { maxSurge, maxUnavailable: 1 } } } });
  await later(stage, 120);
  await later(stage, 120);
}

/** Why the dry run refuses the change, and whether the person is to make it by hand. */
export async function refusalOf(stage: AnyStage, kind?: string) {
  const { dryRun } = await reviewed(stage, kind);
  if (dryRun.type !== 'refused') throw new Error(`not refused: ${JSON.stringify(dryRun)}`);
  return { ...dryRun.because, byHand: dryRun.byHand, snippet: dryRun.snippet };
}

/** Replaces the stored record of an approval, as somebody with access to Redis may. */
export async function forgeApproval({ rig }: AnyStage, id: string, forged: object): Promise<void> {
  await db.redis.hset(`${rig.prefix}:approval:${id}`, 'json', JSON.stringify(forged));
}
