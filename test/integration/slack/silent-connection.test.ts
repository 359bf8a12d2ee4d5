import { setTimeout } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Rig, startRig } from '../../support/slack-rig.js';

const channel = 'ml-oncall';
const silentMs = 2_000;

describe('a connection of Socket Mode on which nothing arrives', () => {
  let rig: Rig;
  const counted: string[] = [];
  beforeEach(async () => {
    counted.length = 0;
    rig = await startRig({
      mode: 'socket',
      silentMs,
      meters: {
        slackConnected: (reason) => void counted.push(`connected: ${reason}`),
        slackDelivered: (type) => void counted.push(type),
      },
    });
  });
  afterEach(() => rig.close());

  it('is replaced although it answers pings, and the new one delivers', async () => {
    await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel });
    await rig.untilAsked('requestDiagnosis', 1);
    rig.slack.sockets.silence();
    const lost = await rig.slack.as('dana').runs('/rollout-doctor ml/lost', { channel });
    expect(lost).toMatchObject({ type: 'failed', reason: 'operation_timeout' });

    await rig.slack.until(
      () => counted.includes('connected: silence') && rig.slack.sockets.connections() === 1,
    );
    const outcome = await rig.slack.as('dana').runs('/rollout-doctor ml/training', { channel });
    expect(outcome.type).toBe('acknowledged');
    await rig.untilAsked('requestDiagnosis', 2);
    expect(counted.slice(0, 3)).toEqual(['connected: start', 'slash_commands', 'connected: silence']);
  });

  it('is replaced in a quiet workspace too, and no command is lost meanwhile', async () => {
    const outcomes: string[] = [];
    for (let i = 0; i < 20; i += 1) {
      await setTimeout(i < 10 ? 10 : silentMs / 2);
      if (i % 10 === 9) await setTimeout(2 * silentMs);
      outcomes.push((await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel })).type);
    }
    expect(new Set(outcomes)).toEqual(new Set(['acknowledged']));
    expect(counted.filter((each) => each === 'connected: silence').length).toBeGreaterThan(0);
  });

  it('acknowledges what arrives on it while it is replaced', async () => {
    const { slack } = rig;
    for (let i = 0; i < 3; i += 1) {
      await slack.until(() => slack.sockets.connections() === 2);
      const commands = Array.from({ length: 12 }, () =>
        slack.as('dana').runs('/rollout-doctor ml/inference', { channel }),
      );
      const outcomes = await Promise.all(commands);
      expect(new Set(outcomes.map(({ type }) => type))).toEqual(new Set(['acknowledged']));
      await slack.until(() => slack.sockets.connections() === 1);
    }
  });

  it('is not replaced while something arrives', async () => {
    for (let i = 0; i < 8; i += 1) {
      await rig.slack.as('dana').runs('/rollout-doctor ml/inference', { channel });
      await setTimeout(silentMs / 4);
    }
    expect(counted).not.toContain('connected: silence');
  });
});
