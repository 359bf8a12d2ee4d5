import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { defaultPeople } from '../../../demo/slack/workspace/defaults.js';
import type { Message } from '../../../demo/slack/workspace/model.js';
import { alertmanagerBody } from '../../support/alert-payloads.js';
import { type AlertRig, startAlertRig } from '../../support/alert-rig.js';
import { eventually } from '../../support/eventually.js';
import { idle } from '../../support/idle-objects.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { aloud } from '../../support/read-aloud.js';
import { isDeadlocked, reviewOf, stopFirst } from '../../support/shown-words.js';

let rig: AlertRig;
const channel = 'ml-oncall';

beforeAll(async () => {
  const guest = { name: 'gil', isGuest: true, locale: 'en-US', timeZone: 'UTC' };
  rig = await startAlertRig({
    mode: 'http',
    startPart: inThisProcess,
    policy:
      'grants: [{ groups: [ml-oncall], namespaces: [shop], actions: "*" }]\ndemands: [{ approvers: 1 }]\n',
    env: { SILENCE_MAX_HOURS: '48', SLACK_TABLES: 'off', HEALTHY_RESULTS: 'private' },
    slack: { people: [...defaultPeople, guest] },
  });
  rig.cluster.create([idle('calm'), idle('quiet')]);
});

afterAll(async () => {
  await rig.stop();
});

/** Returns the next private answer to the person as text. */
async function asks(person: string, request: string, words: string | RegExp): Promise<string> {
  const before = rig.slack.ephemerals(person).length;
  await rig.slack.as(person).runs(`/rollout-doctor ${request}`, { channel });
  return answerTo(person, before, words);
}

async function answerTo(person: string, before: number, words: string | RegExp): Promise<string> {
  return aloud((await privateTo(person, words, before)).blocks);
}

function privateTo(person: string, words: string | RegExp, before = 0): Promise<Message> {
  const found = (text: string) => (typeof words === 'string' ? text.includes(words) : words.test(text));
  return rig.slack.until(
    () =>
      rig.slack
        .ephemerals(person)
        .slice(before)
        .find(({ blocks }) => found(aloud(blocks))),
    { what: `an answer to ${person} with "${words}"` },
  );
}

function cardWith(words: string): Promise<Message> {
  return rig.slack.until(
    () => rig.slack.messages(channel).find(({ blocks }) => aloud(blocks).includes(words)),
    { what: `a card with "${words}"` },
  );
}

describe('the records that people can list', () => {
  it('state that they are empty before the first request', async () => {
    await asks('sam', 'incidents', 'No workload has been diagnosed yet');
    await asks('sam', 'audit', 'The audit log has no entries yet.');
    await asks('sam', 'history shop/inference', 'No history for `shop/inference`.');
    await asks('sam', 'silence', 'No workload is silenced.');
  });

  it('contain an incident from the request, by a button of a scan, to the verdict', async () => {
    await asks(
      'sam',
      'scan shop',
      new RegExp(
        `🔴 1 critical[\\s\\S]*Ready 1/1 \\(old version\\)[\\s\\S]*\`shop/inference\` ${isDeadlocked}: `,
      ),
    );
    const scan = await privateTo('sam', '🔴 1 critical');
    await rig.slack.as('sam').clicks(scan, 'shop/inference');
    const card = await cardWith(isDeadlocked);
    let open = '';
    await eventually(
      'the list has a button to the card, whose place is recorded after it is posted',
      async () => {
        open = await asks('dana', 'incidents', '*1 open incident*');
        return open.includes('[View incident');
      },
    );
    expect(open).toContain(
      `\`shop/inference\` ${isDeadlocked}: its new pod needs \`nvidia.com/gpu\`, in use by its own old pod · proven cause`,
    );
    expect(open).toContain('asked by <@U0SAM> <!date^');
    expect(JSON.stringify(rig.slack.ephemerals('dana').at(-1)?.blocks)).toContain(
      `/archives/${card.channel}/p${card.ts.replace('.', '')}`,
    );

    const dana = rig.slack.as('dana');
    await dana.clicks(card, reviewOf('shop/inference'));
    const review = await rig.slack.until(() => {
      const modal = dana.modal();
      return modal?.submit === undefined ? undefined : modal;
    });
    await dana.submits(review, { reason: 'the GPU is <free>' });
    await cardWith('recovered');

    const audit = await asks('sam', 'audit', /recovered/);
    expect(audit).toMatch(
      new RegExp(
        `\`shop/inference\` · cluster \`[^\`]+\` · ${stopFirst} · approved by @U0DANA · \`the GPU is <free>\` · applied <[^>]+ UTC> · recovered`,
      ),
    );
    const history = await asks('sam', 'history inference', '1 incident');
    expect(history).toContain('`shop/inference` recovered');
    expect(history).toContain('approved by <@U0DANA>');
    const lately = await asks('sam', 'incidents', '*No open incidents*');
    expect(lately).toContain('*Recent*');
  });

  it('are found by a part of the name, and are shown in Korean', async () => {
    await asks('min-jun', 'history infer', '다음 중 하나인가요?');
    const choices = rig.slack.ephemerals('min-jun').at(-1);
    if (choices === undefined) throw new Error('no choices');
    const before = rig.slack.ephemerals('min-jun').length;
    await rig.slack.as('min-jun').clicks(choices, choiceIn(aloud(choices.blocks)));
    await rig.slack.until(
      () => {
        const seen = rig.slack.message(choices);
        return seen !== undefined && aloud(seen.blocks).includes('인시던트 1개');
      },
      { what: 'the history in place of the choices' },
    );
    expect(rig.slack.ephemerals('min-jun')).toHaveLength(before);
    expect(await asks('min-jun', '감사 shop/inference', '복구됨')).toContain('@U0DANA 승인');
  });

  it('are not shown to guests', async () => {
    for (const request of [
      'incidents',
      'history shop/inference',
      'audit',
      'silence',
      'silence shop/inference 1h',
      'scan shop',
    ]) {
      await asks('gil', request, 'The policy does not allow you to see any workload');
    }
    expect(await asks('sam', 'silence', 'No workload is silenced.')).not.toContain('shop/inference');
  });

  it('are not shown for invalid requests, with the reason', async () => {
    await asks('sam', 'history', 'The workload is missing.');
    await asks('sam', 'scan', 'The namespace is missing.');
    await asks('sam', 'scan shpo', 'Namespace `shpo` does not exist.');
    await asks('sam', 'scan shop --cluster nowhere', 'Unknown cluster `nowhere`.');
    await asks('sam', 'incidents of today', 'Unexpected: `of today`.');
    await asks('sam', 'silence shop/inference 20', '`20` is not a valid duration.');
    await asks('sam', 'silence shop/inference 3d', 'A silence can last at most 2 d. Nothing was silenced.');
    await asks('sam', 'silence shop/nothing 1h', 'No workload is named');
    await asks('sam', 'silence shop/inference off', '`shop/inference` is not silenced.');
  });
});

