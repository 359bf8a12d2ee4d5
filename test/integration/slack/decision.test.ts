import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DoctorError } from '#src/service/errors.js';
import { notice } from '#src/service/notices/notices.js';
import type { Decided } from '#src/service/people/conversation.js';
import { buildApproval, buildIncident, buildReview } from '../../support/slack-builders.js';
import { type Rig, read, startRig } from '../../support/slack-rig.js';

describe.each(['http', 'socket'] as const)('the app over %s', (mode) => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig({ mode });
  });
  afterEach(() => rig.close());

  describe('a decision in a review', () => {
    it('requires a reason for a decision', async () => {
      const modal = await rig.openReview();
      const outcome = await rig.slack.as('dana').submits(modal, { reason: '   ' });
      expect(outcome.type).not.toBe('failed');
      expect(Object.keys(rig.slack.as('dana').modal()?.errors ?? {})).toEqual(['reason']);
      expect(rig.asks('decideApproval')).toEqual([]);
    });

    it('requires the typed name when the policy demands it', async () => {
      const demands = { approvers: 1, notRequester: false, typeName: true, login: false };
      rig.let({ reviewRemediation: async () => buildReview({ demands }) });
      const modal = await rig.openReview();
      await rig.slack.as('dana').submits(modal, { reason: 'stuck', name: 'inference' });
      expect(rig.slack.as('dana').modal()?.errors).toEqual({
        name: 'Enter exactly ml/inference.',
      });
      expect(rig.asks('decideApproval')).toEqual([]);

      const again = rig.slack.as('dana').modal();
      if (again === undefined) throw new Error('the modal is gone');
      await rig.slack.as('dana').submits(again, { reason: 'stuck', name: 'ml/inference' });
      await rig.untilAsked('decideApproval', 1);
    });

    it('decides with the reason, and closes when the decision is stored', async () => {
      const modal = await rig.openReview();
      await rig.slack.as('dana').submits(modal, { reason: ' stuck since nine ' });
      await rig.slack.until(() => rig.slack.as('dana').modal() === undefined);
      expect(rig.asks('decideApproval')).toEqual([
        { approvalId: buildApproval().id, by: 'U0DANA', decision: 'approve', reason: 'stuck since nine' },
      ]);
    });

    it('reports the earlier decision to the later person', async () => {
      const because = notice('already-decided', { by: 'U0ROBIN', secondsAgo: 3, state: 'approved' });
      rig.let({ decideApproval: async () => ({ type: 'refused', because }) });
      const modal = await rig.openReview();
      await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
      await rig.slack.until(() => {
        const seen = rig.slack.as('dana').modal();
        return (
          seen !== undefined &&
          read(seen).includes('@U0ROBIN already approved this 3 s ago. Your click changed nothing.')
        );
      });
    });

    it('refers to the card when the decision takes too long, and shows its outcome afterwards', async () => {
      let finish: (decided: Decided) => void = () => undefined;
      rig.let({ decideApproval: () => new Promise((resolve) => (finish = resolve)) });
      const modal = await rig.openReview();
      await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
      const shows = (words: string) =>
        rig.slack.until(() => {
          const seen = rig.slack.as('dana').modal();
          return seen !== undefined && read(seen).includes(words);
        });
      await shows('could not confirm that your decision was recorded');
      finish({ type: 'approved', incident: buildIncident(), approval: buildApproval() });
      await shows('Approved. The change to `ml/inference`');
    });

    it('answers both times when Slack sends a submission twice', async () => {
      const because = notice('same-person', { missing: 1 });
      rig.let({ decideApproval: async () => ({ type: 'refused', because }) });
      const modal = await rig.openReview();
      rig.let({ seenBefore: async () => true });
      await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
      await rig.slack.until(() => {
        const seen = rig.slack.as('dana').modal();
        return seen !== undefined && read(seen).includes('Your approval is already recorded.');
      });
    });

    it('states in the modal that the decision failed', async () => {
      rig.let({
        decideApproval: async () => {
          throw new DoctorError({ code: 'redis-unavailable', message: 'Redis is away', retryable: true });
        },
      });
      const modal = await rig.openReview();
      await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
      await rig.slack.until(() => {
        const seen = rig.slack.as('dana').modal();
        return seen !== undefined && read(seen).includes('could not confirm that your decision was recorded');
      });
    });
  });
});
