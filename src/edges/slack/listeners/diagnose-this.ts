import type { App, MessageShortcut } from '@slack/bolt';
import { boundingAlert } from '../../../doctor/alerts/alert.js';
import { withRules } from '../../../doctor/alerts/apply-rules.js';
import { inPieces } from '../../http/bounded-json.js';
import { AlertMessage, alertsOfMessage } from '../alerts-of-message.js';
import { callbackIds } from '../render/action-ids.js';
import { answersText, renderChoices, renderUnreadable } from '../render/answers.js';
import { renderNotice } from '../render/blocks.js';
import { type Asker, askerByResponse } from './asker.js';
import type { AlertListening, ListenerDeps } from './deps.js';
import { diagnose } from './diagnose.js';
import { guarded } from './guarded.js';

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
      for (const workload of located.workloads) await diagnose(deps, asker, workload, said);
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
