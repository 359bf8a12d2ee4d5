import type { Language } from '../../../engine/language/language.js';
import { code, moment, person, quote, say } from '../../../engine/language/prose.js';
import type { ChangesSwitched } from '../../../service/approve/change-stop.js';
import { renderNotice } from './blocks.js';
import type { Message } from './message.js';

const en = {
  stopped: ({ by, at, reason }: { by: string; at: string; reason: string }) =>
    say`${person(by)} stopped all changes ${moment(at)}: ${quote(reason)}.`,
  'stopped-by-policy': ({ reason }: { reason: string }) =>
    say`The policy file stops all changes: ${quote(reason)}. To allow them, remove ${code('brakes.stopped')} from it.`,
  'was-stopped': () => say`All changes are already stopped.`,
  'now-stopped': () =>
    say`From now on, no change is sent to a cluster and approvals do not count. A change that was already sent continues.`,
  'now-allowed': () => say`Changes are allowed again.`,
  allowed: () => say`Changes are allowed.`,
  'how-to-stop': () => say`To stop all changes: ${code('/rollout-doctor changes stop REASON')}.`,
  'how-to-allow': () => say`To allow changes again: ${code('/rollout-doctor changes allow')}.`,
};

const ko: typeof en = {
  stopped: ({ by, at, reason }) =>
    say`${person(by)} 님이 ${moment(at)}에 모든 변경을 중지했습니다: ${quote(reason)}.`,
  'stopped-by-policy': ({ reason }) =>
    say`정책 파일에서 모든 변경을 중지했습니다: ${quote(reason)}. 허용하려면 파일에서 ${code('brakes.stopped')} 항목을 지우세요.`,
  'was-stopped': () => say`모든 변경이 이미 중지되어 있습니다.`,
  'now-stopped': () =>
    say`지금부터 클러스터로 변경을 보내지 않으며 승인도 반영하지 않습니다. 이미 보낸 변경은 계속 진행됩니다.`,
  'now-allowed': () => say`변경을 다시 허용했습니다.`,
  allowed: () => say`변경이 허용되어 있습니다.`,
  'how-to-stop': () => say`모든 변경을 중지하려면: ${code('/rollout-doctor changes stop 이유')}.`,
  'how-to-allow': () => say`다시 허용하려면: ${code('/rollout-doctor changes allow')}.`,
};

const switchText = { en, ko };

/** The state of the stop switch, or what a person has just done with it. */
export function renderChangesSwitch(
  outcome: Exclude<ChangesSwitched, { readonly type: 'refused' }>,
  language: Language,
): Message {
  const text = switchText[language];
  switch (outcome.type) {
    case 'stopped':
      return renderNotice(
        ...(outcome.isNew ? [] : [text['was-stopped']()]),
        text.stopped(outcome.stop),
        text['now-stopped'](),
        text['how-to-allow'](),
      );
    case 'allowed':
      return renderNotice(outcome.former === undefined ? text.allowed() : text['now-allowed']());
    case 'state': {
      const { stop, inPolicy } = outcome;
      if (stop === undefined && inPolicy === undefined) {
        return renderNotice(text.allowed(), text['how-to-stop']());
      }
      return renderNotice(
        ...(inPolicy === undefined ? [] : [text['stopped-by-policy']({ reason: inPolicy })]),
        ...(stop === undefined ? [] : [text.stopped(stop), text['how-to-allow']()]),
      );
    }
  }
}
