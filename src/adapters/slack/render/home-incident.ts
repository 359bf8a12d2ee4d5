import type { Button, KnownBlock } from '@slack/types';
import { commandText } from '../../../core/command/command-text.js';
import { durationSeconds } from '../../../core/diagnosis/lasted.js';
import { mainFindingOf } from '../../../core/diagnosis/main-finding.js';
import { assigneeOf, isAssignable } from '../../../core/incident/assign.js';
import type { Incident } from '../../../core/incident/incident.js';
import { linksOf, type Pages } from '../../../core/incident/page-links.js';
import type { Language } from '../../../core/language/language.js';
import { type Prose, say, strong, word } from '../../../core/language/prose.js';
import type { ShownIncident } from '../../../usecases/people/list-incidents.js';
import { actionIds, linkEntry, menuValue } from './action-ids.js';
import { handBackButton, takeOverButton } from './assignee.js';
import { actions, button, footer, line, type MenuEntry, menu } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { workloadName } from './card-context.js';
import { cardText } from './card-text.js';
import { homeText } from './home-text.js';
import { linkOf, type RecordsOptions, statusLineOf } from './incident-line.js';
import { severitySymbols, severityWords } from './kind-words.js';
import type { Size } from './message.js';

/** What a Home page is rendered with. */
export interface HomeOptions extends RecordsOptions {
  readonly pages: Pages;
}

/**
 * An open incident: how severe and what, then how many pods are ready, since when and who is on it, then its
 * buttons.
 */
export function incidentRow(
  shown: ShownIncident,
  { reader, at }: { readonly reader: string; readonly at: string },
  options: HomeOptions,
  size: Size,
): KnownBlock[] {
  const { incident } = shown;
  const { language } = options;
  const link = linkOf(shown, options);
  const entries = menuEntries(incident, options);
  return [
    line(titleOfRow(incident, options), undefined, size),
    footer(aboutParts(incident, at, language), size),
    ...actions([
      ...(link === undefined ? [] : [link]),
      ...assignButtons(incident, reader, language),
      ...menu(actionIds.menu, entries),
    ]),
  ];
}

function titleOfRow(incident: Incident, options: HomeOptions): Prose {
  const { diagnosis, phase } = incident;
  const main = diagnosis === undefined || phase === 'failed' ? undefined : mainFindingOf(diagnosis).main;
  const statusLine = statusLineOf(incident, options);
  if (main === undefined) return say`${word('⏳')} ${statusLine}`;
  const { severity } = main;
  return say`${word(severitySymbols[severity])} ${strong(severityWords[options.language][severity])} · ${statusLine}`;
}

function aboutParts(incident: Incident, at: string, language: Language): readonly Prose[] {
  const text = homeText[language];
  const { diagnosis, workload } = incident;
  const assignee = assigneeOf(incident);
  return [
    ...(diagnosis === undefined ? [] : [cardText[language].ready(diagnosis.ready)]),
    howLong(incident, at, language),
    [{ kind: 'code', text: workload.cluster }],
    ...(assignee !== undefined
      ? [cardText[language].assignee(assignee)]
      : isAssignable(incident)
        ? [text['no-assignee']({})]
        : []),
  ];
}

/**
 * For how long the rollout is stuck, as its finding states it; otherwise for how long the incident is open.
 */
function howLong({ diagnosis, createdAt }: Incident, at: string, language: Language): Prose {
  const text = homeText[language];
  const main = diagnosis === undefined ? undefined : mainFindingOf(diagnosis).main;
  const duration = main === undefined ? undefined : durationSeconds(main);
  const secondsSince = (time: string) => Math.max(0, (Date.parse(at) - Date.parse(time)) / 1_000) || 0;
  return duration === undefined || diagnosis === undefined
    ? text['open-for']({ seconds: secondsSince(createdAt) })
    : text['stuck-for']({ seconds: duration + secondsSince(diagnosis.takenAt) });
}

function assignButtons(incident: Incident, reader: string, language: Language): readonly Button[] {
  if (!isAssignable(incident)) return [];
  const texts = buttonTexts[language];
  const by = assigneeOf(incident)?.by;
  if (by === reader) return [handBackButton(incident, language)];
  if (by !== undefined) return [takeOverButton(incident, by, language)];
  const label = texts.assignLabel(workloadName(incident));
  return [button({ actionId: actionIds.assign, text: texts.assign, label, value: incident.id })];
}

function menuEntries(incident: Incident, { language, pages }: HomeOptions): readonly MenuEntry[] {
  const texts = buttonTexts[language];
  const { id, workload, diagnosis } = incident;
  const entry = (text: string, value: string | undefined) => (value === undefined ? [] : [{ text, value }]);
  return [
    ...(diagnosis === undefined ? [] : entry(texts.proof, menuValue(actionIds.proof, id))),
    ...entry(texts.diagnoseAgain, menuValue(actionIds.diagnoseAgain, id)),
    ...entry(texts.silence, menuValue(actionIds.makeRequest, commandText('silence', workload, '2h'))),
    ...linksOf(incident, pages, language).map(({ name, url }, position) => ({
      text: name,
      value: `${linkEntry}|${position}`,
      url,
    })),
  ];
}
