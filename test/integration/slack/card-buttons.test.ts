import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actionIds } from '#src/edges/slack/render/action-ids.js';
import { notice } from '#src/service/notices/notices.js';
import { buildApproval, buildIncident } from '../../support/slack-builders.js';
import { type Rig, read, startRig } from '../../support/slack-rig.js';

describe('the app', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig();
  });
  afterEach(() => rig.close());

  describe('the other buttons of a card', () => {
    it('diagnose again', async () => {
      const card = await rig.postCard();
      await rig.slack.as('sam').clicks(card, 'Diagnose again');
      await rig.untilAsked('diagnoseAgain', 1);
      expect(rig.asks('diagnoseAgain')).toEqual([{ incidentId: buildIncident().id, by: 'U0SAM' }]);
    });

    it('open a review from the menu as from a button', async () => {
      const card = await rig.postCard();
      await rig.slack.as('dana').clicks(card, 'Roll back to revision 1');
      await rig.untilAsked('reviewRemediation', 1);
      expect(rig.asks('reviewRemediation')).toEqual([
        { incidentId: buildIncident().id, remediationId: 'undo-rollout-1', by: 'U0DANA' },
      ]);
    });

    it('show the proof to the person who pressed, in their language', async () => {
      const card = await rig.postCard();
      for (const [person, button, heading] of [
        ['dana', 'Show proof', 'Ruled out'],
        ['min-jun', 'Show proof', '배제된 원인'],
      ] as const) {
        await rig.slack.as(person).clicks(card, button);
        const shown = await rig.slack.until(
          () => {
            const view = rig.slack.as(person).modal();
            return view !== undefined && read(view).includes(heading) ? view : undefined;
          },
          { what: `the proof of ${person}` },
        );
        expect(read(shown)).toContain('nvidia.com/gpu');
        expect(shown.submit).toBeUndefined();
      }
    });

    it('show no proof that the person may not see', async () => {
      rig.let({
        readIncident: async () => ({ type: 'refused', because: notice('incident-unknown', { id: 'x' }) }),
      });
      const card = await rig.postCard();
      await rig.slack.as('sam').clicks(card, 'Show proof');
      await rig.slack.until(
        () => {
          const view = rig.slack.as('sam').modal();
          return view !== undefined && read(view).includes('does not exist, or you may not see it')
            ? view
            : undefined;
        },
        { what: 'the refusal' },
      );
    });

    it('reject a change after a confirmation', async () => {
      const incident = buildIncident({
        channel: 'C0MLONCALL',
        phase: 'awaiting',
        approvalId: buildApproval().id,
      });
      const approval = buildApproval({
        needs: 2,
        decisions: [{ by: 'U0DANA', at: '2026-11-20T09:31:12Z', decision: 'approve', reason: 'go' }],
      });
      const card = await rig.postCard(incident, approval);
      await rig.slack.as('sam').clicks(card, 'Reject', { confirm: false });
      expect(rig.asks('decideApproval')).toEqual([]);

      rig.let({ decideApproval: async () => ({ type: 'rejected', approval }) });
      await rig.slack.as('sam').clicks(card, 'Reject');
      await rig.slack.until(() => rig.told('sam').includes('Rejected. Nothing was changed'));
      expect(rig.asks('decideApproval')).toEqual([
        { approvalId: approval.id, by: 'U0SAM', decision: 'reject', reason: '' },
      ]);
    });

    const forged = [
      '',
      'a.b',
      '.x',
      '../../etc.passwd',
      'a b.c',
      `${'x'.repeat(90)}.y`,
      '{"incidentId":"1"}',
      'id.\u202e',
    ];

    it.each(forged)('refuse the forged value %j privately, and log it', async (value) => {
      const card = await rig.postCard();
      const aimed = { actionId: actionIds.proof, value };
      await rig.slack.as('sam').clicks(card, aimed);
      await rig.slack.until(() => rig.told('sam').includes('This button is no longer valid.'));
      expect(rig.logged.map(({ msg }) => msg)).toContain('a button value was refused');
      expect(rig.asked).toEqual([]);
    });

    it.each(['', 'no-dot', '.x', 'id.', '../x.y', 'id.\u202e', `id.${'x'.repeat(1_950)}`])(
      'open no review for the forged value %j',
      async (value) => {
        const card = await rig.postCard();
        const aimed = { actionId: actionIds.review, value };
        await rig.slack.as('sam').clicks(card, aimed);
        await rig.slack.until(() => rig.told('sam').includes('This button is no longer valid.'));
        expect(rig.slack.as('sam').modal()).toBeUndefined();
        expect(rig.asked).toEqual([]);
      },
    );

    it.each(['cluster.delete', 'remediation.review.extra'])(
      'refuse the unknown action %s privately, and log it',
      async (actionId) => {
        const { ok, ts } = await rig.clients.delivery.chat.postMessage({
          channel: 'C0MLONCALL',
          text: 'old',
          blocks: [
            {
              type: 'actions',
              elements: [
                {
                  type: 'button',
                  action_id: actionId,
                  text: { type: 'plain_text', text: 'Go' },
                  value: '1',
                },
                {
                  type: 'button',
                  action_id: 'link.runbook',
                  text: { type: 'plain_text', text: 'Runbook' },
                  url: 'https://runbooks.example/1',
                },
              ],
            },
          ],
        });
        expect(ok).toBe(true);
        const message = rig.slack.message({ channel: 'C0MLONCALL', ts: String(ts) });
        if (message === undefined) throw new Error('not posted');

        expect((await rig.slack.as('sam').clicks(message, 'Runbook')).type).toBe('acknowledged');
        expect(rig.slack.ephemerals('sam')).toEqual([]);
        expect((await rig.slack.as('sam').clicks(message, 'Go')).type).toBe('acknowledged');
        await rig.slack.until(() => rig.told('sam').includes('This button is no longer valid.'));
        expect(rig.logged).toContainEqual(
          expect.objectContaining({ msg: 'an unknown action was refused', actionId }),
        );
      },
    );
  });
});
