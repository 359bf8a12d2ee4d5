import type { AuditTrail } from '../../../service/people/audit-trail.js';
import { auditCells, auditLine } from './audit-line.js';
import { footer, paragraph, steps } from './blocks.js';
import { dotted, type ListOptions } from './incident-line.js';
import { listColumns, table, withTable } from './list-columns.js';
import { type Message, type Size, spoken } from './message.js';
import { recordsText } from './records-text.js';

/** What was decided and changed, one row each. */
export function renderAudit(trail: AuditTrail, options: ListOptions): Message {
  const text = recordsText[options.language];
  const workload =
    trail.workload === undefined ? undefined : `${trail.workload.namespace}/${trail.workload.name}`;
  const empty = trail.lines.length === 0;
  const heading = text[empty ? 'audit-empty' : 'audit-heading']({ workload });
  const about = trail.workload === undefined ? [] : text['on-cluster']({ cluster: trail.workload.cluster });
  const lines = trail.lines.map((each) => auditLine(each, workload === undefined, options));
  const { when, workload: of, change, by, reason, result } = listColumns[options.language];
  return withTable(options.hasTables && !empty, (size, form) => ({
    text: spoken([heading, ...lines.slice(0, 1)]),
    blocks: [
      paragraph(dotted([heading, about]), size),
      ...(trail.chain.type === 'broken'
        ? [paragraph(text['audit-broken']({ seq: trail.chain.seq }), size)]
        : []),
      ...(form === 'table'
        ? table(
            [when, of, change, by, reason, result],
            trail.lines.slice(0, size.items).map((each) => auditCells(each, options)),
            size,
          )
        : steps(lines.slice(0, size.items), size, () => [], 'bullet')),
      ...(hiddenLines(trail, size) > 0
        ? [paragraph(text['more-changes']({ count: hiddenLines(trail, size) }), size)]
        : []),
      ...(trail.since === undefined ? [] : [footer([text['audit-since']({ at: trail.since })], size)]),
    ],
  }));
}

function hiddenLines({ lines, more }: AuditTrail, { items }: Size): number {
  return more + Math.max(0, lines.length - items);
}
