import type { ChangeVerb, NamedWorkload } from '../../../doctor/commands/command.js';
import { changeWords, commandText } from '../../../doctor/commands/command.js';
import { childlessText } from '../../../doctor/findings/owners.js';
import type { RequestedChange } from '../../../doctor/fixes/requested-change.js';
import type { Language } from '../../../engine/language/language.js';
import type { Prose } from '../../../engine/language/prose.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { NotFound } from '../../../service/diagnose/cluster-reader.js';
import { actionIds } from './action-ids.js';
import { answersText, noneNear, queryName } from './answers.js';
import { actions, button, paragraph, renderNotice } from './blocks.js';
import { changeRequestText } from './change-request-text.js';
import { fitted, type Message, spoken } from './message.js';
import { recordsText } from './records-text.js';

/** Several workloads of that name, each a button that asks for the same change of it. */
export function renderChangeChoices(
  query: NamedWorkload,
  change: RequestedChange,
  workloads: readonly WorkloadRef[],
  language: Language,
): Message {
  const says = answersText[language]['which-one']({ name: queryName(query) });
  return renderRequestChoices([says], workloads, changeWords(change), language);
}

/**
 * No workload has this name. Similar names have no buttons: people type the exact name of what they change.
 */
export function renderChangeNotFound(
  found: NotFound & { readonly limitedHere?: boolean },
  query: NamedWorkload,
  language: Language,
): Message {
  if (found.childless !== undefined) return renderNotice(childlessText(language, found.childless));
  const text = answersText[language];
  const near = found.nearest.slice(0, 5);
  return renderNotice(
    text[`no-${found.what}`]({ name: found.name === '' ? queryName(query) : found.name }),
    ...(found.limitedHere === true ? [text['limited-here']()] : []),
    near.length > 0
      ? changeRequestText[language].near({ names: near })
      : found.known === undefined
        ? noneNear(query, language)
        : text['known-clusters']({ clusters: found.known }),
  );
}

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
      about: verb,
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
