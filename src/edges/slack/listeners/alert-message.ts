import { setTimeout as delay } from 'node:timers/promises';
import type { App, MessageShortcut } from '@slack/bolt';
import * as z from 'zod';
import { boundingAlert } from '../../../doctor/alerts/alert.js';
import { withRules } from '../../../doctor/alerts/apply-rules.js';
import { DoctorError } from '../../../service/errors.js';
import { inPieces } from '../../http/bounded-json.js';
import { AlertMessage, alertsOfMessage } from '../alerts-of-message.js';
import { callbackIds } from '../render/action-ids.js';
import { answersText, renderChoices, renderUnreadable } from '../render/answers.js';
import { renderNotice } from '../render/blocks.js';
import { type Asker, askerByResponse } from './asker.js';
import { diagnose } from './carry-out.js';
import type { AlertListening, ListenerDeps } from './deps.js';
import { guarded } from './guarded.js';

const MessageEvent = z.object({
  channel: z.string(),
  subtype: z.string().optional(),
  hidden: z.boolean().optional(),
});

const Changed = z.object({ message: AlertMessage });

/** A message of a channel that is listened to: Slack hears that it arrived once its alerts are on record. */
export function isAlertMessage({ alerts }: ListenerDeps): (body: unknown) => boolean {
  return (body) => {
    const parsed = Envelope.safeParse(body);
    return (
      parsed.success && alerts?.channels.some(({ channel }) => channel === parsed.data.event.channel) === true
    );
  };
}

const Envelope = z.object({ event: z.object({ type: z.literal('message'), channel: z.string() }) });

/**
 * Slack sends again what it got no answer for, but seldom: while Redis is away for a moment, the message is
 * held here.
 */
const waitsMs = [500, 2_000, 8_000];

/**
 * Messages of other programs in the configured channels, new or edited (Alertmanager's `update_message`).
 * Nothing of our own, nothing of people and nothing in threads is read, so that no answer is ever taken for
 * an alert.
 */
export function registerAlertMessage(app: App, deps: ListenerDeps): void {
  const { alerts } = deps;
  if (alerts === undefined || alerts.channels.length === 0) return;
  app.event('message', async ({ event, body, context }) => {
    const parsed = MessageEvent.safeParse(event);
    if (!parsed.success) return;
    const { channel, subtype } = parsed.data;
    const listened = alerts.channels.find((each) => each.channel === channel);
    const message = listened === undefined ? undefined : messageOf(event, subtype);
    if (listened === undefined || message === undefined) return;
    const { bot_id: bot, app_id: appId } = message;
    // A message need not name the program that sent it, and an envelope need not name ours: neither is then
    // ours.
    const isOurs = bot === context.botId || (appId !== undefined && appId === body.api_app_id);
    if (!bot || isOurs) return;
    if (message.thread_ts !== undefined && message.thread_ts !== message.ts) return;
    const { bots } = listened;
    if (bots !== undefined && !bots.includes(bot) && !(appId && bots.includes(appId))) return;
    await record(deps, alerts, channel, message, sentAt(body.event_time));
  });
}

function messageOf(event: unknown, subtype: string | undefined): AlertMessage | undefined {
  if (subtype === 'message_changed') return Changed.safeParse(event).data?.message;
  if (subtype !== undefined && subtype !== 'bot_message') return undefined;
  return AlertMessage.safeParse(event).data;
}

async function record(
  { languageOfChannel }: ListenerDeps,
  { digest, receive, rules }: AlertListening,
  channel: string,
  message: AlertMessage,
  firstSentAt: Date | undefined,
): Promise<void> {
  for (const raw of alertsOfMessage(message, (text) => digest(text).slice(0, 32))) {
    const alert = await inPieces(boundingAlert(withRules(raw, rules)));
    const id = digest(JSON.stringify(['slack', channel, alert.fingerprint])).slice(0, 32);
    const place = { channel, threadTs: message.ts };
    await patiently(() => receive(id, { alert, place, language: languageOfChannel(channel) }, firstSentAt));
  }
}

async function patiently(attempt: () => Promise<unknown>): Promise<void> {
  for (const wait of waitsMs) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!(error instanceof DoctorError) || !error.retryable) throw error;
      await delay(wait);
    }
  }
  await attempt();
}

/** Slack's own time of the event, which is the same each time that it sends it; seconds. */
function sentAt(seconds: unknown): Date | undefined {
  return typeof seconds === 'number' && seconds > 0 ? new Date(seconds * 1_000) : undefined;
}

const keptText = 200;

/** "Diagnose this" in the menu of any message: what it is about is looked at in its thread. */
export function registerDiagnoseThis(app: App, deps: ListenerDeps): void {
  const { alerts } = deps;
  if (alerts === undefined) return;
  app.shortcut<MessageShortcut>(
    { type: 'message_action', callback_id: callbackIds.diagnoseThis },
    async ({ ack, shortcut, respond }) => {
      await ack();
      const message = AlertMessage.safeParse(shortcut.message).data;
      const threadTs = message?.thread_ts ?? shortcut.message_ts;
      const { user, channel } = shortcut;
      const asker = askerByResponse({ user: user.id, channel: channel.id, threadTs }, respond);
      await guarded(deps, asker, { listener: 'shortcuts/diagnose-this' }, async () => {
        if (await deps.seenBefore(`shortcut.${shortcut.trigger_id}`)) return;
        await answer(deps, alerts, asker, message);
      });
    },
  );
}

async function answer(
  deps: ListenerDeps,
  { digest, locate, rules }: AlertListening,
  asker: Asker,
  message: AlertMessage | undefined,
): Promise<void> {
  const language = await deps.people.languageOf(asker.user);
  const text = answersText[language];
  if (!(await deps.isInChannel(asker.channel))) return asker.answer(renderNotice(text['not-in-channel']()));
  const [first] = message === undefined ? [] : alertsOfMessage(message, digest);
  if (first === undefined) return asker.answer(renderNotice(text['nothing-named']({ name: '' })));
  const alert = await inPieces(boundingAlert(withRules(first, rules)));
  const located = await locate(alert, { user: asker.user, channel: asker.channel });
  switch (located.type) {
    case 'refused':
      return asker.answer(renderNotice(deps.tell(located.because, language)));
    case 'workloads': {
      const said = { via: 'shortcut', text: alert.text.slice(0, keptText) } as const;
      for (const workload of located.workloads) await diagnose(deps, asker, { query: workload }, said);
      if (located.more.length === 0) return;
      return asker.answer(renderChoices(located.called, located.more, language));
    }
    case 'choices':
      return asker.answer(renderChoices(located.called, located.workloads, language));
    case 'unreadable':
      return asker.answer(renderUnreadable(located, { name: '' }, language));
    case 'nothing':
      return asker.answer(renderNotice(text[located.because]({ name: located.called })));
  }
}
