import { describe, expect, it } from 'vitest';
import { storedBy } from '../../support/remediation-rig.js';
import {
  approve,
  block,
  type LocalHost,
  later,
  manifest,
  patchLive,
  pullRequestOf,
  review,
  reviewed,
  type Stage,
  startGitLabStage,
  startStage,
  withStages,
} from './git-stage.js';

withStages();

const file = 'prod/api.yaml';
const fixed = manifest.replace('enough\n', `enough\n${block}`);

interface HostKind {
  readonly name: string;
  readonly repository: string;
  readonly start: (files: Readonly<Record<string, string>>) => Promise<Stage<LocalHost>>;
  /** The end of the request that opens a pull request, and of those that write before it. */
  readonly open: string;
  readonly writes: readonly string[];
  /** Answers of its own by which it slows a program down. */
  readonly slows?: readonly Parameters<LocalHost['fail']>[0][];
  /** What the host reports for an open one, by what the card states. */
  readonly hindrances: Readonly<Record<string, string>>;
  /** Beginning of its tokens. */
  readonly token: string;
}

const sources = (repository: string) => [{ namespaces: ['shop'], repository, branch: 'main', path: 'prod' }];
const gitLabProject = 'acme/platform/deploy';

const kinds: readonly HostKind[] = [
  {
    name: 'GitHub',
    repository: 'acme/deploy',
    start: (files) => startStage({ repositories: { 'acme/deploy': files } }),
    open: 'POST /pulls',
    writes: ['POST /git/blobs', 'POST /git/trees', 'POST /git/commits', 'POST /git/refs'],
    slows: [
      { on: 'POST /pulls', status: 403, headers: { 'retry-after': '120' }, body: { message: 'slow down' } },
      { on: 'POST /pulls', status: 429, body: { message: 'You have exceeded a secondary rate limit' } },
    ],
    hindrances: { behind: 'behind', checks: 'unstable', protected: 'blocked', draft: 'draft' },
    token: 'ghs_',
  },
  {
    name: 'GitLab',
    repository: gitLabProject,
    start: (files) =>
      startGitLabStage({
        repositories: { [gitLabProject]: files },
        allowed: [gitLabProject],
        sources: sources(gitLabProject),
      }),
    open: 'POST /merge_requests',
    writes: ['POST /repository/commits'],
    hindrances: {
      behind: 'need_rebase',
      checks: 'ci_must_pass',
      protected: 'not_approved',
      draft: 'draft_status',
    },
    token: 'glpat-',
  },
];

