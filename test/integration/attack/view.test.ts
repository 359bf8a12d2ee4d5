import { WebClient } from '@slack/web-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoAlerts } from '../../../demo/alerts/alert-buttons.js';
import { defaultPeople } from '../../../demo/slack/workspace/defaults.js';
import type { Message, View } from '../../../demo/slack/workspace/model.js';
import { alertmanagerBody, alertmanagerMessage } from '../../support/alert-payloads.js';
import { type AlertRig, startAlertRig } from '../../support/alert-rig.js';
import { inThisProcess } from '../../support/in-this-process.js';
import { aloud } from '../../support/read-aloud.js';
import { isDeadlocked } from '../../support/shown-words.js';
import { statedCount } from '../../support/stated-count.js';
import { canary, loadCanary } from './canary.js';

const askers = ['guest', 'single', 'stranger', 'sam', 'dana'] as const;
const places = ['ml-oncall', 'unlisted', 'partner', 'sister', 'invited'] as const;
/** Only robin, in a channel of which robin is the only member, may see the canary. */
const vault = 'vault';

const policy = `
grants:
  - { users: [U0ROBIN, U0DANA], namespaces: ["*"], actions: "*" }
view:
  - { users: [U0ROBIN], namespaces: ["*"], logs: true }
  - { users: [U0DANA], namespaces: [shop] }
channels:
  - { channels: [C0VAULT], namespaces: ["*"], logs: true }
  - { channels: [C0MLONCALL, C0INCIDENTS, C0PARTNER], namespaces: [shop] }
`;

let rig: AlertRig;
/** Ids that an attacker may have learned. */
let known: { incident: string; value: string };
let proof: View;
/** The number of calls for robin, because calls that open a modal name no person. */
let callsOfRobin = 0;

beforeAll(async () => {
  rig = await startAlertRig({
    startPart: inThisProcess,
    mode: 'http',
    policy,
    alerts: demoAlerts,
    slack: {
      people: [
        ...defaultPeople,
        { name: 'guest', isGuest: true },
        { name: 'single', isSingleChannelGuest: true, locale: 'ko-KR' },
        { name: 'stranger', isStranger: true },
      ],
      channels: [
        { name: 'ml-oncall' },
        { name: 'incidents' },
        { name: 'unlisted' },
        { name: 'partner', shared: 'external' },
        { name: 'sister', shared: 'organization' },
        { name: 'invited', shared: 'pending' },
        { name: vault, members: ['robin'] },
      ],
    },
  });
  await loadCanary(rig.cluster);
  await rig.slack
    .as('robin')
    .runs(`/rollout-doctor ${canary.namespace}/${canary.workload}`, { channel: vault });
  const card = await rig.slack.until(() => ours(vault).find((each) => textOf(each).includes('crash')), {
    what: 'the card in the vault',
  });
  await rig.slack.as('robin').clicks(rig.slack.message(card) ?? card, 'Show proof');
  proof = await rig.slack.until(
    () => {
      const view = rig.slack.as('robin').modal();
      return view !== undefined && JSON.stringify(view.blocks).includes(canary.log) ? view : undefined;
    },
    { what: 'the proof that robin opened' },
  );
  await rig.slack.as('robin').closes(proof);
  await rig.slack.until(() => JSON.stringify(ours(vault)).includes('slack_file'), {
    what: 'the picture in the thread of the vault',
  });
  callsOfRobin = rig.slack.calls().length;
  await asks('robin', vault, `silence ${canary.namespace}/${canary.workload} 2h keep quiet`);
  const value = /"value":"([a-z0-9]{20})"/.exec(JSON.stringify(card.blocks))?.[1] ?? '';
  known = { incident: value, value: `${value}.undo-rollout` };
});

afterAll(async () => {
  await rig.stop();
});

function textOf({ text, blocks }: Pick<Message, 'text' | 'blocks'>): string {
  return `${text}\n${aloud(blocks)}`;
}

function ours(channel: string): readonly Message[] {
  return rig.slack.messages(channel, { replies: true }).filter(({ botId }) => botId === rig.slack.botId);
}

/** What precedes an answer that is late. */
const working =
  /takes longer than usual|평소보다 오래 걸립니다|appears here when it is complete|끝나면 결과가 여기에/u;

/** Runs a request, waits for its answer and returns the text. */
async function asks(person: string, channel: string, request: string): Promise<string> {
  const before = rig.slack.ephemerals(person).length;
  await rig.slack.as(person).runs(`/rollout-doctor ${request}`, { channel });
  return answerTo(person, before, `${request} of ${person} in ${channel}`);
}

