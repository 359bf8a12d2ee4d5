import type { KnownBlock } from '@slack/types';
import { assigneeOf } from '../../../doctor/incidents/assign.js';
import { code, moment, type Prose, person } from '../../../engine/language/prose.js';
import type { IncidentList, ShownIncident } from '../../../service/people/list-incidents.js';
import { paragraph } from './blocks.js';
import { workloadName } from './card-context.js';
import { cardText } from './card-text.js';
import {
  incidentBlock,
  type ListOptions,
  type RecordsOptions,
  readyOf,
  severityOf,
  statusLineOf,
} from './incident-line.js';
import { listColumns, table, withTable } from './list-columns.js';
import { type Message, type Size, spoken } from './message.js';
import { recordsText } from './records-text.js';

/** What is open and what was lately, each with the way to its card; what does not fit is counted. */
export function renderIncidents(list: IncidentList, options: ListOptions): Message {
  const text = recordsText[options.language];
  const openCount = list.open.length + list.moreOpen;
  const heading = openCount === 0 ? text['nothing-open']({}) : text['open-heading']({ count: openCount });
  const empty = openCount === 0 && list.recent.length === 0 ? [text['no-incidents']({})] : [];
  return withTable(options.hasTables && list.open.length > 0, (size, form) => ({
    text: spoken([heading, ...empty]),
    blocks: [
      paragraph(heading, size),
      ...empty.map((each) => paragraph(each, size)),
      ...(form === 'table'
        ? incidentTable(list.open, list.moreOpen, options, size)
        : incidentBlocks(list.open, list.moreOpen, options, size)),
      ...(list.recent.length === 0 ? [] : [paragraph(text['recent-heading']({}), size)]),
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
          [code(workloadName(incident))],
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