describe.each(kinds)(
  'a pull request on $name',
  ({ name, repository, start, open, writes, slows = [], hindrances, token }) => {
    const opened = async (files: Readonly<Record<string, string>> = { [file]: manifest }) => {
      const stage = await start(files);
      await approve(stage, await reviewed(stage));
      await stage.rig.work();
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'open', number: 1 });
      return stage;
    };
    const branchesOf = ({ git }: Stage<LocalHost>) => git.repository(repository).branches();

    it('is opened with the reviewed lines, and followed until the cause is gone', async () => {
      const stage = await start({ [file]: manifest });
      const { git, rig } = stage;
      const before = rig.writes();
      const shown = await reviewed(stage);
      const diff = expect.arrayContaining(['+      maxSurge: 0']);
      expect(shown.dryRun).toMatchObject({ type: 'accepted', edit: { file, line: 2, diff } });
      expect(branchesOf(stage)).toEqual(['main']);
      await approve(stage, shown);
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'opening', approvedBy: ['U0DANA'] });
      await rig.work();
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'open', number: 1 });
      expect(rig.writes()).toEqual(before);
      const [pull, ...others] = git.pulls(repository);
      expect(others).toEqual([]);
      expect(pull).toMatchObject({
        base: 'main',
        head: expect.stringMatching(/^rollout-doctor\/shop-api-[0-9a-f]{8}$/u),
        title: expect.stringMatching(/^fix\(shop\/api\): /u),
      });
      expect(git.repository(repository).textOf(pull?.head ?? '', file)).toBe(fixed);
      expect((await pullRequestOf(stage))?.url).toMatch(/^http.*\/1$/u);
      git.merge(repository, 1);
      await later(stage);
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'merged' });
      expect(git.repository(repository).check()).toBe('');
      const strategy = { rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
      await patchLive(rig, { spec: { strategy, minReadySeconds: 60 } });
      // The values are there and nothing blocks the rollout, but the new pod does not count as available yet.
      await later(stage, 8);
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'merged' });
      await later(stage, 120);
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'recovered' });
      expect((await rig.current(stage.incident.id)).diagnosis?.findings).toEqual([]);
    });

    it('is opened in a repository of more files than one answer lists, and keeps them all', async () => {
      const many = Object.fromEntries(
        Array.from({ length: 230 }, (_, at) => [`other/${at}.txt`, 'x'] as const),
      );
      const stage = await opened({ ...many, [file]: manifest });
      const [pull] = stage.git.pulls(repository);
      const store = stage.git.repository(repository);
      const entries = store.entriesOf(store.headOf(pull?.head ?? '') ?? '');
      expect(entries).toHaveLength(231);
      expect(entries.find(({ path }) => path === file)?.mode).toBe('100644');
    });

    const slow = { status: 429, headers: { 'retry-after': '120' }, body: { message: 'Too many requests' } };
    it.each([
      ...[...writes, open].map((on) => ({ on, status: 502, body: {}, afterwards: true })),
      { on: writes.at(-1) ?? '', status: 500, body: {} },
      { on: writes.at(-1) ?? '', ...slow },
      { on: open, status: 502, body: {} },
      ...slows,
    ])('is opened once although a request fails: %j', async (fault) => {
      const stage = await start({ [file]: manifest });
      const shown = await reviewed(stage);
      stage.git.fail(fault);
      await approve(stage, shown);
      await stage.rig.work();
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'opening' });
      await later(stage, 180);
      expect(stage.git.pulls(repository)).toHaveLength(1);
      expect(branchesOf(stage)).toHaveLength(2);
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'open', number: 1 });
    });

    it('leaves a branch with a commit of a person as it is, and uses another name', async () => {
      const stage = await start({ [file]: manifest });
      const shown = await reviewed(stage);
      stage.git.fail({ on: open, status: 502 });
      await approve(stage, shown);
      await stage.rig.work();
      const store = stage.git.repository(repository);
      const [ours = ''] = store.branches().filter((each) => each !== 'main');
      const byHand = store.commitFile(ours, file, '# mine\n');
      await later(stage, 180);
      expect(store.headOf(ours)).toBe(byHand);
      expect(stage.git.pulls(repository)).toMatchObject([{ head: `${ours}-2` }]);
    });

    it('is not opened where the file changed after the review, or where a person closed it', async () => {
      const stage = await start({ [file]: manifest });
      const shown = await reviewed(stage);
      stage.git.repository(repository).commitFile('main', file, `${manifest}# more\n`);
      await approve(stage, shown);
      await stage.rig.work();
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'failed', failure: { key: 'file-changed' } });
      expect(branchesOf(stage)).toEqual(['main']);
      const other = await opened();
      other.git.decline(repository, 1);
      await later(other);
      expect(await pullRequestOf(other)).toMatchObject({ state: 'closed' });
      expect(await review(other)).toMatchObject({ type: 'refused', because: { key: 'declined' } });
    });

    it('states what stands against merging it', async () => {
      const stage = await opened();
      const { git } = stage;
      for (const [hindrance, state] of Object.entries(hindrances)) {
        git.holdBack(repository, 1, state);
        await later(stage);
        expect((await pullRequestOf(stage))?.hindrance).toBe(hindrance);
      }
      git.holdBack(repository, 1, 'a status of a newer version');
      await later(stage);
      expect((await pullRequestOf(stage))?.hindrance).toBeUndefined();
    });

    it('states a conflict with the base', async () => {
      const stage = await opened();
      const changed = manifest.replace('one is enough', 'only one');
      stage.git.repository(repository).commitFile('main', file, changed);
      await later(stage);
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'open', hindrance: 'conflicts' });
    });

    it('is refused with the words of its host where the repository is not visible, and followed again later', async () => {
      const stage = await opened();
      stage.git.uninstall(repository);
      await later(stage);
      const failure = { key: 'host-refused', values: { because: 'not-found', host: name } };
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'open', failure });
      stage.git.install(repository);
      stage.git.merge(repository, 1);
      await later(stage);
      expect(await pullRequestOf(stage)).toMatchObject({ state: 'merged' });
    });

    it('follows no redirect, which could lead the token elsewhere', async () => {
      const stage = await start({ [file]: manifest });
      const moved = { status: 301, headers: { location: 'http://127.0.0.1:9/elsewhere' }, body: {} };
      const end = name === 'GitHub' ? 'GET /git/ref/heads/main' : 'GET /repository/branches/main';
      stage.git.fail({ on: end, ...moved });
      expect((await reviewed(stage)).dryRun).toMatchObject({
        because: { key: 'host-refused', values: { because: 'moved', host: name } },
      });
    });

    it('refuses a file over 2 MiB, and a branch that does not exist', async () => {
      const large = await start({ [file]: `${manifest}# ${'x'.repeat(2 * 1024 * 1024)}\n` });
      expect((await reviewed(large)).dryRun).toMatchObject({
        because: { key: 'tree-refused', values: { reason: 'too-large', file } },
      });
      large.git.repository(repository).removeBranch('main');
      const again = await reviewed(large);
      expect(again.dryRun).toMatchObject({ type: 'refused' });
    });

    it('rolls back to the template of an earlier commit', async () => {
      const former = manifest.replace('api:2', 'api:1');
      const stage = await start({ [file]: former });
      const { git } = stage;
      git.repository(repository).commitFile('main', file, manifest);
      await approve(stage, await reviewed(stage, 'undo-rollout'));
      await stage.rig.work();
      const [pull] = git.pulls(repository);
      expect(git.repository(repository).textOf(pull?.head ?? '', file)).toBe(former);
    });

    it('keeps no token in any record', async () => {
      const stage = await opened();
      const sent = stage.git.requests.map(({ authorization }) => authorization.split(' ').at(-1) ?? '');
      const tokens = sent.filter(Boolean);
      expect(tokens.some((each) => each.startsWith(token))).toBe(true);
      const stored = await storedBy(stage.rig);
      expect(tokens.filter((each) => stored.includes(each))).toEqual([]);
    });
  },
);

it('is refused on GitLab where the token was revoked', async () => {
  const stage = await startGitLabStage({
    repositories: { [gitLabProject]: { [file]: manifest } },
    allowed: [gitLabProject],
    sources: sources(gitLabProject),
  });
  const shown = await reviewed(stage);
  stage.git.revokeTokens();
  await approve(stage, shown);
  await stage.rig.work();
  expect(await pullRequestOf(stage)).toMatchObject({
    state: 'failed',
    failure: { key: 'host-refused', values: { because: 'unauthorized', host: 'GitLab' } },
  });
  expect(stage.git.pulls(gitLabProject)).toEqual([]);
});
