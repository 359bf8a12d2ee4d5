import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type LocalGitHost, startLocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { type Stack, startStack } from '../../../demo/stack.js';

const scenarios = join(import.meta.dirname, '../../scenarios');
const channel = 'ml-oncall';
const repository = 'acme/deploy';

let stack: Stack;
let git: LocalGitHost;
let folder: string;

afterEach(async () => {
  await stack.stop();
  await git.close();
  await rm(folder, { recursive: true, force: true });
});

const card = (words: string) =>
  stack.slack.until(
    () => stack.slack.messages(channel).find((message) => JSON.stringify(message.blocks).includes(words)),
    { what: `a card with "${words}"` },
  );

describe('a pull request through Slack', () => {
  it('is reviewed and approved with two buttons, and the card links to it', async () => {
    folder = await mkdtemp(join(tmpdir(), 'rollout-doctor-git-story-'));
    const logs: string[] = [];
    git = await startLocalGitHost({ repositories: { [repository]: {} } });
    const settings = join(folder, 'git.yaml');
    await writeFile(
      settings,
      JSON.stringify({
        github: { appId: git.app.appId, apiUrl: git.url, privateKey: { env: 'GITHUB_PRIVATE_KEY' } },
        repositories: [repository],
        sources: [{ namespaces: ['shop'], repository, path: 'prod' }],
      }),
    );
    stack = await startStack({
      slack: { page: false },
      env: { GIT_FILE: settings, GITHUB_PRIVATE_KEY: git.app.privateKey },
      onLog: (_, line) => logs.push(line),
    });
    await stack.cluster.loadRecording(join(scenarios, 'gpu-one-node'));
    const live = () => stack.cluster.find('apps/v1', 'Deployment', 'shop', 'inference');
    const spec = live()?.spec as { readonly selector: object; readonly template: object };
    const { selector, template } = spec;
    const declared = { replicas: 1, selector, template };
    const manifest = [
      '# by hand',
      'apiVersion: apps/v1',
      'kind: Deployment',
      'metadata: {name: inference}',
      `spec: ${JSON.stringify(declared)}`,
      '',
    ].join('\n');
    git.repository(repository).commitFile('main', 'prod/inference.yaml', manifest);
    const before = JSON.stringify(live()?.spec);

    const dana = stack.slack.as('dana');
    await dana.runs('/rollout-doctor deploy/inference -n shop', { channel });
    await dana.clicks(await card('is deadlocked'), 'Open a pull request');
    const view = await stack.slack.until(
      () => {
        const open = dana.modal();
        return open?.submit !== undefined && JSON.stringify(open).includes('prod/inference.yaml')
          ? open
          : undefined;
      },
      { what: 'the review with the file' },
    );
    await dana.submits(view, { reason: 'deadlock' });
    const opened = await card('Pull request open');
    expect(JSON.stringify(opened.blocks)).toContain(`${git.url}/${repository}/pull/1`);
    const [pull] = git.pulls(repository);
    const changed = git.repository(repository).textOf(pull?.head ?? '', 'prod/inference.yaml');
    expect(changed).toBe(
      manifest.replace(
        /\}\n$/u,
        ', strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 0, maxUnavailable: 1}}}\n',
      ),
    );
    expect(JSON.stringify(live()?.spec)).toBe(before);
    expect(logs.join('\n')).not.toContain('ghs_');
    expect(logs.join('\n')).not.toContain('PRIVATE KEY');
  });
});
