import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../../demo/slack/workspace/model.js';
import { alertmanagerMessage } from '../../support/alert-payloads.js';
import { type AlertRig, channel, startAlertRig } from '../../support/alert-rig.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { isDeadlocked } from '../../support/shown-words.js';

let rig: AlertRig;
let alert: Message;
/** The number of alert messages that other programs posted in watched channels. */
let posted = 0;

beforeAll(async () => {
  rig = await startAlertRig({ startPart: inThisProcess });
});

afterAll(async () => {
  await rig.stop();
});

function posts(...message: Parameters<typeof alertmanagerMessage>): Message {
  posted += 1;
  return rig.slack.asBot('alertmanager').posts({ channel, ...alertmanagerMessage(...message) });
}

describe('an alert message of another bot', () => {
  it('is answered in its thread, and announced to the channel in one line', async () => {
    alert = posts('FIRING:1');
    const card = await rig.untilCardShows(/shop\/inference[\s\S]*proven/);

    expect(card.threadTs).toBe(alert.ts);
    expect(rig.cards()).toEqual([]);
    expect(rig.textOf(card)).toContain('KubeDeploymentRolloutStuck');
    const announced = () => rig.slack.messages(channel).filter(({ broadcast }) => broadcast);
    await rig.slack.until(() => announced().length > 0, { what: 'the announcement' });
    expect(announced().map((message) => [message.threadTs, rig.textOf(message)])).toEqual([
      [
        alert.ts,
        expect.stringMatching(new RegExp(`🔴 Critical: .*shop/inference.* ${isDeadlocked}: .* · Ready 1/1`)),
      ],
    ]);
  });

  it('with the status resolved is checked by the rule, and the card states that the cause is still present', async () => {
    posts('RESOLVED');
    const card = await rig.untilCardShows('resolved, but the cause is still present');

    expect(card.threadTs).toBe(alert.ts);
    expect(rig.textOf(card)).toContain(isDeadlocked);
  });

  it('about the same workload is answered with a link to the open card', async () => {
    const further = posts('FIRING:1', {
      alertname: 'KubeDeploymentReplicasMismatch',
      namespace: 'shop',
      deployment: 'inference',
    });
    const pointer = await rig.slack.until(
      () => rig.slack.thread(further).find(({ botId }) => botId === rig.slack.botId),
      { what: 'the pointer' },
    );

    expect(rig.textOf(pointer)).toContain('belongs to the open incident of shop/inference');
    expect(JSON.stringify(pointer.blocks)).toContain('/archives/');
    await rig.untilCardShows('1 of 2 still firing');
    expect(rig.allCards()).toHaveLength(1);
  });

  it('is ignored when it comes from a person, in a thread, or in another channel', async () => {
    const before = await rig.counted('rollout_doctor_alerts_total', 'source="slack",outcome="recorded"');
    rig.slack.as('dana').says('[FIRING:1] KubePodNotReady shop deployment: inference', { channel });
    rig.slack.asBot('grafana').posts({
      channel,
      threadTs: alert.ts,
      ...alertmanagerMessage('FIRING:1', {
        alertname: 'InThread',
        namespace: 'shop',
        deployment: 'inference',
      }),
    });
    rig.slack.asBot('grafana').posts({ channel: 'ml-oncall', ...alertmanagerMessage('FIRING:1') });
    // This last message is recorded last, so by then the others would have been recorded.
    posts('FIRING:1', { alertname: 'Watchdog' });
    await expect.poll(() => rig.counted('rollout_doctor_alerts_total', 'outcome="nothing-named"')).toBe(1);

    const after = await rig.counted('rollout_doctor_alerts_total', 'source="slack",outcome="recorded"');
    expect(after - before).toBe(1);
    expect(after).toBe(posted);
  });
});

describe('the shortcut "Diagnose this"', () => {
  it("diagnoses the workload of a person's message in its thread", async () => {
    const said = rig.slack
      .as('dana')
      .says('Does anybody know why deployment inference in namespace shop hangs?', {
        channel: 'ml-oncall',
      });
    const outcome = await rig.slack.as('sam').usesShortcut('diagnose_this', said);
    const card = await rig.slack.until(
      () => rig.slack.thread(said).find(({ botId }) => botId === rig.slack.botId),
      { what: 'the card' },
    );

    expect(outcome.type).toBe('acknowledged');
    expect(rig.textOf(card)).toContain('shop/inference');
  });

  it('joins the open incident of an alert that has a card', async () => {
    const before = rig.allCards().length;
    await rig.slack.as('sam').usesShortcut('diagnose_this', alert);
    await rig.slack.until(
      () => rig.slack.ephemerals('sam').some((message) => rig.textOf(message).includes('open incident')),
      { what: 'the answer' },
    );

    expect(rig.allCards()).toHaveLength(before);
  });

  it('answers privately when the message names no workload', async () => {
    const said = rig.slack.as('dana').says('good morning', { channel });
    await rig.slack.as('dana').usesShortcut('diagnose_this', said);
    await rig.slack.until(
      () => rig.slack.ephemerals('dana').some((message) => rig.textOf(message).includes('names no workload')),
      { what: 'the answer' },
    );
    expect(rig.slack.thread(said).filter(({ visibleTo }) => visibleTo === undefined)).toEqual([]);
  });
});
