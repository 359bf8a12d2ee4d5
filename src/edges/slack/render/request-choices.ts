import type { ChangeVerb } from '../../../doctor/commands/change-text.js';
import { commandText } from '../../../doctor/commands/command-text.js';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import { actionIds } from './action-ids.js';
import { actions, button, paragraph } from './blocks.js';
import { fitted, type Message, spoken } from './message.js';
import { recordsText } from './records-text.js';

/** What is asked of the workload that is chosen, as it would be typed. */
export interface AskedOf {
  readonly verb: 'history' | 'audit' | 'silence' | 'unsilence' | ChangeVerb;
  /** After the workload's name. */
  readonly rest?: string;
}

const maxChoices = 10;

/** Several workloads may be meant, each a button that asks the same of it. */
export function renderRequestChoices(
  says: readonly Prose[],
  workloads: readonly WorkloadRef[],
  { verb, rest = '' }: AskedOf,
  language: Language,
): Message {
  const shown = workloads.slice(0, maxChoices);
  const hidden = workloads.length - shown.length;
  const buttons = shown.map((ref, place) => {
    const text = `${ref.kind} ${ref.namespace}/${ref.name} (${ref.cluster})`;
    return button({
      actionId: `${actionIds.chooseRequest}.${place}`,
      text,
      label: `${verb} ${text}`,
      value: commandText(verb, ref, rest),
    });
  });
  return fitted((size) => ({
    text: spoken(says),
    blocks: [
      ...says.map((each) => paragraph(each, size)),
      ...actions(buttons),
      ...(hidden > 0 ? [paragraph(recordsText[language]['more-choices']({ count: hidden }), size)] : []),
    ],
  }));
}
