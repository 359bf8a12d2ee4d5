import { describe, expect, it } from 'vitest';
import { storedBy } from '../../support/remediation-rig.js';
import {
  approve,
  later,
  manifest,
  merged,
  opened,
  patchLive,
  pullRequestOf,
  refusalOf,
  repository,
  reviewed,
  type Stage,
  startStage,
  withStages,
} from './git-stage.js';

withStages();

const file = 'prod/api.yaml';
const former = manifest.replace('api:2', 'api:1');

/**
 * A Deployment whose second revision is deadlocked, and a repository whose commits declared first one, then
 * the other.
 */
async function released(
  before: Readonly<Record<string, string>>,
  ...commits: readonly Readonly<Record<string, string>>[]
): Promise<Stage> {
  const stage = await startStage({ repositories: { [repository]: before } });
  for (const commit of commits) {
    for (const [path, text] of Object.entries(commit)) {
      stage.git.repository(repository).commitFile('main', path, text);
    }
  }
  return stage;
}

describe('a roll back as a pull request', () => {
  it('brings back the template of an earlier commit, and nothing else, and is followed until the recovery', async () => {
    const now = manifest.replace('# the shop', '# the shop of the east');
    const stage = await released({ [file]: former }, { [file]: manifest }, { [file]: now });
    const { rig, git } = stage;
    const writesBefore = rig.writes();
    const shown = await reviewed(stage, 'undo-rollout');
    expect(shown.dryRun).toMatchObject({
      type: 'accepted',
      edit: {
        file,
        diff: expect.arrayContaining([
          '-          image: registry.example/api:2',
          '+          image: registry.example/api:1',
        ]),
      },
    });
    await approve(stage, shown);
    await rig.work();

    const [pull, ...others] = git.pulls(repository);
    expect(others).toEqual([]);
    const text = git.repository(repository).textOf(pull?.head ?? '', file);
    expect(text).toBe(now.replace('api:2', 'api:1'));
    expect(rig.writes()).toEqual(writesBefore);

    await merged(stage);
    const containers = [{ name: 'app', image: 'registry.example/api:1' }];
    await patchLive(rig, { spec: { template: { spec: { containers } } } });
    await later(stage, 120);
    await later(stage, 120);
    expect(await pullRequestOf(stage)).toMatchObject({ state: 'recovered' });
  });

  it('takes the newest commit with the template, whatever older ones declare', async () => {
    const older = former.replace('one is enough', 'as in the beginning');
    const stage = await released({ [file]: older }, { [file]: former }, { [file]: manifest });
    expect((await opened(stage, 'undo-rollout')).textOf(file)).toBe(former);
  });

  it('sets the image back in the kustomization that names it', async () => {
    const overlay = (tag: string): string =>
      `namespace: shop\nresources:\n- ../base\nimages:\n- name: registry.example/api\n  newTag: "${tag}" # by the release\n`;
    const base = {
      'base/kustomization.yaml': 'resources: [api.yaml]\n',
      'base/api.yaml': manifest.replace(', namespace: shop', '').replace('api:2', 'api:latest'),
      'staging/kustomization.yaml': 'resources: [../base]\n',
    };
    const stage = await released(
      { ...base, 'prod/kustomization.yaml': overlay('1') },
      { 'prod/kustomization.yaml': overlay('2') },
    );
    expect((await opened(stage, 'undo-rollout')).textOf('prod/kustomization.yaml')).toBe(overlay('1'));
  });

  it('keeps no secret of the template in a record', async () => {
    const secret = 'hunter2-of-the-shop';
    const env = `          env:\n            - name: DB_PASSWORD\n              value: ${secret}\n`;
    const stage = await released(
      { [file]: former },
      { [file]: manifest.replace('          image', `${env}          image`) },
    );
    expect((await reviewed(stage, 'undo-rollout')).dryRun).toMatchObject({ type: 'accepted' });
    expect(await storedBy(stage.rig)).not.toContain(secret);
  });

  it.each<[string, Parameters<typeof released>, { readonly reason: string; readonly file: string }]>([
    ['no commit declares the template', [{ [file]: manifest }], { reason: 'no-earlier-template', file }],
    [
      'the earlier commit declares more than the revision has',
      [{ [file]: former.replace('cpu: "1"', 'cpu: "2"') }, { [file]: manifest }],
      { reason: 'no-earlier-template', file },
    ],
    [
      'the branch declares it already',
      [{ [file]: former }, { [file]: manifest }, { [file]: former.replace('enough', 'plenty') }],
      { reason: 'as-wanted', file },
    ],
  ])('is refused where %s', async (_, commits, values) => {
    const byHand = values.reason === 'as-wanted' ? undefined : true;
    expect(await refusalOf(await released(...commits), 'undo-rollout')).toMatchObject({
      key: 'tree-refused',
      values,
      byHand,
    });
  });
});
