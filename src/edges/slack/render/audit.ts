import { kindName } from '../../../doctor/fixes/remediation.js';
import type { Verdict } from '../../../doctor/incidents/incident.js';
import { code, exactMoment, type Prose, person, say } from '../../../engine/language/prose.js';
import type { AuditedChange } from '../../../service/change/audited-changes.js';
import type { AuditTrail, TitledAudited } from '../../../service/people/audit-trail.js';
import { footer, paragraph, steps } from './blocks.js';
import { cardRevertedText } from './card-reverted-text.js';
import { cardText } from './card-text.js';
import { dotted, type ListOptions, type RecordsOptions } from './incidents.js';
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
  const about =
    trail.workload === undefined
      ? []
      : cardText[options.language]['on-cluster']({ cluster: trail.workload.cluster });
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

/**
 * One decision: when, what, who, and what came of it.
 *
 * @param named whether the workload has to be said
 */
export function auditLine(audited: TitledAudited, named: boolean, options: RecordsOptions): Prose {
  const text = recordsText[options.language];
  const { at } = audited;
  const workload = 'workload' in audited ? audited.workload : undefined;
  const where =
    named && workload !== undefined
      ? [
          say`${code(`${workload.namespace}/${workload.name}`)}`,
          cardText[options.language]['on-cluster']({ cluster: workload.cluster }),
        ]
      : [];
  const head = [say`${exactMoment(at)}`, ...where];
  switch (audited.type) {
    case 'change':
      return dotted([...head, titleOf(audited, options), ...outcomeParts(audited, options)]);
    case 'silenced': {
      const { reason } = audited;
      return dotted([
        ...head,
        decisionProse(audited, options),
        ...(reason === '' ? [] : [text.reason({ reason })]),
      ]);
    }
    case 'changes-stopped':
      return dotted([...head, decisionProse(audited, options), text.reason({ reason: audited.reason })]);
    default:
      return dotted([...head, decisionProse(audited, options)]);
  }
}

/** @param named whether the person who made the decision has to be said */
function decisionProse(
  audited: Exclude<TitledAudited, { type: 'change' }>,
  options: RecordsOptions,
  named = true,
): Prose {
  const text = recordsText[options.language];
  const { by } = audited;
  const who = named ? { by } : {};
  switch (audited.type) {
    case 'silenced':
      return text.silenced({ ...who, until: audited.until });
    case 'silence-lifted':
      return text['silence-lifted'](who);
    case 'changes-stopped':
      return text['changes-stopped'](who);
    case 'changes-allowed':
      return text['changes-allowed'](who);
    case 'assigned': {
      const { to = by } = audited;
      return text[by === to ? 'on-it' : 'handed-over']({ by, to });
    }
    case 'unassigned':
      return text['handed-back']({ by });
  }
}

/** The cells of one decision: when, workload, change, by, reason, result. */
export function auditCells(audited: TitledAudited, options: RecordsOptions): readonly Prose[] {
  const text = recordsText[options.language];
  const workload = 'workload' in audited ? audited.workload : undefined;
  const head: readonly Prose[] = [
    [exactMoment(audited.at)],
    workload === undefined ? [] : [code(`${workload.namespace}/${workload.name}`)],
  ];
  if (audited.type !== 'change') {
    const reason = 'reason' in audited ? audited.reason : '';
    const says = decisionProse(audited, options, false);
    return [...head, says, [person(audited.by)], reason === '' ? [] : text.reason({ reason }), []];
  }
  const { approved, rejected } = audited;
  const decisions = [...approved, ...(rejected === undefined ? [] : [rejected])];
  const reasons = decisions.map(({ reason }) => reason).filter((reason) => reason !== '');
  return [
    ...head,
    titleOf(audited, options),
    dotted([...decisions.map(({ by }) => [person(by)]), ...confirmedPart(approved, options)]),
    dotted(reasons.map((reason) => text.reason({ reason }))),
    dotted([
      ...(rejected === undefined ? [] : [text.rejected({ by: rejected.by })]),
      ...resultParts(audited, options),
    ]),
  ];
}

/** A change in short: on what, what, who, and what came of it. */
export function changeParts(
  change: AuditedChange & TitledAudited,
  options: RecordsOptions,
): readonly Prose[] {
  const { namespace, name } = change.workload;
  return [say`${code(`${namespace}/${name}`)}`, titleOf(change, options), ...outcomeParts(change, options)];
}

function outcomeParts(change: AuditedChange & TitledAudited, options: RecordsOptions): readonly Prose[] {
  const text = recordsText[options.language];
  const { approved, rejected } = change;
  const reasons = [...approved, ...(rejected === undefined ? [] : [rejected])]
    .map(({ reason }) => reason)
    .filter((reason) => reason !== '');
  return [
    ...(approved.length === 0 ? [] : [text.approved({ by: approved.map(({ by }) => by) })]),
    ...confirmedPart(approved, options),
    ...(rejected === undefined ? [] : [text.rejected({ by: rejected.by })]),
    ...reasons.map((reason) => text.reason({ reason })),
    ...resultParts(change, options),
  ];
}

/** Who confirmed with the company's login; an installation has one issuer. */
function confirmedPart(approved: AuditedChange['approved'], { language }: RecordsOptions): readonly Prose[] {
  const confirmed = approved.filter(({ confirmedAt }) => confirmedAt !== undefined);
  const issuer = confirmed[0]?.confirmedAt;
  if (issuer === undefined) return [];
  return [recordsText[language].confirmed({ by: confirmed.map(({ by }) => by), issuer })];
}

/** What came of a change. */
function resultParts(change: AuditedChange & TitledAudited, options: RecordsOptions): readonly Prose[] {
  const text = recordsText[options.language];
  const {
    expired,
    cancelledBy,
    unknownSince,
    appliedAt,
    openedAt,
    notApplied,
    secondStep,
    verdict,
    revertedBy,
  } = change;
  return [
    ...(expired ? [text.expired()] : []),
    ...(cancelledBy === undefined ? [] : [text.cancelled({ by: cancelledBy })]),
    ...(unknownSince === undefined ? [] : [text['outcome-unknown']({ since: unknownSince })]),
    ...(appliedAt === undefined ? [] : [text.made({ at: appliedAt })]),
    ...(openedAt === undefined ? [] : [text['pull-request-opened']({ at: openedAt })]),
    ...(notApplied === undefined ? [] : [text['not-made']({ because: notApplied })]),
    ...(secondStep === undefined || secondStep.deleted.length === 0
      ? []
      : [text['step-deleted']({ pods: secondStep.deleted })]),
    ...(secondStep?.because === undefined ? [] : [text['step-left']({ because: secondStep.because })]),
    ...(verdict === undefined ? [] : [verdictPart(verdict, revertedBy, options)]),
  ];
}

function verdictPart(verdict: Verdict, by: AuditedChange['revertedBy'], { language }: RecordsOptions): Prose {
  return verdict === 'reverted' && by !== undefined
    ? cardRevertedText[language]['reverted-by']({ by })
    : recordsText[language].verdict({ verdict });
}

/** What the change is called; where its record is gone, what its kind is called. */
function titleOf({ title, kind, undoes }: AuditedChange & TitledAudited, options: RecordsOptions): Prose {
  const { language, tell } = options;
  const called =
    title !== undefined
      ? tell(title, language)
      : kind === undefined
        ? recordsText[language]['some-change']()
        : kindName(kind, language);
  return undoes ? cardText[language]['undo-of']({ title: called }) : called;
}
