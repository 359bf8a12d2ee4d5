import type { AuditTrail } from '../../../usecases/people/audit-trail.js';
import { auditLine } from './audit-line.js';
import { footer, paragraph, steps } from './blocks.js';
import { dotted, type RecordsOptions } from './incident-line.js';
import { fitted, type Message, spoken } from './message.js';
import { recordsText } from './records-text.js';

/** What was decided and changed, one line each. */
export function renderAudit(trail: AuditTrail, options: RecordsOptions): Message {
  const text = recordsText[options.language];
  const workload =
    trail.workload === undefined ? undefined : `${trail.workload.namespace}/${trail.workload.name}`;
  const empty = trail.lines.length === 0;
  const heading = text[empty ? 'audit-empty' : 'audit-heading']({ workload });
  const about = trail.workload === undefined ? [] : text['on-cluster']({ cluster: trail.workload.cluster });
  const lines = trail.lines.map((each) => auditLine(each, workload === undefined, options));
  return fitted((size) => ({
    text: spoken([heading, ...lines.slice(0, 1)]),
    blocks: [
      paragraph(dotted([heading, about]), size),
      ...(trail.chain.type === 'broken'
        ? [paragraph(text['audit-broken']({ seq: trail.chain.seq }), size)]
        : []),
      ...steps(lines, size, (hidden) => text['more-changes']({ count: hidden + trail.more }), 'bullet'),
      ...(trail.more > 0 && lines.length <= size.items
        ? [paragraph(text['more-changes']({ count: trail.more }), size)]
        : []),
      ...(trail.since === undefined ? [] : [footer([text['audit-since']({ at: trail.since })], size)]),
    ],
  }));
}
