import { changeWords } from '../../../doctor/commands/change-text.js';
import type { Command, NamedWorkload } from '../../../doctor/commands/command.js';
import { childlessText } from '../../../doctor/findings/childless-owner.js';
import type { RequestedChange } from '../../../doctor/fixes/requested-change.js';
import type { Language } from '../../../engine/language/language.js';
import type { WorkloadRef } from '../../../engine/objects/workload.js';
import type { NotFound } from '../../../service/diagnose/cluster-reader.js';
import { noneNear, queryName } from './answers.js';
import { answersText } from './answers-text.js';
import { changeRequestText } from './change-request-text.js';
import type { Message } from './message.js';
import { renderNotice } from './notice.js';
import { renderRequestChoices } from './request-choices.js';

/** Said while the change is forecast. */
export function renderForecasting(
  { query, change }: Extract<Command, { readonly type: 'change' }>,
  language: Language,
): Message {
  const workload = queryName(query);
  return renderNotice(changeRequestText[language].forecasting({ workload, change: change.kind }));
}

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
    ...(found.limitedHere === true ? [text['limited-here']({})] : []),
    near.length > 0
      ? changeRequestText[language].near({ names: near })
      : found.known === undefined
        ? noneNear(query, language)
        : text['known-clusters']({ clusters: found.known }),
  );
}
