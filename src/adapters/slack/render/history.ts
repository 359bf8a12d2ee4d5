import type { WorkloadHistory } from '../../../usecases/people/workload-history.js';
import { auditLine } from './audit-line.js';
import { paragraph } from './blocks.js';
import { incidentBlock, type RecordsOptions } from './incident-line.js';
import { fitted, type Message, spoken } from './message.js';
import { recordsText } from './records-text.js';

/** The incidents of one workload, each with what was decided in it. */
export function renderHistory(history: WorkloadHistory, options: RecordsOptions): Message {
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
  return fitted((size) => {
    const fit = history.incidents.slice(0, size.items);
    const hidden = count - fit.length;
    return {
      text: spoken([heading, ...silenced]),
      blocks: [
        paragraph(heading, size),
        ...silenced.map((each) => paragraph(each, size)),
        ...fit.map((each) => {
          const changes = each.changes.slice(-size.items).map((line) => auditLine(line, false, options));
          return incidentBlock(each, changes, options, size);
        }),
        ...(hidden > 0 ? [paragraph(text['more-incidents']({ count: hidden }), size)] : []),
      ],
    };
  });
}
