import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { conductObject } from '../../../demo/cluster/loops/conduct.js';
import { seedDemo } from '../../../demo/cluster/seed/demo-incidents.js';
import { type LocalGitHost, startLocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { applyManifest } from '../../../demo/git-owner/apply-manifest.js';
import type { Message } from '../../../demo/slack/workspace/model.js';
import {
  deployment,
  letReminderCome,
  opened,
  podsOf,
  quick,
  refused,
  untilThread,
} from '../../support/crashes-stage.js';
import { eventually, type Rig, startRig } from '../../support/faults-rig.js';
import { inThisProcess } from '../../support/in-this-process.js';

const repository = 'acme/deploy';
const file = 'prod/api.yaml';
const dayMs = 24 * 3_600_000;

/**
 * Pods that crash on one node, in a namespace that Git declares: on real parts from the command to the
 * recovery.
 */
describe('the exclusion of a node as a pull request', () => {
  let rig: Rig;
  let git: LocalGitHost;
  let card: Message;
  let reminder: Message;
  let manifest = '';
  let mergedAfter = 0;
  const logs: string[] = [];

  beforeAll(async () => {
    git = await startLocalGitHost({ repositories: { [repository]: {} } });
    const settings = {
      github: { appId: git.app.appId, apiUrl: git.url, privateKey: { env: 'GITHUB_PRIVATE_KEY' } },
      repositories: [repository],
      sources: [{ namespaces: ['ml'], repository, path: 'prod' }],
    };
    rig = await startRig({
      startPart: inThisProcess,
      mode: 'http',
      scenario: 'none',
      cluster: { kubelet: quick },
      git: JSON.stringify(settings),
      env: { GITHUB_PRIVATE_KEY: git.app.privateKey },
      onLog: (_, line) => logs.push(line),
    });
    await seedDemo(rig.cluster);
    const { apiVersion, kind, metadata, spec } = deployment(rig, 'ml', 'api');
    const { name, namespace, labels } = metadata;
    manifest = `# by hand\n${stringify({ apiVersion, kind, metadata: { name, namespace, labels }, spec })}`;
    git.repository(repository).commitFile('main', file, manifest);
  });

  afterAll(async () => {
    await rig?.stop();
    await git?.close();
  });

  const onBadNode = () => podsOf(rig, 'ml', 'api').filter(({ node, ready }) => node === 'api-c' || !ready);

  it('is reviewed with the changed lines, and opened after the approval', async () => {
    await rig.ask('deploy/api -n ml');
    // On a busy machine the first card may come before its fix.
    card = await rig.untilCard('[Open a pull request]');
    const review = await opened(rig, 'dana', card, 'Open a pull request', 'NotIn');
    expect(JSON.stringify(review)).toContain(file);
    await rig.slack.as('dana').submits(review, { reason: 'api-c got another kernel' });
    card = await rig.untilCard('Pull request open');

    const [pull, ...others] = git.pulls(repository);
    expect(others).toEqual([]);
    const changed = git.repository(repository).textOf(pull?.head ?? '', file);
    const lines = new Set(manifest.split('\n'));
    const added = changed.split('\n').filter((line) => !lines.has(line));
    expect(added.join('\n')).toMatch(/kubernetes\.io\/hostname[\s\S]*NotIn[\s\S]*api-c/u);
    expect(
      changed
        .split('\n')
        .filter((line) => lines.has(line))
        .join('\n'),
    ).toContain('# by hand');
    expect(rig.changes()).toEqual([]);
    expect(onBadNode()).toHaveLength(3);
  });

  it('is in effect after the merge and the apply of its owner, and the card states the recovery', async () => {
    mergedAfter = Math.floor(Date.now() / 1_000) * 1_000;
    git.merge(repository, 1);
    await rig.untilCard('Pull request merged');
    applyManifest(rig.cluster.registry, git.repository(repository).textOf('main', file));
    card = await rig.untilCard('Recovered');

    await eventually('nine pods on other nodes', () => onBadNode().length === 0);
    expect(rig.cards()).toHaveLength(1);
    expect(rig.changes()).toEqual([]);
  });

  it('gets a reminder a day after the merge, whose button removes it by another pull request', async () => {
    const dueAt = await letReminderCome(rig);
    expect(dueAt).toBeGreaterThanOrEqual(mergedAfter + dayMs);
    expect(dueAt).toBeLessThanOrEqual(Date.now() + dayMs);
    reminder = await untilThread(rig, card, 'still in effect');
    expect(rig.says(reminder)).toContain('remove the exclusion by another pull request');
    rig.cluster.load([conductObject([])]);
    const review = await opened(rig, 'min-jun', reminder, 'Remove exclusion', 'NotIn');
    expect(JSON.stringify(review)).toContain(file);
    await rig.slack.as('min-jun').submits(review, { reason: 'the kernel was put back' });
    await eventually('a second pull request', () => git.pulls(repository).length === 2);
    card = await rig.untilCard(`${repository}#2`);

    const [, pull] = git.pulls(repository);
    expect(pull?.title).toContain('Undo of');
    expect(git.repository(repository).textOf(pull?.head ?? '', file)).toBe(manifest);
    expect(rig.changes()).toEqual([]);
  });

  it('is removed after the merge of the second one, and no reminder follows', async () => {
    git.merge(repository, 2);
    await rig.untilCard('Pull request merged');
    applyManifest(rig.cluster.registry, git.repository(repository).textOf('main', file));
    card = await rig.untilCard('has the former values again');

    expect(JSON.stringify(deployment(rig, 'ml', 'api').spec)).not.toContain('NotIn');
    await expect(letReminderCome(rig)).rejects.toThrow('no reminder is waiting');
  });

  it('is not removed twice', async () => {
    await refused(rig, 'dana', reminder, 'Remove exclusion', 'undone or replaced');
  });

  it('writes no token and no key to the log', () => {
    expect(git.requests.some(({ authorization }) => authorization.includes('ghs_'))).toBe(true);
    expect(logs.length).toBeGreaterThan(0);
    expect(logs.filter((line) => /ghs_|PRIVATE KEY/.test(line))).toEqual([]);
  });
});
