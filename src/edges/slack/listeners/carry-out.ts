import type { Command } from '../../../doctor/commands/command.js';
import type { Incident, Origin } from '../../../doctor/incidents/incident.js';
import { renderUsage } from '../render/answers.js';
import { answersText } from '../render/answers-text.js';
import { renderNotice } from '../render/notice.js';
import { askChange } from './ask-change.js';
import type { Asker } from './asker.js';
import type { ListenerDeps } from './deps.js';
import { diagnose } from './diagnose.js';
import { answerHelp } from './help.js';
import { answerOther } from './other-requests.js';

/**
 * Does what was asked for where the asker is, as a typed command or a button that stands for one.
 *
 * @returns the incident whose card or result is the answer; nothing when the asker was answered
 */
export async function carryOut(
  deps: ListenerDeps,
  asker: Asker,
  command: Command,
  origin: Pick<Origin, 'via' | 'text'>,
): Promise<Incident | undefined> {
  switch (command.type) {
    case 'diagnose':
    case 'change':
      if (await deps.isInChannel(asker.channel)) {
        return command.type === 'diagnose'
          ? diagnose(deps, asker, command.query, origin, command.meant)
          : askChange(deps, asker, command, origin);
      }
      await asker.answer(
        renderNotice(answersText[await deps.people.languageOf(asker.user)]['not-in-channel']({})),
      );
      return undefined;
    case 'bare':
    case 'help':
      await answerHelp(deps, asker);
      return undefined;
    case 'usage':
      await asker.answer(renderUsage(command.problem, await deps.people.languageOf(asker.user)));
      return undefined;
    default:
      await answerOther(deps, asker, command);
      return undefined;
  }
}
