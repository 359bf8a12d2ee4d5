import type { KnownBlock } from '@slack/types';
import type { Severity } from '../../../core/diagnosis/cause-id.js';
import type { Language } from '../../../core/language/language.js';
import type { Prose } from '../../../core/language/prose.js';
import { say, word } from '../../../core/language/prose.js';
import { clusterFaults } from '../../../usecases/clusters/cluster-roll.js';
import type { Home, PendingApproval, TitledChange } from '../../../usecases/people/read-home.js';
import { actionIds, remediationValue } from './action-ids.js';
import { changeParts } from './audit-line.js';
import { actions, button, footer, line, paragraph, steps } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { titleOf, workloadName } from './card-context.js';
import { type HomeOptions, incidentRow } from './home-incident.js';
import { homeText } from './home-text.js';
import { dotted, linkOf } from './incident-line.js';
import { severitySymbols } from './kind-words.js';
import { fitted, type Message, type Size, spoken } from './message.js';
import { fittedHome } from './modal.js';
import { toPlainText } from './prose.js';
import { recordsText } from './records-text.js';
import { silenceHeading, silenceList } from './silences.js';

/**
 * Approvals that wait, those for the reader first; open incidents, the worst first; recent changes; what is
 * silenced.
 */
export function renderHome(home: Home, reader: string, options: HomeOptions): Message {
  const { language } = options;
  const text = homeText[language];
  const pendingCount = home.pending.length + home.morePending;
  const openCount = home.open.length + home.moreOpen;
  const pending =
    pendingCount === 0 ? text['nothing-pending']({}) : text['pending-heading']({ count: pendingCount });
  const open =
    openCount === 0
      ? recordsText[language]['nothing-open']({})
      : recordsText[language]['open-heading']({ count: openCount });
  const blocks = fittedHome((size) => [
    ...topButtons(home.channel, language),
    ...(home.policyFaultSince === undefined
      ? []
      : [paragraph(text['policy-fault']({ since: home.policyFaultSince }), size)]),
    ...(home.clustersAway === undefined || home.clustersAway.length === 0
      ? []
      : [paragraph(text['clusters-away']({ clusters: home.clustersAway }), size)]),
    ...clusterFaults.flatMap((fault) => {
      const clusters = (home.clusterFaults ?? []).filter(({ faults }) => faults.includes(fault));
      return clusters.length === 0
        ? []
        : [
            paragraph(
              text['clusters-with']({ fault, clusters: clusters.map(({ cluster }) => cluster) }),
              size,
            ),
          ];
    }),
    ...(pendingCount === 0
      ? []
      : [paragraph(pending, size), ...pendingBlocks(home, options, size), { type: 'divider' as const }]),
    paragraph(dotted([open, ...severityCounts(home, language)]), size),
    ...(openCount === 0 ? [footer([text['none-open']({})], size)] : []),
    ...incidentRows(home, reader, options, size),
    { type: 'divider' },
    paragraph(text['changes-heading']({}), size),
    ...changeLines(home.changes, options, size),
    ...(home.silences.length === 0 ? [] : [paragraph(silenceHeading(home.silences, language), size)]),
    ...silenceList(home.silences, language, size),
    footer(
      [...(pendingCount === 0 ? [pending] : []), text['as-of']({ at: home.at }), text['how-to-ask']({})],
      size,
    ),
  ]);
  return { text: spoken([pending, open]), blocks };
}

/** Why there is nothing to show. */
export function renderHomeFailure(says: Prose, language: Language): Message {
  const again = homeText[language]['not-shown']({});
  return fitted((size) => ({
    text: spoken([says, again]),
    blocks: [paragraph(says, size), paragraph(again, size)],
  }));
}

function topButtons(channel: string | undefined, language: Language): KnownBlock[] {
  const { search, searchLabel, refresh } = buttonTexts[language];
  return actions([
    button({ actionId: actionIds.search, text: search, label: searchLabel, value: channel }),
    button({ actionId: actionIds.refresh, text: refresh, label: refresh, value: 'home' }),
  ]);
}

const severities: readonly Severity[] = ['critical', 'warning', 'info'];

function severityCounts({ severities: counts }: Home, language: Language): readonly Prose[] {
  return severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => {
      const says = homeText[language].severity({ severity, count: counts[severity] });
      return say`${word(severitySymbols[severity])} ${says}`;
    });
}

function incidentRows(home: Home, reader: string, options: HomeOptions, size: Size): KnownBlock[] {
  const fit = home.open.slice(0, size.items);
  const hidden = home.moreOpen + home.open.length - fit.length;
  return [
    ...fit.flatMap((each) => incidentRow(each, { reader, at: home.at }, options, size)),
    ...(hidden > 0 ? [footer([homeText[options.language].more({ count: hidden })], size)] : []),
  ];
}

function pendingBlocks(home: Home, options: HomeOptions, size: Size): KnownBlock[] {
  const fit = home.pending.slice(0, size.items);
  const hidden = home.morePending + home.pending.length - fit.length;
  return [
    ...fit.flatMap((each) => pendingRow(each, options, size)),
    ...(hidden > 0 ? [footer([homeText[options.language].more({ count: hidden })], size)] : []),
  ];
}

function pendingRow(pending: PendingApproval, options: HomeOptions, size: Size): KnownBlock[] {
  const { language, tell } = options;
  const { incident, approval, missing, mine } = pending;
  const text = homeText[language];
  const texts = buttonTexts[language];
  const approvers = approval.decisions.filter(({ decision }) => decision === 'approve').map(({ by }) => by);
  const title = titleOf(approval, language, tell);
  const workload = workloadName(incident);
  const link = linkOf(pending, options);
  const review = button({
    actionId: actionIds.review,
    text: texts.review,
    label: texts.reviewLabel(toPlainText(title), workload),
    value: remediationValue(incident.id, approval.undoes ? 'undo' : approval.remediation.id),
    ...(mine ? { style: 'primary' } : {}),
  });
  return [
    line(
      dotted([text.pending({ title, workload }), ...(mine ? [text['you-can-approve']({})] : [])]),
      undefined,
      size,
    ),
    footer(
      [
        ...(approvers.length === 0 ? [] : [text['approved-by']({ by: approvers })]),
        text.missing({ missing, until: approval.expiresAt }),
        recordsText[language]['on-cluster']({ cluster: incident.workload.cluster }),
      ],
      size,
    ),
    ...actions([review, ...(link === undefined ? [] : [link])]),
  ];
}

/** One line a change: on what, what, and what came of it. */
function changeLines(changes: readonly TitledChange[], options: HomeOptions, size: Size): KnownBlock[] {
  const text = homeText[options.language];
  if (changes.length === 0) return [footer([text['no-changes']({})], size)];
  const lines = changes.map((change) => dotted(changeParts(change, options)));
  return steps(lines, size, (count) => text.more({ count }), 'bullet');
}
