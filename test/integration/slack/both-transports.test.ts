import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actionIds } from '#src/edges/slack/render/action-ids.js';
import { buildIncident } from '../../support/slack-builders.js';
import { type Rig, startRig } from '../../support/slack-rig.js';

const channel = 'ml-oncall';

describe.each(['http', 'socket'] as const)('the app over %s', (mode) => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig({ mode });
  });
  afterEach(() => rig.close());

  it('acknowledges a command at once, while everything behind it hangs', async () => {
    rig.let({ seenBefore: () => new Promise(() => {}), requestDiagnosis: () => new Promise(() => {}) });
    const outcome = await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel });

    expect(outcome.type).toBe('acknowledged');
    await rig.slack.until(() => rig.told('dana').includes('`ml/inference` takes longer than usual'));
  });

  it('opens a review for a click, and stores the decision of its form', async () => {
    const modal = await rig.openReview();
    await rig.slack.as('dana').submits(modal, { reason: 'stuck' });
    await rig.untilAsked('decideApproval', 1);
  });

  it('refuses a forged button', async () => {
    const card = await rig.postCard();
    await rig.slack.as('sam').clicks(card, { actionId: actionIds.review, value: '../x.y' });
    await rig.slack.until(() => rig.told('sam').includes('This button is no longer valid.'));
    expect(rig.asked).toEqual([]);
  });

  describe('a mention', () => {
    it('is answered in its own thread', async () => {
      const message = rig.slack.as('dana').mentions('ml/inference', { channel });
      await rig.untilAsked('requestDiagnosis', 1);
      expect(rig.asks('requestDiagnosis')[0]).toMatchObject({
        query: { namespace: 'ml', name: 'inference' },
        origin: { via: 'mention', by: 'U0DANA' },
        threadTs: message.ts,
      });
    });

    it('is handled once, however often Slack delivers it', async () => {
      rig.slack.as('dana').mentions('ml/inference', { channel });
      await rig.untilAsked('requestDiagnosis', 1);
      await rig.slack.repeatsLastEvent();
      rig.slack.as('dana').mentions('ml/training', { channel });
      await rig.untilAsked('requestDiagnosis', 2);
      expect(rig.asks('requestDiagnosis')[1]).toMatchObject({ query: { name: 'training' } });
    });

    it('without text in the thread of an incident diagnoses again', async () => {
      const card = await rig.postCard();
      rig.let({ incidentInThread: async (_, ts) => (ts === card.ts ? buildIncident().id : undefined) });
      rig.slack.as('dana').mentions('', { channel, threadTs: card.ts });
      await rig.untilAsked('diagnoseAgain', 1);
      expect(rig.asks('diagnoseAgain')).toEqual([{ incidentId: buildIncident().id, by: 'U0DANA' }]);
    });

    it('without text elsewhere shows help to the person only', async () => {
      rig.slack.as('dana').mentions('', { channel });
      await rig.slack.until(() => rig.told('dana').includes('Diagnose one workload'));
      expect(rig.slack.messages(channel, { replies: true }).filter(({ botId }) => botId)).toEqual([]);
    });

    it('of another program is not answered', async () => {
      rig.slack.asBot('grafana').posts({ channel, text: `<@${rig.slack.botUserId}> ml/inference` });
      rig.slack.as('dana').mentions('ml/training', { channel });
      await rig.untilAsked('requestDiagnosis', 1);
      expect(rig.asks('requestDiagnosis')[0]).toMatchObject({ query: { name: 'training' } });
    });
  });
});
