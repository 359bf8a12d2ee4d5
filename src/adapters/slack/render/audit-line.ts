import { code, exactMoment, type Prose, say, word } from '../../../core/language/prose.js';
import type { AuditedChange } from '../../../usecases/change/audited-changes.js';
import type { TitledAudited } from '../../../usecases/people/audit-trail.js';
import { cardText } from './card-text.js';
import { dotted, type RecordsOptions } from './incident-line.js';
import { kindWords } from './kind-words.js';
import { recordsText } from './records-text.js';

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
          text['on-cluster']({ cluster: workload.cluster }),
        ]
      : [];
  const head = [say`${exactMoment(at)}`, ...where];
  switch (audited.type) {
    case 'change':
      return dotted([...head, titleOf(audited, options), ...outcomeParts(audited, options)]);
    case 'silenced': {
      const { by, until, reason } = audited;
      return dotted([
        ...head,
        text.silenced({ by, until }),
        ...(reason === '' ? [] : [text.reason({ reason })]),
      ]);
    }
    case 'silence-lifted':
      return dotted([...head, text['silence-lifted']({ by: audited.by })]);
    case 'changes-stopped': {
      const { by, reason } = audited;
      return dotted([...head, text['changes-stopped']({ by }), text.reason({ reason })]);
    }
    case 'changes-allowed':
      return dotted([...head, text['changes-allowed']({ by: audited.by })]);
    case 'assigned': {
      const { by, to = by } = audited;
      return dotted([...head, text[by === to ? 'on-it' : 'handed-over']({ by, to })]);
    }
    case 'unassigned':
      return dotted([...head, text['handed-back']({ by: audited.by })]);
  }
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
  const {
    approved,
    rejected,
    expired,
    cancelledBy,
    unknownSince,
    appliedAt,
    notApplied,
    secondStep,
    verdict,
  } = change;
  const reasons = [...approved, ...(rejected === undefined ? [] : [rejected])]
    .map(({ reason }) => reason)
    .filter((reason) => reason !== '');
  return [
    ...(approved.length === 0 ? [] : [text.approved({ by: approved.map(({ by }) => by) })]),
    ...(rejected === undefined ? [] : [text.rejected({ by: rejected.by })]),
    ...reasons.map((reason) => text.reason({ reason })),
    ...(expired ? [text.expired({})] : []),
    ...(cancelledBy === undefined ? [] : [text.cancelled({ by: cancelledBy })]),
    ...(unknownSince === undefined ? [] : [text['outcome-unknown']({ since: unknownSince })]),
    ...(appliedAt === undefined ? [] : [text.made({ at: appliedAt })]),
    ...(notApplied === undefined ? [] : [text['not-made']({ because: notApplied })]),
    ...(secondStep === undefined || secondStep.deleted.length === 0
      ? []
      : [text['step-deleted']({ pods: secondStep.deleted })]),
    ...(secondStep?.because === undefined ? [] : [text['step-left']({ because: secondStep.because })]),
    ...(verdict === undefined ? [] : [text.verdict({ verdict })]),
  ];
}

/** What the change is called; where its record is gone, what its kind is called. */
function titleOf({ title, kind, undoes }: AuditedChange & TitledAudited, options: RecordsOptions): Prose {
  const { language, tell } = options;
  const called =
    title !== undefined
      ? tell(title, language)
      : kind === undefined
        ? recordsText[language]['some-change']({})
        : [word(kindWords[language][kind])];
  return undoes ? cardText[language]['undo-of']({ title: called }) : called;
}
