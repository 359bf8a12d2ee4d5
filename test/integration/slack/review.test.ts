import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { notice } from '#src/service/notices/notices.js';
import { reviewOf } from '../../support/shown-words.js';
import { buildIncident, buildReview } from '../../support/slack-builders.js';
import { type Rig, read, startRig } from '../../support/slack-rig.js';

describe('the app', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.close());

  describe('a review', () => {
    it('opens at once, and shows the plan when the cluster has been read', async () => {
      let release = () => {};
      const looked = new Promise<void>((resolve) => {
        release = resolve;
      });
      rig.let({ reviewRemediation: () => looked.then(() => buildReview()) });
      const card = await rig.postCard();

      await rig.slack.as('dana').clicks(card, reviewOf('ml/inference'));
      const loading = await rig.slack.until(() => rig.slack.as('dana').modal());
      expect(read(loading)).toContain('Reading the current state of the cluster');
      expect(loading.submit).toBeUndefined();

      release();
      const modal = await rig.slack.until(() => {
        const seen = rig.slack.as('dana').modal();
        return seen?.submit === undefined ? undefined : seen;
      });
      expect(read(modal)).toContain('| +      maxSurge: 0');
      expect(modal.submit).toBe('Apply to prod-eu');
      expect(rig.asks('reviewRemediation')).toEqual([
        { incidentId: buildIncident().id, remediationId: 'patch-strategy-0-1', by: 'U0DANA' },
      ]);
    });

    const asking = () => buildReview({ dryRun: { type: 'asked', ask: 1 } });
    const untilShown = (who: string, words: string) =>
      rig.slack.until(() => {
        const modal = rig.slack.as(who).modal();
        return modal !== undefined && read(modal).includes(words) ? modal : undefined;
      });

    it('shows the plan during the dry run, and the button after it is accepted', async () => {
      let answer = () => {};
      const tried = new Promise<void>((resolve) => {
        answer = resolve;
      });
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: (review) => tried.then(() => ({ ...review, dryRun: buildReview().dryRun })),
      });
      const card = await rig.postCard();
      await rig.slack.as('dana').clicks(card, reviewOf('ml/inference'));
      const waiting = await untilShown('dana', 'Running a dry run of this change on the API server');
      expect(read(waiting)).toContain('maxSurge: 0');
      expect(waiting.submit).toBeUndefined();

      answer();
      const ready = await untilShown('dana', 'The API server accepted this change in a dry run');
      expect(ready.submit).toBe('Apply to prod-eu');
      await rig.slack.as('dana').submits(ready, { reason: 'stuck' });
      await rig.untilAsked('decideApproval', 1);
    });

    const refusal = notice('dry-run-refused', {
      workload: 'ml/inference',
      because: 'admission',
      message: 'needs a ticket',
    });
    const refused = { type: 'refused', ask: 1, at: '', digest: '', because: refusal } as const;

    it.each([
      ['refuses the change', refused, 'needs a ticket'],
      ['does not return in time', { type: 'unanswered', seconds: 30 }, 'no result arrived within 30 seconds'],
    ] as const)('states so and has no button when the API server %s', async (_, dryRun, words) => {
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: async (review) => ({ ...review, dryRun }),
      });
      const card = await rig.postCard();
      await rig.slack.as('dana').clicks(card, reviewOf('ml/inference'));

      expect((await untilShown('dana', words)).submit).toBeUndefined();
    });

    it('states in the modal that waiting for the API server failed', async () => {
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: async () => {
          throw new Error('unexpected');
        },
      });
      const card = await rig.postCard();
      await rig.slack.as('dana').clicks(card, reviewOf('ml/inference'));

      expect((await untilShown('dana', 'failed with an internal error')).submit).toBeUndefined();
    });

    it('is refused privately with the reason when the modal was closed in between', async () => {
      let answer = () => {};
      const tried = new Promise<void>((resolve) => {
        answer = resolve;
      });
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: (review) => tried.then(() => ({ ...review, dryRun: refused })),
      });
      const card = await rig.postCard();
      await rig.slack.as('dana').clicks(card, reviewOf('ml/inference'));
      await rig.slack.as('dana').closes(await untilShown('dana', 'Running a dry run'));
      answer();

      await rig.slack.until(() => rig.told('dana').includes('needs a ticket'));
    });

    it('asks privately to press again when Slack does not accept the answer', async () => {
      let answer = () => {};
      const tried = new Promise<void>((resolve) => {
        answer = resolve;
      });
      rig.let({
        reviewRemediation: async () => asking(),
        awaitDryRun: (review) => tried.then(() => ({ ...review, dryRun: buildReview().dryRun })),
      });
      const card = await rig.postCard();
      await rig.slack.as('dana').clicks(card, reviewOf('ml/inference'));
      await untilShown('dana', 'Running a dry run');
      rig.slack.faults.replaceAnswer({ method: 'views.update', body: '{"ok":true}', done: false });
      answer();

      await rig.slack.until(() => rig.told('dana').includes('Press the button again'));
      expect(rig.slack.as('dana').modal()?.submit).toBeUndefined();
    });

    it('states in the modal why it is refused', async () => {
      const because = notice('not-authorised', {
        workload: 'ml/inference',
        cluster: 'prod-eu',
        users: [],
        groups: ['ml-oncall'],
      });
      rig.let({ reviewRemediation: async () => ({ type: 'refused', because }) });
      const card = await rig.postCard();
      await rig.slack.as('sam').clicks(card, reviewOf('ml/inference'));
      await rig.slack.until(() => {
        const modal = rig.slack.as('sam').modal();
        return modal !== undefined && read(modal).includes('Ask `@ml-oncall`.');
      });
      expect(rig.slack.as('sam').modal()?.submit).toBeUndefined();
    });

    it('shows the plan without a button to a person who may not approve it', async () => {
      const { incident, approval } = buildReview();
      const because = notice('not-authorised', {
        workload: 'ml/inference',
        cluster: 'prod-eu',
        users: [],
        groups: ['ml-oncall'],
      });
      const approvers = { users: [], groups: ['ml-oncall'] };
      const remediationId = approval.remediation.id;
      const readable = { incident, proposal: approval, warnings: [], remediationId, approvers };
      rig.let({ reviewRemediation: async () => ({ type: 'refused', because, readable }) });
      const card = await rig.postCard();
      await rig.slack.as('sam').clicks(card, reviewOf('ml/inference'));
      const shown = await rig.slack.until(() => {
        const modal = rig.slack.as('sam').modal();
        return modal !== undefined && read(modal).includes('What happens') ? modal : undefined;
      });
      expect(read(shown)).toContain('you cannot approve changes to it');
      expect(read(shown)).toContain('maxSurge: 0');
      expect(read(shown)).toContain('*Impact*');
      expect(read(shown)).not.toMatch(/dry run|expires|Reason/u);
      expect(shown.submit).toBeUndefined();
      expect(rig.asks('awaitDryRun')).toEqual([]);

      await rig.slack.as('sam').clicks(shown, 'Ask @ml-oncall to approve');
      await rig.slack.until(() => {
        const modal = rig.slack.as('sam').modal();
        return modal !== undefined && read(modal).includes('Asked `@ml-oncall` in the thread');
      });
      expect(rig.asks('askForApproval')).toEqual([{ incidentId: incident.id, remediationId, by: 'U0SAM' }]);
    });

    it('is refused privately in the channel when the modal was closed in between', async () => {
      let refuse = () => {};
      const asked = new Promise<void>((resolve) => {
        refuse = resolve;
      });
      const because = notice('still-looking', { workload: 'ml/inference' });
      rig.let({ reviewRemediation: () => asked.then(() => ({ type: 'refused' as const, because })) });
      const card = await rig.postCard();
      await rig.slack.as('dana').clicks(card, reviewOf('ml/inference'));
      const loading = await rig.slack.until(() => rig.slack.as('dana').modal());
      await rig.slack.as('dana').closes(loading);
      refuse();
      await rig.slack.until(() => rig.told('dana').includes('is running. Wait until the card is updated'));
    });

    it('is in Korean for a Korean reader', async () => {
      const modal = await rig.openReview('min-jun');
      expect(modal.title).toBe('변경 검토');
      expect(read(modal)).toContain('이전 파드를 먼저 내리기');
    });
  });
});
