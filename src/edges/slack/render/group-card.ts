import type { Button, KnownBlock } from '@slack/types';
import { mainFindingOf } from '../../../doctor/findings/main-finding.js';
import { sharedFailure } from '../../../doctor/findings/shared-failure.js';
import { type GroupRow, groupRows, isAffected, totalsOf } from '../../../doctor/incidents/group-rows.js';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { SharedRoot } from '../../../doctor/incidents/shared-root.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, say, word } from '../../../engine/language/prose.js';
import { actionIds } from './action-ids.js';
import { actions, button, footer, steps } from './blocks.js';
import { buttonTexts } from './button-text.js';
import type { CardContext, CardParts } from './card-context.js';
import { cardText } from './card-text.js';
import { separated } from './fragments.js';
import { groupText } from './group-text.js';
import { severitySymbols, severityWords } from './kind-words.js';

/** Workloads that the card names; the list has all. */
const worst = 5;

/**
 * A group in place of a card of its own for each workload: what they share, how many they are, and the worst
 * of them.
 */
export function groupCard(context: CardContext): CardParts {
  const { incident, size } = context;
  const { language } = incident;
  const rows = groupRows(incident);
  const named = rows.slice(0, Math.min(worst, size.items));
  const hidden = rows.length - named.length;
  return {
    title: groupTitle(context),
    spoken: [separated(groupFacts(rows, language), ' · ')],
    blocks: [
      footer([...groupFacts(rows, language), [code(incident.workload.cluster)], ...causeOf(incident)], size),
      ...steps(
        [
          ...named.map((row) => shortLine(row, language)),
          ...(hidden > 0 ? [groupText[language].more({ count: hidden })] : []),
        ],
        { ...size, items: worst + 1 },
        (count) => groupText[language].more({ count }),
        'bullet',
      ),
      ...listButton(incident, 'primary'),
    ],
  };
}

/** What the workloads of a group share, and how many they are. */
export function groupTitle({ incident, tell }: Pick<CardContext, 'incident' | 'tell'>): Prose {
  const { group, language } = incident;
  if (group?.role !== 'leads') return [];
  const { affected, workloads, severity } = totalsOf(groupRows(incident));
  const text = groupText[language];
  if (affected === 0) return say`${word('🟢')} ${text.recovered({ root: group.root, count: workloads })}`;
  const says = affectedTitle(group.root, affected, { language, tell });
  if (severity === undefined) return say`${word('⚪')} ${says}`;
  return say`${word(severitySymbols[severity])} ${word(severityWords[language][severity])}: ${says}`;
}

/** How many workloads are affected, and by what. */
export function affectedTitle(
  root: SharedRoot,
  count: number,
  { language, tell }: { readonly language: Language; readonly tell: Tell },
): Prose {
  const failure = root.kind === 'Cause' ? tell(sharedFailure(root.cause), language) : [];
  return groupText[language].affected({ root, failure, count });
}

function groupFacts(rows: readonly GroupRow[], language: Language): readonly Prose[] {
  const { ready, namespaces, alerts, affected, workloads } = totalsOf(rows);
  const text = groupText[language];
  return [
    ...(ready.wanted === 0 ? [] : [cardText[language].ready(ready)]),
    text.namespaces({ count: namespaces }),
    ...(alerts === 0 ? [] : [text.alerts({ count: alerts })]),
    ...(affected === 0 || affected === workloads
      ? []
      : [text['some-recovered']({ count: workloads - affected })]),
  ];
}

/** By its id, under which the docs describe it: of the workload that was first. */
function causeOf({ diagnosis }: Incident): readonly Prose[] {
  const main = diagnosis && mainFindingOf(diagnosis).main;
  return main === undefined ? [] : [[code(main.cause)]];
}

/** One workload of a group, in a line. */
export function groupLine(row: GroupRow, language: Language): Prose {
  const { ready, alerts } = row;
  const facts = [
    nameOf(row),
    ...(ready === undefined ? [] : [cardText[language].ready(ready)]),
    ...(alerts === undefined ? [] : [groupText[language].alerts({ count: alerts })]),
  ];
  return separated(facts, ' · ');
}

/** The same in one line of a phone. */
function shortLine(row: GroupRow, language: Language): Prose {
  const { ready } = row;
  return separated([nameOf(row), ...(ready === undefined ? [] : [groupText[language].ready(ready)])], ' · ');
}

function nameOf(row: GroupRow): Prose {
  const { workload, severity } = row;
  const symbol = !isAffected(row) ? '🟢' : severity === undefined ? '⚪' : severitySymbols[severity];
  return say`${word(symbol)} ${code(`${workload.namespace}/${workload.name}`)}`;
}

/** Opens the whole list, for the one who presses. */
export function listButton(incident: Incident, style?: 'primary'): KnownBlock[] {
  return actions(showAllButtons(incident, style));
}

/** The same as one of several buttons; none where there is no further workload. */
export function showAllButtons(incident: Incident, style?: 'primary'): readonly Button[] {
  const { length } = groupRows(incident);
  if (length < 2) return [];
  const text = buttonTexts[incident.language].showGroup(length);
  const styled = style === undefined ? {} : { style };
  return [button({ actionId: actionIds.group, text, value: incident.id, ...styled })];
}
