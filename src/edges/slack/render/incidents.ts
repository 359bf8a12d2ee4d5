import type { Button, KnownBlock, SectionBlock } from '@slack/types';
import type { Severity } from '../../../doctor/findings/cause-id.js';
import type { Diagnosis } from '../../../doctor/findings/diagnosis.js';
import { mainFindingOf } from '../../../doctor/findings/main-finding.js';
import { groupRows, showsGroup, totalsOf } from '../../../doctor/incidents/group-rows.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import { assigneeOf } from '../../../doctor/incidents/incident-transitions.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { code, moment, type Prose, person, say, word } from '../../../engine/language/prose.js';
import type { IncidentList, ShownIncident } from '../../../service/people/list-incidents.js';
import type { LinkTo } from '../card-link.js';
import { linkActionPrefix } from './action-ids.js';
import { line, linkButton, paragraph } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { verdictOf } from './card-change.js';
import { titleOf, workloadName } from './card-context.js';
import { calmVerdict } from './card-diagnosis.js';
import { cardText } from './card-text.js';
import { affectedTitle } from './group-card.js';
import { groupText } from './group-text.js';
import { severitySymbols, severityWords } from './kind-words.js';
import { listColumns, table, withTable } from './list-columns.js';
import { type Message, type Size, spoken } from './message.js';
import { recordsText } from './records-text.js';

/** What is open and what was lately, each with the way to its card; what does not fit is counted. */
export function renderIncidents(list: IncidentList, options: ListOptions): Message {
  const text = recordsText[options.language];
  const openCount = list.open.length + list.moreOpen;
  const heading = openCount === 0 ? text['nothing-open']() : text['open-heading']({ count: openCount });
  const empty = openCount === 0 && list.recent.length === 0 ? [text['no-incidents']()] : [];
  return withTable(options.hasTables && list.open.length > 0, (size, form) => ({
    text: spoken([heading, ...empty]),
    blocks: [
      paragraph(heading, size),
      ...empty.map((each) => paragraph(each, size)),
      ...(form === 'table'
        ? incidentTable(list.open, list.moreOpen, options, size)
        : incidentBlocks(list.open, list.moreOpen, options, size)),
      ...(list.recent.length === 0 ? [] : [paragraph(text['recent-heading'](), size)]),
      ...incidentBlocks(list.recent, list.moreRecent, options, size),
    ],
  }));
}

/** The name of each workload leads to its card. */
function incidentTable(
  incidents: readonly ShownIncident[],
  more: number,
  options: ListOptions,
  size: Size,
): KnownBlock[] {
  const { language } = options;
  const columns = listColumns[language];
  const fit = incidents.slice(0, size.items);
  const links = new Map(
    fit.flatMap(({ incident, card }) => {
      const url = card === undefined ? undefined : options.linkTo(card, incident.threadTs);
      return url === undefined ? [] : [[workloadName(incident), url] as const];
    }),
  );
  return [
    ...table(
      [columns.state, columns.workload, columns.ready, columns.problem, columns.assignee, columns.since],
      fit.map(({ incident }): readonly Prose[] => {
        const on = assigneeOf(incident);
        const ready = readyOf(incident);
        return [
          severityOf(incident, language),
          namesOf(incident, language),
          ready === undefined ? [] : cardText[language].ready(ready),
          statusLineOf(incident, options),
          on === undefined ? [] : [person(on.by)],
          [moment(incident.createdAt)],
        ];
      }),
      size,
      links,
    ),
    ...hiddenCount(more + incidents.length - fit.length, options, size),
  ];
}

/** The workload, and how many more the group has that it leads. */
function namesOf(incident: Incident, language: Language): Prose {
  const name = [code(workloadName(incident))];
  const others = showsGroup(incident) ? totalsOf(groupRows(incident)).workloads - 1 : 0;
  return others === 0 ? name : say`${name} ${groupText[language].more({ count: others })}`;
}

/** As many as fit, and how many more there are. */
function incidentBlocks(
  incidents: readonly ShownIncident[],
  more: number,
  options: RecordsOptions,
  size: Size,
): KnownBlock[] {
  const fit = incidents.slice(0, size.items);
  return [
    ...fit.map((each) => incidentBlock(each, [], options, size)),
    ...hiddenCount(more + incidents.length - fit.length, options, size),
  ];
}

function hiddenCount(count: number, { language }: RecordsOptions, size: Size): KnownBlock[] {
  return count > 0 ? [paragraph(recordsText[language]['more-incidents']({ count }), size)] : [];
}

/** What every answer about records is rendered with. */
export interface RecordsOptions {
  readonly tell: Tell;
  /** The reader's. */
  readonly language: Language;
  readonly linkTo: LinkTo;
}

/** The same for lists that may be tables. */
export interface ListOptions extends RecordsOptions {
  readonly hasTables: boolean;
}

