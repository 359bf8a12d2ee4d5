import type { KnownBlock } from '@slack/types';
import type { Language } from '../../../core/language/language.js';
import type { Prose } from '../../../core/language/prose.js';
import type { Home, PendingApproval } from '../../../usecases/people/read-home.js';
import { footer, paragraph } from './blocks.js';
import { titleOf, workloadName } from './card-context.js';
import { homeText } from './home-text.js';
import { dotted, linkedLine, type RecordsOptions, stacked } from './incident-line.js';
import { incidentBlocks } from './incidents.js';
import { fitted, type Message, type Size, spoken } from './message.js';
import { recordsText } from './records-text.js';
import { silenceHeading, silenceList } from './silences.js';

/** Pending approvals, those that wait for the reader first; open incidents; what is silenced. */
export function renderHome(home: Home, options: RecordsOptions): Message {
  const { language } = options;
  const text = homeText[language];
  const records = recordsText[language];
  const pendingCount = home.pending.length + home.morePending;
  const openCount = home.open.length + home.moreOpen;
  const pending =
    pendingCount === 0 ? text['nothing-pending']({}) : text['pending-heading']({ count: pendingCount });
  const open = openCount === 0 ? records['nothing-open']({}) : records['open-heading']({ count: openCount });
  return fitted((size) => ({
    text: spoken([pending, open]),
    blocks: [
      paragraph(pending, size),
      ...pendingBlocks(home, options, size),
      { type: 'divider' },
      paragraph(open, size),
      ...incidentBlocks(home.open, home.moreOpen, options, size),
      { type: 'divider' },
      ...(home.silences.length === 0 ? [] : [paragraph(silenceHeading(home.silences, language), size)]),
      ...silenceList(home.silences, language, size),
      paragraph(text['how-to-ask']({}), size),
      footer([text['as-of']({ at: home.at })], size),
    ],
  }));
}

/** Why there is nothing to show. */
export function renderHomeFailure(says: Prose, language: Language): Message {
  const again = homeText[language]['not-shown']({});
  return fitted((size) => ({
    text: spoken([says, again]),
    blocks: [paragraph(says, size), paragraph(again, size)],
  }));
}

function pendingBlocks(home: Home, options: RecordsOptions, size: Size): KnownBlock[] {
  const fit = home.pending.slice(0, size.items);
  const hidden = home.morePending + home.pending.length - fit.length;
  return [
    ...fit.map((each) => linkedLine(each, pendingProse(each, options), options, size)),
    ...(hidden > 0 ? [paragraph(homeText[options.language].more({ count: hidden }), size)] : []),
  ];
}

function pendingProse(
  { incident, approval, missing, mine }: PendingApproval,
  options: RecordsOptions,
): Prose {
  const { language, tell } = options;
  const text = homeText[language];
  const approvers = approval.decisions.filter(({ decision }) => decision === 'approve').map(({ by }) => by);
  const title = titleOf(approval, language, tell);
  return stacked([
    dotted([
      text.pending({ title, workload: workloadName(incident) }),
      recordsText[language]['on-cluster']({ cluster: incident.workload.cluster }),
      ...(mine ? [text['you-can-approve']({})] : []),
    ]),
    dotted([
      ...(approvers.length === 0 ? [] : [text['approved-by']({ by: approvers })]),
      text.missing({ missing, until: approval.expiresAt }),
    ]),
  ]);
}