function answerTo(person: string, before: number, what: string): Promise<string> {
  return rig.slack.until(
    () =>
      rig.slack
        .ephemerals(person)
        .slice(before)
        .map(textOf)
        .find((text) => !working.test(text)),
    { what: `an answer to ${what}` },
  );
}

/** All calls and messages that contain a canary, except those for robin and the vault. */
function leaked(): readonly string[] {
  const calls = rig.slack
    .calls()
    .slice(callsOfRobin)
    .filter(({ args }) => args.channel !== 'C0VAULT' && args.user !== 'U0ROBIN' && args.user_id !== 'U0ROBIN')
    .map(({ method, args }) => `${method} ${JSON.stringify(args)}`)
    .filter((call) => !call.includes('forged by the test'));
  const people = [...askers, 'min-jun'];
  const private_ = people.flatMap((person) => [
    ...rig.slack.ephemerals(person).map((each) => `private ${person} ${JSON.stringify(each)}`),
    ...rig.slack.modals(person).map((each) => `modal ${person} ${JSON.stringify(each)}`),
    `home ${person} ${JSON.stringify(rig.slack.home(person) ?? {})}`,
  ]);
  const posted = [...places, 'incidents'].flatMap((channel) =>
    ours(channel).map((each) => `posted ${channel} ${JSON.stringify(each)}`),
  );
  return [...calls, ...private_, ...posted.filter((each) => !each.includes('forged by the test'))].filter(
    (each) => Object.values(canary).some((secret) => each.includes(secret)),
  );
}

/** Misspelt names, and every list. */
const requests = [
  'qvualt-work',
  'qvault-spcae/qvault-wrk',
  'shop/qvault-wrk',
  'scan',
  'scan -A',
  'incidents',
  'history qvault',
  'audit',
  'silence',
  'help',
] as const;

describe('the hidden workload', () => {
  it('is shown to robin in the vault with its log lines, so that the tests below can fail', async () => {
    const shown = [...ours(vault).map(textOf), aloud(proof.blocks)].join('\n');
    for (const secret of Object.values(canary)) expect(shown).toContain(secret);
    expect(await asks('robin', vault, 'qvault-wrk')).toContain('Did you mean');
  });

  it.each(askers.flatMap((asker) => places.map((place) => [asker, place] as const)))(
    'does not reach Slack in answers to %s in %s',
    async (asker, place) => {
      for (const request of requests) await asks(asker, place, request);
      expect(leaked()).toEqual([]);
    },
  );

  it.each(askers)('does not reach the Home page of %s', async (asker) => {
    rig.slack.as(asker).opensHome();
    await rig.slack.until(() => rig.slack.home(asker), { what: 'a Home page' });
    expect(leaked()).toEqual([]);
  });

  it.each(
    askers.flatMap((asker) => (['ml-oncall', 'partner'] as const).map((place) => [asker, place] as const)),
  )('does not reach Slack in answers to mentions of %s in %s', async (asker, place) => {
    const before = rig.slack.ephemerals(asker).length;
    rig.slack.as(asker).mentions('@rollout-doctor qvualt-work', { channel: place });
    await answerTo(asker, before, 'a mention');
    expect(leaked()).toEqual([]);
  });

  it.each(
    askers.flatMap((asker) =>
      [
        'incident.look-again',
        'incident.proof',
        'remediation.review',
        'remediation.undo',
        'approval.reject',
      ].map((action) => [asker, action] as const),
    ),
  )('does not reach Slack when %s forges %s', async (asker, actionId) => {
    const value = actionId === 'remediation.review' ? known.value : known.incident;
    for (const view of rig.slack.modals(asker)) await rig.slack.as(asker).closes(view, { all: true });
    const before = rig.slack.ephemerals(asker).length;
    await press(asker, actionId, value);
    await rig.slack.until(
      () =>
        rig.slack.ephemerals(asker).length > before ||
        rig.slack
          .modals(asker)
          .some((view) => /or you may not see it|볼 권한이 없습니다/.test(JSON.stringify(view))),
      { what: 'a refusal' },
    );
    expect(leaked()).toEqual([]);
  });

  it('does not reach Slack by alerts from a webhook or from a message in a channel', async () => {
    const labels = { alertname: 'Stuck', namespace: canary.namespace, deployment: canary.workload };
    await rig.post(alertmanagerBody({ labels, fingerprint: 'f1' }));
    rig.slack
      .asBot('alertmanager')
      .posts({ channel: 'incidents', ...alertmanagerMessage('FIRING:1', labels) });
    // The alert of a visible workload is handled after these.
    await rig.cluster.loadRecording(`${import.meta.dirname}/../../scenarios/gpu-one-node`);
    await rig.post(alertmanagerBody({ fingerprint: 'f2' }));
    await rig.untilCardShows('shop/inference');
    await rig.slack.until(() => rig.allCards().some((card) => rig.textOf(card).includes(isDeadlocked)));
    expect(leaked()).toEqual([]);
  });

  it('does not reach Slack by "Diagnose this" on a message that names it', async () => {
    const labels = { alertname: 'Other', namespace: 'nowhere', deployment: canary.workload.slice(0, -1) };
    const message = rig.slack.asBot('grafana').posts({
      channel: 'ml-oncall',
      ...alertmanagerMessage('FIRING:1', labels),
    });
    for (const asker of askers) {
      const before = rig.slack.ephemerals(asker).length;
      await rig.slack.as(asker).usesShortcut('diagnose_this', message);
      await answerTo(asker, before, 'a shortcut');
    }
    expect(leaked()).toEqual([]);
  });
});