describe('a scan', () => {
  it('reports objects that it could not read', async () => {
    const match = { verbs: ['list'], resources: ['nodes'] };
    rig.cluster.faults.add({ match, effect: { type: 'status', code: 403, reason: 'Forbidden' } });
    const answer = await asks('sam', 'scan shop', 'Could not be read: `Node`');
    rig.cluster.faults.clear();

    expect(answer).toContain('the service account lacks permission');
    expect(answer).not.toContain(isDeadlocked);
  });
});

describe('a result without a problem', () => {
  const resultsFor = (person: string) =>
    rig.slack.ephemerals(person).filter(({ blocks }) => aloud(blocks).includes('shop/calm'));
  const channelSays = (words: string) =>
    rig.slack.messages(channel).some(({ blocks }) => aloud(blocks).includes(words));

  it('is shown to the person who asked, and to the channel once that person shares it', async () => {
    await rig.slack.as('dana').runs('/rollout-doctor deploy/calm -n shop', { channel });
    const result = await privateTo('dana', 'shop/calm is scaled to 0');

    expect(channelSays('shop/calm')).toBe(false);
    await rig.slack.as('dana').clicks(result, 'Share: shop/calm');
    await cardWith('shop/calm is scaled to 0');
    expect(resultsFor('dana').map(({ ts }) => ts)).not.toContain(result.ts);
  });

  it('is stated in the language of the person, and goes to each person who asks', async () => {
    for (const person of ['min-jun', 'sam'])
      await rig.slack.as(person).runs('/rollout-doctor deploy/quiet -n shop', { channel });

    await privateTo('min-jun', 'shop/quiet 복제본이 0으로 설정되어');
    await privateTo('sam', 'shop/quiet is scaled to 0');
    expect(channelSays('shop/quiet')).toBe(false);
  });
});

describe('a silenced workload', () => {
  const alert = (fingerprint: string) =>
    rig.post(alertmanagerBody({ fingerprint, startsAt: new Date().toISOString() }));

  it('gets no automatic messages until the silence ends, and commands about it still work', async () => {
    await asks(
      'dana',
      'silence deploy inference -n shop for 2h node swap',
      'are muted in all channels until',
    );
    const listed = await asks('sam', 'silence', '*1 silenced workload*');
    expect(listed).toMatch(/`shop\/inference` in cluster `[^`]+` until <[^>]+>, by @U0DANA · `node swap`/);

    await alert('1111222233334444');
    await rig.slack.until(async () => (await rig.counted('rollout_doctor_alerts_total', 'silenced')) > 0, {
      what: 'the alert being passed over',
    });
    expect(rig.cards()).toEqual([]);

    const before = rig.slack.ephemerals('sam').length;
    await rig.slack.as('sam').runs('/rollout-doctor shop/inference', { channel });
    await answerTo('sam', before, 'Commands still work, but no automatic messages are posted.');

    await asks('sam', 'silence shop/inference off', 'The policy does not allow you to silence or unsilence');
    await asks('sam', 'silence shop/inference 1h', 'The policy does not allow you to silence or unsilence');
    expect(await asks('dana', 'silence', '*1 silenced workload*')).toContain('by @U0DANA');

    await asks('dana', 'silence shop/inference off', 'are on again.');
    await alert('5555666677778888');
    await rig.untilCardShows('KubeDeploymentRolloutStuck');
    const audit = await asks('sam', 'audit shop/inference', 'silence ended by @U0DANA');
    expect(audit).toMatch(/silenced by @U0DANA until <[^>]+> · `node swap`/);
  });
});

function choiceIn(words: string): string {
  return /\[(Deployment shop\/inference[^\]]*)\]/.exec(words)?.[1] ?? '';
}
