import { describe, expect, it } from 'vitest';
import type { LocalGitHost } from '../../../demo/git-host/local-git-host.js';
import {
  applied,
  approve,
  block,
  later,
  manifest,
  merged,
  opened,
  pullRequestOf,
  repository,
  reviewed,
  type Stage,
  startStage,
  withStages,
} from './git-stage.js';

withStages();

const file = 'prod/api.yaml';
const deadlocked = (files: Readonly<Record<string, string>> = { [file]: manifest }): Promise<Stage> =>
  startStage({ repositories: { [repository]: files } });
/** Its pull request is open. */
const openedStage = async (): Promise<Stage> => {
  const stage = await deadlocked();
  await opened(stage);
  return stage;
};
const storeOf = (git: LocalGitHost) => git.repository(repository);
const branchesOf = (git: LocalGitHost): readonly string[] => storeOf(git).branches();

describe('an approved pull request is given up with the reason, and nothing is written', () => {
  it('where Redis has lost the record of its approval', async () => {
    const stage = await deadlocked();
    const review = await reviewed(stage);
    await approve(stage, review);
    await stage.rig.redis.del(`${stage.rig.prefix}:approval:${review.approval.id}`);
    await stage.rig.work();
    expect(await pullRequestOf(stage)).toMatchObject({
      state: 'failed',
      failure: { key: 'pull-request-lost' },
    });
    expect(branchesOf(stage.git)).toEqual(['main']);
  });

  it.each<[string, (git: LocalGitHost) => void, object]>([
    [
      'the path is gone',
      (git) => storeOf(git).removeFile('main', file),
      { key: 'tree-refused', values: { reason: 'not-declared' } },
    ],
    [
      'the file became a symbolic link',
      (git) => storeOf(git).commitFile('main', file, '-> ../base/api.yaml'),
      { key: 'tree-refused', values: { reason: 'symlink', file } },
    ],
    [
      'the path became a submodule',
      (git) => storeOf(git).commitSubmodule('main', 'prod/vendor'),
      { key: 'tree-refused', values: { reason: 'submodule', file: 'prod/vendor' } },
    ],
    [
      'the file grew over 2 MiB',
      (git) => storeOf(git).commitFile('main', file, `${manifest}# ${'x'.repeat(2 * 1024 * 1024)}\n`),
      { key: 'tree-refused', values: { reason: 'too-large', file } },
    ],
    ['the branch is gone', (git) => storeOf(git).removeBranch('main'), { key: 'no-branch' }],
    [
      'the repository moved',
      (git) => git.fail({ on: 'GET /pulls', status: 301, body: { message: 'Moved Permanently' } }),
      { key: 'host-refused', values: { because: 'moved' } },
    ],
    [
      'the App was removed from the repository',
      (git) => git.uninstall(repository),
      { key: 'host-refused', values: { because: 'not-found' } },
    ],
    [
      'rules of the repository forbid the branch',
      (git) => git.protect(repository, { branches: 'rollout-doctor/' }),
      { key: 'host-refused', values: { because: 'invalid' } },
    ],
    [
      'the App may not write',
      (git) =>
        git.fail({
          on: 'POST /git/blobs',
          status: 403,
          body: { message: 'Resource not accessible by integration' },
        }),
      { key: 'host-refused', values: { because: 'forbidden' } },
    ],
  ])('where %s', async (_, change, failure) => {
    const stage = await deadlocked();
    const shown = await reviewed(stage);
    change(stage.git);
    await approve(stage, shown);
    await stage.rig.work();
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'failed', failure });
    expect(stage.git.pulls(repository)).toEqual([]);
    expect(branchesOf(stage.git).filter((name) => name !== 'main')).toEqual([]);
  });
});

describe('an open pull request', () => {
  it('is not opened again after the host was down for an hour', async () => {
    const stage = await openedStage();
    const { git } = stage;
    git.goAway(true);
    for (let minute = 0; minute < 60; minute += 5) await later(stage, 300);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'open' });
    git.goAway(false);
    await merged(stage);
    expect(git.pulls(repository)).toHaveLength(1);
  });

  it.each<[string, (git: LocalGitHost) => void, string]>([
    [
      'the repository moved',
      (git) => git.fail({ on: 'GET /pulls/1', status: 301, body: { message: 'Moved Permanently' } }),
      'moved',
    ],
    ['the App was removed from the repository', (git) => git.uninstall(repository), 'not-found'],
  ])(
    'has the reason on its card where %s, and is followed until the host answers again',
    async (_, change, because) => {
      const stage = await openedStage();
      change(stage.git);
      await later(stage);
      expect(await pullRequestOf(stage)).toMatchObject({
        state: 'open',
        failure: { key: 'host-refused', values: { because } },
      });
      stage.git.install(repository);
      await merged(stage);
      expect((await pullRequestOf(stage))?.failure).toBeUndefined();
    },
  );

  it('is followed without the record of its approval until it is merged, and then the card states the loss', async () => {
    const stage = await openedStage();
    const approvalId = (await pullRequestOf(stage))?.approvalId ?? '';
    await stage.rig.redis.del(`${stage.rig.prefix}:approval:${approvalId}`);
    await later(stage);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'open' });
    stage.git.merge(repository, 1);
    await later(stage);
    expect(await pullRequestOf(stage)).toMatchObject({
      state: 'unfollowed',
      failure: { key: 'pull-request-lost' },
    });
  });

  it('counts as merged when a merge queue merges it', async () => {
    const stage = await openedStage();
    const { git } = stage;
    git.holdBack(repository, 1, 'blocked');
    await later(stage);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'open', hindrance: 'protected' });
    // The queue merges a commit of its own, which also holds the changes that were ahead in the queue.
    storeOf(git).commitFile('main', 'prod/web.yaml', 'kind: Service\n');
    await merged(stage);
    expect((await pullRequestOf(stage))?.hindrance).toBeUndefined();
    await applied(stage);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'recovered' });
  });

  it('keeps the commit of a person on its branch, and recovers only with the approved values', async () => {
    const stage = await openedStage();
    const { git } = stage;
    const [pull] = git.pulls(repository);
    const other = manifest.replace('enough\n', `enough\n${block.replace('maxSurge: 0', 'maxSurge: 1')}`);
    const byHand = storeOf(git).commitFile(pull?.head ?? '', file, other);
    await later(stage);
    expect(storeOf(git).headOf(pull?.head ?? '')).toBe(byHand);
    await merged(stage);
    await applied(stage, 1);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'merged' });
    expect(branchesOf(git)).toHaveLength(2);
  });
});
