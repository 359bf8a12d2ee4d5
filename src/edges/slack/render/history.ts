import type { KnownBlock } from '@slack/types';
import type { Incident } from '../../../doctor/incidents/incident.js';
import { hasFixResult } from '../../../doctor/incidents/incident-transitions.js';
import type { Language } from '../../../engine/language/language.js';
import type { WorkloadHistory } from '../../../service/people/list-incidents.js';
import { actionIds } from './action-ids.js';
import { auditCells, auditLine } from './audit.js';
import { actions, button, paragraph } from './blocks.js';
import { workloadName } from './card-context.js';
import { incidentBlock, type ListOptions } from './incidents.js';
import { listColumns, table, withTable } from './list-columns.js';
import { type Message, spoken } from './message.js';
import { postMortemFrame } from './post-mortem-text.js';
import { recordsText } from './records-text.js';

/** The incidents of one workload, and what was decided in them. */
export function renderHistory(history: WorkloadHistory, options: ListOptions): Message {
  const text = recordsText[options.language];
  const { cluster, namespace, name } = history.workload;
  const workload = `${namespace}/${name}`;
  const count = history.incidents.length + history.more;
  const heading =
    count === 0
      ? text['history-empty']({ workload, cluster })
      : text['history-heading']({ workload, cluster, count });
  const { silence } = history;
  const silenced = silence === undefined ? [] : [text['silenced-now'](silence)];
  const { when, change, by, reason, result } = listColumns[options.language];
  // As the incidents: the newest first.
  const changes = history.incidents.flatMap((each) => each.changes.toReversed());
  return withTable(options.hasTables && changes.length > 0, (size, form) => {
    const fit = history.incidents.slice(0, size.items);
    const hidden = count - fit.length;
    return {
      text: spoken([heading, ...silenced]),
      blocks: [
        paragraph(heading, size),
        ...silenced.map((each) => paragraph(each, size)),
        ...fit.flatMap((each) => {
          const own = form === 'table' ? [] : each.changes.slice(-size.items);
          const lines = own.map((line) => auditLine(line, false, options));
          return [
            incidentBlock(each, lines, options, size),
            ...postMortemButton(each.incident, options.language),
          ];
        }),
        ...(form === 'table'
          ? table(
              [when, change, by, reason, result],
              changes
                .slice(0, size.items)
                .map((line) => auditCells(line, options).filter((_, at) => at !== 1)),
              size,
            )
          : []),
        ...(hidden > 0 ? [paragraph(text['more-incidents']({ count: hidden }), size)] : []),
      ],
    };
  });
}

/** Below an incident whose fix has come to an end. */
export function postMortemButton(incident: Incident, language: Language): readonly KnownBlock[] {
  if (!hasFixResult(incident)) return [];
  const { title } = postMortemFrame[language];
  return actions([
    button({
      actionId: actionIds.postMortem,
      text: title,
      about: workloadName(incident),
      value: incident.id,
    }),
  ]);
}
