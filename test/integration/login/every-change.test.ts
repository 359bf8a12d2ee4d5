import { afterEach, expect, it } from 'vitest';
import { GitSettings } from '#src/doctor/git-edits/git-settings.js';
import { createGitHubHost } from '#src/edges/git-hosts/github-host.js';
import { createRequestDiagnosis } from '#src/service/diagnose/request-diagnosis.js';
import { createFindGitTarget } from '#src/service/git/find-git-target.js';
import type { Refused, Review } from '#src/service/people/conversation.js';
import { startLocalGitHost } from '../../../demo/git-host/local-git-host.js';
import { openBrowser } from '../../support/company-login.js';
import { type LoginStageOptions, startLoginStage, urlOf } from '../../support/login-stage.js';
import { withRedis } from '../../support/open-redis.js';
import { idOf } from '../../support/remediation-rig.js';
import { api } from '../../support/stuck-rollout.js';
import { manifest, repository, target } from '../git/git-stage.js';

let stage: Awaited<ReturnType<typeof startLoginStage>>;

const db = withRedis();
afterEach(() => stage.stop());

const start = async (options: LoginStageOptions = {}) => {
  stage = await startLoginStage(db.redis, options);
};

/** Opens the review that a click opens. */
async function reviewOf(
  fields: Omit<Parameters<typeof stage.rig.usecases.review>[0], 'incidentId' | 'by'>,
  incidentId = stage.incidentId,
): Promise<Review> {
  const review: Review | Refused = await stage.rig.usecases.review({ incidentId, by: 'U0DANA', ...fields });
  if (review.type === 'refused') throw new Error(JSON.stringify(review.because));
  return review;
}

/** Apply alone decides nothing; the login and the button on its page do. @returns the page with the button */
async function confirmed(
  { approval }: Review,
  says = 'The change to shop/api is being applied',
): Promise<string> {
  const before = stage.rig.writes();
  const url = urlOf(await stage.pressed(approval.id));
  await stage.rig.work();
  expect(await stage.stored(approval.id)).toMatchObject({ state: 'open', decisions: [] });
  expect(stage.rig.writes()).toEqual(before);
  const browser = openBrowser();
  const page = await browser.open(url);
  const { text } = await browser.press(page);
  expect(text.replace(/<[^>]+>/gu, '')).toContain(`Approved. ${says}`);
  expect((await stage.stored(approval.id)).decisions).toMatchObject([
    { by: 'U0DANA', login: { subject: 'dana' } },
  ]);
  await stage.rig.work();
  return page.text;
}

it('makes an undo wait for a login of its own', async () => {
  await start();
  await confirmed(await stage.reviewed());
  expect(stage.changes()).toEqual(['patch deployments']);

  const undo = await reviewOf({ remediationId: 'undo' });
  expect(undo.approval.undoes).toBe(true);
  const page = await confirmed(undo);

  expect(page).toContain('Undo');
  expect(stage.changes()).toEqual(['patch deployments', 'patch deployments']);
  expect((await stage.stored(undo.approval.id)).state).toBe('done');
});

it('makes a change that somebody requested wait for the login', async () => {
  await start();
  const { rig } = stage;
  const request = createRequestDiagnosis({
    ...rig,
    deliveries: { get: async () => undefined },
    newId: () => 'requested',
  });
  const answer = await request({
    query: { namespace: api.namespace, name: api.name },
    origin: { via: 'command', by: 'U0DANA' },
    channel: 'C0REQUESTED',
    language: 'en',
    change: { kind: 'undo-rollout' },
  });
  if (answer.type !== 'queued') throw new Error(JSON.stringify(answer));
  await rig.work();

  const { diagnosis } = await rig.current(answer.incident.id);
  if (diagnosis?.requested?.type !== 'possible') throw new Error(JSON.stringify(diagnosis?.requested));
  const { id: remediationId } = diagnosis.requested.remediation;
  const review = await reviewOf({ remediationId }, answer.incident.id);
  expect(review.approval.requested).toMatchObject({ by: 'U0DANA' });
  await confirmed(review);

  expect(stage.changes()).toEqual(['patch deployments']);
});

it('opens a pull request after the login, and sends nothing to the cluster', async () => {
  const git = await startLocalGitHost({ repositories: { [repository]: { 'prod/api.yaml': manifest } } });
  const github = { appId: git.app.appId, privateKey: { env: 'KEY' }, apiUrl: git.url };
  const sources = [{ namespaces: [api.namespace], ...target }];
  try {
    await start({
      git: {
        host: createGitHubHost({ ...git.app, timeoutMs: 10_000 }),
        repositories: [repository],
        findTarget: createFindGitTarget(GitSettings.parse({ github, repositories: [repository], sources })),
      },
    });
    const incident = await stage.rig.current(stage.incidentId);
    const review = await reviewOf({ remediationId: idOf(incident, 'patch-strategy'), inGit: true });
    expect(review.approval.gitTarget).toMatchObject({ repository });
    await stage.pressed(review.approval.id);
    await stage.rig.work();
    expect([git.pulls(repository), git.repository(repository).branches()]).toEqual([[], ['main']]);
    expect(await confirmed(review, 'The pull request for shop/api is being opened')).toContain(
      'proposed as a pull request',
    );

    expect(git.pulls(repository)).toHaveLength(1);
    expect(stage.changes()).toEqual([]);
  } finally {
    await git.close();
  }
});
