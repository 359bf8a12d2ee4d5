import type { KnownBlock } from '@slack/types';
import type { IncidentList } from '../../../usecases/people/list-incidents.js';
import { paragraph } from './blocks.js';
import { incidentBlock, type RecordsOptions } from './incident-line.js';
import { fitted, type Message, type Size, spoken } from './message.js';
import { recordsText } from './records-text.js';

/** What is open and what was lately, each with the way to its card; what does not fit is counted. */
export function renderIncidents(list: IncidentList, options: RecordsOptions): Message {
  const text = recordsText[options.language];
  const openCount = list.open.length + list.moreOpen;
  const heading = openCount === 0 ? text['nothing-open']({}) : text['open-heading']({ count: openCount });
  const empty = openCount === 0 && list.recent.length === 0 ? [text['no-incidents']({})] : [];
  return fitted((size) => ({
    text: spoken([heading, ...empty]),
    blocks: [
      paragraph(heading, size),
      ...empty.map((each) => paragraph(each, size)),
      ...incidentBlocks(list.open, list.moreOpen, options, size),
      ...(list.recent.length === 0 ? [] : [paragraph(text['recent-heading']({}), size)]),
      ...incidentBlocks(list.recent, list.moreRecent, options, size),
    ],
  }));
}

/** As many as fit, and how many more there are. */
export function incidentBlocks(
  incidents: IncidentList['open'],
  more: number,
  options: RecordsOptions,
  size: Size,
): KnownBlock[] {
  const fit = incidents.slice(0, size.items);
  const hidden = more + incidents.length - fit.length;
  const count = recordsText[options.language]['more-incidents']({ count: hidden });
  return [
    ...fit.map((each) => incidentBlock(each, [], options, size)),
    ...(hidden > 0 ? [paragraph(count, size)] : []),
  ];
}