/** How the incident stands, in one sentence that names the workload. */
export function statusLineOf(incident: Incident, { tell, language }: RecordsOptions): Prose {
  const text = cardText[language];
  const workload = workloadName(incident);
  const { phase, change, diagnosis, group } = incident;
  if (group?.role === 'leads' && showsGroup(incident)) {
    const { affected, workloads } = totalsOf(groupRows(incident));
    return affected === 0
      ? groupText[language].recovered({ root: group.root, count: workloads })
      : affectedTitle(group.root, affected, { language, tell });
  }
  const main = diagnosis === undefined ? undefined : mainFindingOf(diagnosis).main;
  if (phase === 'diagnosing') return text.diagnosing({ workload, cluster: incident.workload.cluster });
  if (phase === 'failed') return text.failed({ workload });
  if ((phase === 'applying' || phase === 'verifying') && change !== undefined) {
    return text.applying({ title: titleOf(change, language, tell), workload });
  }
  if (phase === 'settled' && change?.verdict !== undefined)
    return verdictOf({ ...incident, language }, change);
  if (main === undefined) {
    return diagnosis === undefined
      ? text['nothing-found']({ workload })
      : calmVerdict(diagnosis, workload, language);
  }
  const summary = dotted([
    tell(main.summary, language),
    text['confidence-of-cause']({ confidence: main.confidence }),
  ]);
  return phase === 'awaiting' ? recordsText[language]['awaits-approval']({ summary }) : summary;
}

/** Severity by symbol and word; nothing where no problem is found. */
function severityOf(incident: Incident, language: Language): Prose {
  const severity = shownSeverity(incident);
  if (severity === undefined) return [];
  return say`${word(severitySymbols[severity])} ${word(severityWords[language][severity])}`;
}

/** Of the main finding, or of the group that the incident leads. */
export function shownSeverity(incident: Incident): Severity | undefined {
  if (showsGroup(incident)) return totalsOf(groupRows(incident)).severity;
  const { diagnosis, phase } = incident;
  return diagnosis === undefined || phase === 'failed' ? undefined : mainFindingOf(diagnosis).main?.severity;
}

/** Ready pods of the workload, or of all workloads of its group. */
export function readyOf(incident: Incident): Diagnosis['ready'] | undefined {
  return showsGroup(incident) ? totalsOf(groupRows(incident)).ready : incident.diagnosis?.ready;
}

/** One incident: how it stands, where, who asked, how old that is, and the way to its card. */
export function incidentBlock(
  { incident, card }: ShownIncident,
  further: readonly Prose[],
  options: RecordsOptions,
  size: Size,
): SectionBlock {
  const { language } = options;
  const text = cardText[language];
  const { origin, workload, createdAt, occurrences, diagnosis } = incident;
  const assignee = assigneeOf(incident);
  const ready = readyOf(incident);
  const about = dotted([
    ...(ready === undefined ? [] : [text.ready(ready)]),
    ...(assignee === undefined ? [] : [text.assignee(assignee)]),
    text['on-cluster']({ cluster: workload.cluster }),
    text.requested({ via: origin.via, by: origin.by, assistant: origin.assistant, at: createdAt }),
    ...(occurrences > 1 ? [text.occurrences({ times: occurrences })] : []),
    ...(diagnosis === undefined || isSoonAfter(diagnosis.takenAt, createdAt)
      ? []
      : [text['diagnosed-at']({ at: diagnosis.takenAt })]),
  ]);
  const paragraphs = [
    dotted([severityOf(incident, language), statusLineOf(incident, options)]),
    about,
    ...further.map((each) => say`• ${each}`),
  ];
  return linkedLine({ incident, card }, stacked(paragraphs), options, size);
}

/** Both times would read the same: Slack shows no seconds. */
function isSoonAfter(later: string, earlier: string): boolean {
  return Math.abs(Date.parse(later) - Date.parse(earlier)) < 60_000;
}

/** A line about an incident, with the way to its card. */
export function linkedLine(
  shown: ShownIncident,
  prose: Prose,
  options: RecordsOptions,
  size: Size,
): SectionBlock {
  return line(prose, linkOf(shown, options), size);
}

/** A button that opens the card; none while the card has no address. */
export function linkOf({ incident, card }: ShownIncident, options: RecordsOptions): Button | undefined {
  const url = card === undefined ? undefined : options.linkTo(card, incident.threadTs);
  if (url === undefined) return undefined;
  const texts = buttonTexts[options.language];
  return linkButton({
    actionId: `${linkActionPrefix}incident.${incident.id}`,
    text: texts.toIncident,
    about: workloadName(incident),
    url,
  });
}

/** Parts of a line, separated by dots. */
export function dotted(parts: readonly Prose[]): Prose {
  return parts
    .filter((part) => part.length > 0)
    .flatMap((part, place) => (place === 0 ? part : [word(' · '), ...part]));
}

/** Lines below each other. */
function stacked(paragraphs: readonly Prose[]): Prose {
  return paragraphs.flatMap((each, place) => (place === 0 ? each : [word('\n'), ...each]));
}