/** Answers about the canary and about an unknown name of the same length, with equal names. */
async function twins(ask: (namespace: string, workload: string) => Promise<string>) {
  const there = await ask(canary.namespace, canary.workload);
  const nowhere = await ask('zvault-space', 'zvault-work');
  const equal = (text: string) =>
    text
      .replaceAll(/[qz]vault-space/gu, 'namespace')
      .replaceAll(/[qz]vault-work/gu, 'workload')
      // The two answers may have different times.
      .replaceAll(/<!date\^[^>]*>|<\d{4}-\d\d-\d\d [^>]*>/gu, 'time');
  return [equal(there), equal(nowhere)] as const;
}

describe('a workload that exists but may not be seen', () => {
  const forms: readonly ((namespace: string, workload: string) => string)[] = [
    (namespace, workload) => `${namespace}/${workload}`,
    (namespace, workload) => `deploy/${workload} -n ${namespace}`,
    (_, workload) => workload,
    (namespace) => `${namespace}/nothing`,
    (namespace, workload) => `history ${namespace}/${workload}`,
    (namespace, workload) => `audit ${namespace}/${workload}`,
    (namespace, workload) => `silence ${namespace}/${workload} 1h`,
    (namespace, workload) => `silence ${namespace}/${workload} off`,
  ];

  it.each(askers.flatMap((asker) => forms.map((form) => [asker, form('NS', 'NAME'), form] as const)))(
    'has the same answer as an unknown one: %s asks for %s',
    async (asker, _, form) => {
      const [there, nowhere] = await twins((...names) => asks(asker, 'ml-oncall', form(...names)));
      expect(there).toBe(nowhere);
    },
  );

  it('has the same answer as an unknown one in a scan of its namespace', async () => {
    const [there, nowhere] = await twins(async (namespace) => {
      const before = rig.slack.ephemerals('dana').length;
      await rig.slack.as('dana').runs(`/rollout-doctor scan ${namespace}`, { channel: 'ml-oncall' });
      // The note that it began goes when the answer is there, sooner or later.
      const answer = () =>
        rig.slack
          .ephemerals('dana')
          .slice(before)
          .map(textOf)
          .find((text) => !working.test(text));
      return rig.slack.until(answer, { what: 'a scan' });
    });
    expect(there).toBe(nowhere);
  });

  it('causes the same requests to the cluster as an unknown one', async () => {
    const requested = async (name: string) => {
      const before = rig.cluster.requests.length;
      await asks('dana', 'ml-oncall', name);
      return rig.cluster.requests
        .slice(before)
        .filter(({ verb }) => verb === 'list')
        .map(({ resource, query }) => `${resource} ${query.replaceAll(/[qz]vault/gu, '')}`)
        .sort();
    };
    expect(await requested(canary.workload)).toEqual(await requested('zvault-work'));
    expect(await requested(`${canary.namespace}/${canary.workload}`)).toEqual(
      await requested('zvault-space/zvault-work'),
    );
  });
});

async function press(person: string, actionId: string, value: string): Promise<void> {
  const client = new WebClient(rig.slack.botToken, { slackApiUrl: rig.slack.apiUrl });
  const text = `forged by the test: ${person} ${actionId}`;
  const go = { type: 'plain_text' as const, text: 'Go' };
  await client.chat.postMessage({
    channel: 'C0MLONCALL',
    text,
    blocks: [{ type: 'actions', elements: [{ type: 'button', action_id: actionId, value, text: go }] }],
  });
  const message = rig.slack.messages('ml-oncall').find((each) => each.text === text);
  if (message === undefined) throw new Error('no message');
  await rig.slack.as(person).clicks(message, { actionId });
}

it('makes as many requests as docs/security.md states', () => {
  expect(askers.length * places.length * requests.length).toBe(statedCount('requests of people'));
});
