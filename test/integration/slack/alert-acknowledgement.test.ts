import { afterEach, describe, expect, it } from 'vitest';
import type { ReceiveAlert } from '#src/service/alerts/receive-alert.js';
import { alertmanagerMessage } from '../../support/alert-payloads.js';
import { type Mode, type Rig, startRig } from '../../support/slack-rig.js';

let rig: Rig;

afterEach(() => rig.close());

/** Starts the app with a scripted record. Returns the attempts of Slack to deliver alert messages. */
async function started(mode: Mode, receive: ReceiveAlert) {
  rig = await startRig({
    mode,
    eventRetryDelaysMs: [0, 0, 0],
    alerts: {
      channels: [{ channel: 'C0INCIDENTS' }],
      rules: [],
      receive,
      locate: async () => ({ type: 'nothing', because: 'nothing-named', called: '' }),
      digest: (text) => text.replace(/\W/g, '').slice(0, 20),
    },
  });
  const attempts = () =>
    rig.slack.eventAttempts.filter(({ type }) => type === 'message').map(({ outcome }) => outcome);
  const posts = () =>
    rig.slack.asBot('alertmanager').posts({ channel: 'incidents', ...alertmanagerMessage('FIRING:1') });
  return { attempts, posts, until: (count: number) => rig.slack.until(() => attempts().length >= count) };
}

describe.each<{ mode: Mode }>([{ mode: 'http' }, { mode: 'socket' }])(
  'an alert message over $mode',
  ({ mode }) => {
    it('is acknowledged after its alert is recorded, and not before', async () => {
      const seen: (readonly string[])[] = [];
      const { attempts, posts, until } = await started(mode, async () => {
        seen.push(attempts());
        return 'recorded';
      });
      posts();
      await until(1);

      expect(seen).toEqual([[]]);
      expect(attempts()).toEqual(['acknowledged']);
    });

    it('that could not be recorded is not acknowledged, and Slack sends it again', async () => {
      const told: (Date | undefined)[] = [];
      const { attempts, posts, until } = await started(mode, async (_id, _notification, firstSentAt) => {
        told.push(firstSentAt);
        if (told.length === 1) throw new Error('the record broke');
        return 'recorded';
      });
      posts();
      await until(2);

      expect(attempts()).toEqual(['failed', 'acknowledged']);
      expect(told[0]).toBeInstanceOf(Date);
      expect(told[1]).toEqual(told[0]);
    });

    it('that is recorded after the limit of Slack is sent again, while the first attempt continues', async () => {
      let record = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        record = resolve;
      });
      let calls = 0;
      const { attempts, posts, until } = await started(mode, async () => {
        calls += 1;
        if (calls === 1) await held;
        return calls === 1 ? 'recorded' : 'repeated';
      });
      posts();
      await until(2);
      record();

      expect(attempts()).toEqual(['failed', 'acknowledged']);
      expect(calls).toBe(2);
    });

    it('of a channel without a route is acknowledged', async () => {
      const { attempts, until } = await started(mode, async () => 'recorded');
      rig.slack.asBot('alertmanager').posts({ channel: 'ml-oncall', ...alertmanagerMessage('FIRING:1') });
      await until(1);

      expect(attempts()).toEqual(['acknowledged']);
    });
  },
);

/** Envelopes need not name an app, and neither need the messages of programs that post through a webhook. */
describe('an alert message as Slack sends it', () => {
  it.each([
    ['of a program without an app', { bot_id: 'B0OTHER' }, 'A0OURS', 'recorded'],
    ['of another app', { bot_id: 'B0OTHER', app_id: 'A0OTHER' }, 'A0OURS', 'recorded'],
    ['of our app', { bot_id: 'B0OTHER', app_id: 'A0OURS' }, 'A0OURS', 'ignored'],
    ['of a program without an app, to no named app', { bot_id: 'B0OTHER' }, undefined, 'recorded'],
    ['of another app, to no named app', { bot_id: 'B0OTHER', app_id: 'A0OTHER' }, undefined, 'recorded'],
    ['of our bot, to no named app', {}, undefined, 'ignored'],
    ['of a person, to no named app', { bot_id: undefined }, undefined, 'ignored'],
  ])('%s is seen as it should be', async (_, sender, app, expected) => {
    let calls = 0;
    await started('http', async () => {
      calls += 1;
      return 'recorded';
    });
    const { botId, teamId, botUserId } = rig.slack;
    const event = {
      ...{ type: 'message', subtype: 'bot_message', channel: 'C0INCIDENTS', ts: '1763600000.000001' },
      ...{ bot_id: botId, ...alertmanagerMessage('FIRING:1'), ...sender },
    };
    const payload = {
      ...{ type: 'event_callback', team_id: teamId, event_id: 'Ev1', event_time: 1, token: 'unused', event },
      ...(app === undefined ? {} : { api_app_id: app }),
      authorizations: [
        {
          enterprise_id: null,
          team_id: teamId,
          user_id: botUserId,
          is_bot: true,
          is_enterprise_install: false,
        },
      ],
    };

    expect((await rig.slack.dispatch({ kind: 'event', payload } as never)).type).toBe('acknowledged');
    expect(calls).toBe(expected === 'recorded' ? 1 : 0);
  });
});
