import { describe, expect, it } from 'vitest';
import {
  approve,
  block,
  forgeApproval,
  later,
  manifest,
  opened,
  pullRequestOf,
  refusalOf,
  repository,
  review,
  reviewed,
  startStage,
  target,
  withStages,
} from './git-stage.js';

withStages();

/** A Deployment that the settings map to this repository. */
const deadlocked = (files: Readonly<Record<string, string>> = { 'prod/api.yaml': manifest }) =>
  startStage({ repositories: { [repository]: files, 'acme/other': {} } });

describe('opening a pull request', () => {
  it('opens none after the approval has expired, however long the host was down', async () => {
    const stage = await deadlocked();
    const { git } = stage;
    const shown = await reviewed(stage);
    await approve(stage, shown);
    for (let attempt = 0; attempt < 40; attempt += 1) git.fail({ on: 'GET /pulls', status: 503 });
    for (let minute = 0; minute < 20; minute += 1) await later(stage, 60);
    expect(git.pulls(repository)).toEqual([]);
    const failure = { key: 'approval-expired' };
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'opening' });
    for (let minute = 0; minute < 25; minute += 1) await later(stage, 60);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'failed', failure });
  });

  it('is taken up where a worker died between the records of the approval and of the incident', async () => {
    const stage = await deadlocked();
    const { rig, git } = stage;
    const shown = await reviewed(stage);
    await approve(stage, shown);
    await rig.work();
    const job = { v: 1, incidentId: stage.incident.id, approvalId: shown.approval.id } as const;
    const incident = await rig.current(stage.incident.id);
    if (incident.pullRequest === undefined) throw new Error('no pull request');
    const { number: _number, url: _url, ...before } = incident.pullRequest;
    const version = incident.version + 1;
    await rig.incidents.replace({ ...incident, version, pullRequest: { ...before, state: 'opening' } });
    rig.pass(1_200);
    await rig.usecases.pullRequest(job);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'open', number: 1 });
    expect(git.pulls(repository)).toHaveLength(1);
  });

  it('asks for a new token when the one it has was revoked', async () => {
    const stage = await deadlocked();
    const shown = await reviewed(stage);
    stage.git.revokeTokens();
    await approve(stage, shown);
    await stage.rig.work();
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'open' });
  });

  it('is refused while another one of the incident is open, and when a person declined it', async () => {
    const stage = await deadlocked();
    const { rig, git } = stage;
    await opened(stage);
    expect(await review(stage)).toMatchObject({ type: 'refused', because: { key: 'already-open' } });
    git.decline(repository, 1);
    await later(stage);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'closed' });
    expect(await review(stage)).toMatchObject({ type: 'refused', because: { key: 'declined' } });
    const incident = await rig.diagnosed({ kind: 'Deployment', namespace: 'shop', name: 'api' }, 'C0OTHER');
    const other = { ...stage, incident };
    await approve(other, await reviewed(other));
    await rig.work();
    expect(git.pulls(repository)).toHaveLength(1);
    expect(await pullRequestOf(other)).toMatchObject({ state: 'failed', failure: { key: 'declined' } });
  });

  it('opens a second one where the merge of the first one was reverted', async () => {
    const stage = await deadlocked();
    const { rig, git } = stage;
    await opened(stage);
    git.merge(repository, 1);
    git.repository(repository).commitFile('main', 'prod/api.yaml', manifest);
    const incident = await rig.diagnosed({ kind: 'Deployment', namespace: 'shop', name: 'api' }, 'C0OTHER');
    const other = { ...stage, incident };
    await approve(other, await reviewed(other));
    await rig.work();
    expect(git.pulls(repository)).toMatchObject([{ state: 'closed' }, { state: 'open' }]);
    expect(await pullRequestOf(other)).toMatchObject({ state: 'open', number: 2 });
  });

  it('says what happens to the cluster in text that mentions nobody and refers to nothing', async () => {
    const stage = await deadlocked();
    const pull = await opened(stage);
    expect(pull.title).toMatch(/^fix\(shop\/api\): /u);
    const prose = (pull.body ?? '').replace(/```diff[\s\S]*?```/u, '').replace(/`[^`]*`/gu, '');
    expect(prose.replace(/<!-- rollout-doctor: [0-9a-f]{64} -->/u, '')).not.toMatch(/[@#]\w|</u);
    expect(pull.body).toContain('+      maxSurge: 0');
  });
});

describe('an approval of a pull request', () => {
  it('never changes the cluster, whatever job names it', async () => {
    const stage = await deadlocked();
    const { rig } = stage;
    const before = rig.writes();
    const { approval } = await reviewed(stage);
    await approve(stage, { ...(await reviewed(stage)), approval });
    const job = { v: 1, incidentId: stage.incident.id, approvalId: approval.id } as const;
    await rig.usecases.remediation(job, { lastAttempt: true });
    const stored = await rig.approvals.get(approval.id);
    expect(await rig.patcher.apply(stored as never)).toEqual({ type: 'lapsed', because: 'shape' });
    expect(rig.writes()).toEqual(before);
  });

  it('is refused where its record names another repository than the one that people reviewed', async () => {
    const stage = await deadlocked();
    const { rig, git } = stage;
    const shown = await reviewed(stage);
    await approve(stage, shown);
    const stored = await rig.approvals.get(shown.approval.id);
    const forged = { ...stored, gitTarget: { ...target, repository: 'acme/other' } };
    await forgeApproval(stage, shown.approval.id, forged);
    await rig.work();
    expect(git.pulls('acme/other')).toEqual([]);
    expect(git.pulls(repository)).toEqual([]);
    expect(await pullRequestOf(stage)).toMatchObject({
      state: 'failed',
      failure: { key: 'approval-distrusted' },
    });
  });
});

describe('the review of a pull request', () => {
  it('edits a resource that one kustomization lists', async () => {
    const stage = await deadlocked({
      'prod/kustomization.yaml': 'namespace: shop\nresources: [api.yaml]\n',
      'prod/api.yaml': manifest,
    });
    expect((await reviewed(stage)).dryRun).toMatchObject({
      type: 'accepted',
      edit: { file: 'prod/api.yaml' },
    });
  });

  it('adds a patch to an overlay whose base has other users, and checks what is built', async () => {
    const overlay = 'namespace: shop\nresources:\n- ../base\n';
    const stage = await deadlocked({
      'base/kustomization.yaml': 'resources: [api.yaml]\n',
      'base/api.yaml': manifest.replace(', namespace: shop', ''),
      'prod/kustomization.yaml': overlay,
      'staging/kustomization.yaml': 'namespace: staging\nresources:\n- ../base\n',
    });
    expect((await opened(stage)).textOf('prod/kustomization.yaml')).toBe(
      `${overlay}patches:\n- patch: |-\n    apiVersion: apps/v1\n    kind: Deployment\n    metadata:\n      name: api\n    spec:\n${block.replaceAll(/^(?=.)/gmu, '    ')}`,
    );
  });

  it('is refused again where the base of an overlay changed after it', async () => {
    const stage = await deadlocked({
      'base/kustomization.yaml': 'resources: [api.yaml]\n',
      'base/api.yaml': manifest,
      'prod/kustomization.yaml': 'resources: [../base]\n',
    });
    const shown = await reviewed(stage);
    // From now on another overlay uses the base, so the edit would go elsewhere.
    stage.git.repository(repository).commitFile('main', 'eu/kustomization.yaml', 'resources: [../base]\n');
    await approve(stage, shown);
    await stage.rig.work();
    expect(stage.git.pulls(repository)).toEqual([]);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'failed', failure: { key: 'file-changed' } });
  });

  const refused = (reason: string, isByHand = true) => ({
    ...{ key: 'tree-refused', values: { reason }, byHand: isByHand ? true : undefined },
  });

  it.each([
    ['no manifest', { 'prod/README.md': 'x' }, refused('not-declared')],
    ['two documents', { 'prod/a.yaml': manifest, 'prod/b.yaml': manifest }, refused('declared-twice')],
    ['a symlink', { 'prod/a.yaml': '-> ../base/a.yaml' }, refused('symlink')],
    [
      'a template',
      { 'prod/a.yaml': manifest.replace('replicas: 1', 'replicas: {{ .n }}') },
      refused('template'),
    ],
    [
      'the wanted values',
      { 'prod/a.yaml': manifest.replace('enough\n', `enough\n${block}`) },
      refused('as-wanted', false),
    ],
    [
      'a manifest that would not complete',
      { 'prod/a.yaml': manifest.replace('cpu: "1"', 'cpu: "4"') },
      { key: 'check-failed', byHand: undefined },
    ],
  ])('is refused with %s', async (_, files, expected) => {
    expect(await refusalOf(await deadlocked(files))).toMatchObject(expected);
  });

  it('is refused for a repository that the App may not see, and for a branch that does not exist', async () => {
    const stage = await deadlocked();
    const { git } = stage;
    const on = 'GET /git/ref/heads/main';
    const hostRefused = (because: string) => ({ key: 'host-refused', values: { because } });
    git.fail({ on, status: 404 });
    expect(await refusalOf(stage)).toMatchObject({ key: 'no-branch' });
    git.fail({ on, status: 404 });
    git.fail({ on: 'GET /repos/acme/deploy', status: 404 });
    expect(await refusalOf(stage)).toMatchObject(hostRefused('not-found'));
    git.fail({ on, status: 301, body: { message: 'Moved Permanently' } });
    expect(await refusalOf(stage)).toMatchObject(hostRefused('moved'));
    git.fail({ on, status: 409, body: { message: 'Git Repository is empty.' } });
    expect(await refusalOf(stage)).toMatchObject(hostRefused('conflict'));
  });
});
