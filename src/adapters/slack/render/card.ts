import type { KnownBlock } from '@slack/types';
import { mainFindingOf } from '../../../core/diagnosis/main-finding.js';
import type { Approval } from '../../../core/incident/approval.js';
import type { Incident, Origin } from '../../../core/incident/incident.js';
import type { Prose } from '../../../core/language/prose.js';
import { actionIds } from './action-ids.js';
import { actions, button, footer, headline, paragraph } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { alertBlocks, succeededBlocks } from './card-alerts.js';
import { awaitingBlocks, changeBlocks, settledBlocks } from './card-change.js';
import { type CardContext, type CardOptions, type CardParts, workloadName } from './card-context.js';
import { diagnosisBlocks, diagnosisHeadline } from './card-diagnosis.js';
import { groupBlocks, groupProse } from './card-group.js';
import { requestedBlocks } from './card-requested.js';
import { cardText } from './card-text.js';
import { fitted, type Message, spoken } from './message.js';

/**
 * The one message of an incident: a function of its record, rendered whole at each change and edited in place. Always
 * within Slack's limits; what does not fit is counted, not dropped.
 *
 * @param approval the approval people are deciding on, or the last one of this look
 */
export function renderCard(
  incident: Incident,
  approval: Approval | undefined,
  { tell, linkTo }: CardOptions,
): Message {
  return fitted((size) => {
    const context: CardContext = { incident, approval, tell, linkTo, size };
    const { verdict, qualifier, spoken: further, blocks } = partsOf(context);
    return {
      text: spoken([verdict, ...further, groupProse(context) ?? []]),
      blocks: [
        headline(verdict, qualifier, size),
        ...distrustedBlocks(context),
        ...requestedOf(context),
        ...blocks,
        ...alertBlocks(context),
        ...groupBlocks(context),
        cardFooter(context),
        ...cardActions(context),
      ],
    };
  });
}

/** The requested change stands first: somebody waits for its forecast. */
function requestedOf(context: CardContext): KnownBlock[] {
  const { incident, approval } = context;
  if (incident.successor !== undefined) return [];
  switch (incident.phase) {
    case 'diagnosed':
      return requestedBlocks(context, { withReviews: true });
    case 'awaiting':
      return requestedBlocks(context, { withReviews: approval === undefined });
    default:
      return [];
  }
}

/** A forged or altered record that names this incident, whatever else the card shows. */
function distrustedBlocks({ incident, tell, size }: CardContext): KnownBlock[] {
  const { distrusted, language } = incident;
  return distrusted === undefined ? [] : [paragraph(tell(distrusted.because, language), size)];
}

function partsOf(context: CardContext): CardParts {
  const { incident } = context;
  if (incident.successor !== undefined) return succeededBlocks(context);
  switch (incident.phase) {
    case 'diagnosing':
      return diagnosing(context);
    case 'diagnosed':
      return diagnosisBlocks(context, { withReviews: true });
    case 'awaiting':
      return awaitingBlocks(context);
    case 'applying':
    case 'verifying':
      return changeBlocks(context);
    case 'settled':
      return settledBlocks(context);
    case 'failed':
      return failed(context);
  }
}

function diagnosing({ incident, tell, size }: CardContext): CardParts {
  const text = cardText[incident.language];
  const workload = workloadName(incident);
  const { diagnosis } = incident;
  if (diagnosis === undefined) {
    const verdict = text.diagnosing({ workload, cluster: incident.workload.cluster });
    return { verdict, qualifier: [], spoken: [], blocks: [] };
  }
  const before = diagnosisHeadline(incident, diagnosis, tell);
  return {
    verdict: text['diagnosing-again']({ workload }),
    qualifier: [],
    spoken: [],
    blocks: [paragraph([...text['last-known']({ at: diagnosis.takenAt }), space, ...before.verdict], size)],
  };
}

function failed({ incident, tell, size }: CardContext): CardParts {
  const text = cardText[incident.language];
  const because = incident.failure === undefined ? [] : tell(incident.failure, incident.language);
  return {
    verdict: text.failed({ workload: workloadName(incident) }),
    qualifier: [],
    spoken: [because],
    blocks: [
      ...(because.length > 0 ? [paragraph(because, size)] : []),
      paragraph(text['nothing-changed']({}), size),
    ],
  };
}

function cardFooter({ incident, size }: CardContext): KnownBlock {
  const text = cardText[incident.language];
  const { diagnosis, origin } = incident;
  const first = diagnosis && mainFindingOf(diagnosis).main;
  const diagnosed = incident.phase !== 'failed' && incident.phase !== 'diagnosing' ? diagnosis : undefined;
  return footer(
    [
      [{ kind: 'code', text: incident.workload.cluster }],
      ...(diagnosed === undefined
        ? [text.requested({ via: origin.via, by: origin.by, at: incident.createdAt })]
        : [text['diagnosed-at']({ at: diagnosed.takenAt }), ...unasked(origin, text)]),
      ...(diagnosed === undefined || first === undefined
        ? []
        : [text.cause({ cause: first.cause }), text['in-thread']({})]),
      ...(incident.occurrences > 1 && incident.alerts === undefined
        ? [text.occurrences({ times: incident.occurrences })]
        : []),
    ],
    size,
  );
}

/** States why the card exists although nobody requested it. */
function unasked({ via, refusal }: Origin, text: (typeof cardText)['en']): readonly Prose[] {
  if (via !== 'sentinel') return [];
  return [refusal === undefined ? text.unasked({}) : text['unasked-since'](refusal)];
}

function cardActions({ incident }: CardContext): KnownBlock[] {
  const { phase, change, language, successor } = incident;
  if (successor !== undefined || phase === 'diagnosing' || phase === 'applying' || phase === 'verifying')
    return [];
  const texts = buttonTexts[language];
  const workload = workloadName(incident);
  const undoable = phase !== 'failed' && change?.verdict !== undefined && change.undo !== undefined;
  return actions([
    ...(undoable && !change.undoes
      ? [
          button({
            actionId: actionIds.undo,
            text: texts.undo,
            label: texts.undoLabel(workload),
            value: incident.id,
            ...(change.verdict === 'worse' ? { style: 'primary' as const } : {}),
          }),
        ]
      : []),
    button({
      actionId: actionIds.lookAgain,
      text: texts.diagnoseAgain,
      label: texts.diagnoseAgainLabel(workload),
      value: incident.id,
    }),
  ]);
}

const space = { kind: 'text', text: ' ' } as const;
