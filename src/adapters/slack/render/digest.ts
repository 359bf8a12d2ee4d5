import type { Button } from '@slack/types';
import { commandText } from '../../../core/command/command-text.js';
import type { Tell } from '../../../core/language/catalogue.js';
import type { Language } from '../../../core/language/language.js';
import { type Prose, say, word } from '../../../core/language/prose.js';
import type { DigestItem, WeeklyDigest } from '../../../core/scan/weekly-digest.js';
import { actionIds } from './action-ids.js';
import { button, footer, lineWithButton, paragraph } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { digestText } from './digest-text.js';
import { listColumns } from './list-columns.js';
import { fitted, type Message, spoken } from './message.js';
import { table, withTable } from './table.js';

interface Options {
  readonly tell: Tell;
  readonly language: Language;
  readonly hasTables: boolean;
}

/** Workloads that the message in the channel names; the thread has all of them. */
export const maxInChannel = 5;
/** Rows of the list in the thread. */
const maxRows = 50;

/** One message of at most the size of a card. */
export function renderDigest(digest: WeeklyDigest, { tell, language }: Options): Message {
  const text = digestText[language];
  const { cluster, items, workloads, skipped, takenAt } = digest;
  const heading =
    items.length === 0 ? text.none({ cluster, workloads }) : text.heading({ cluster, count: items.length });
  const named = items
    .slice(0, maxInChannel)
    .map((item) => ({ item, line: lineOf(item, { tell, language }) }));
  const notes = [
    ...(items.length > maxInChannel ? [text['in-thread']({ count: items.length - maxInChannel })] : []),
    ...(skipped > 0 ? [text.skipped({ count: skipped })] : []),
  ];
  return fitted((size) => ({
    text: spoken([heading, ...named.map(({ line }) => line)]),
    blocks: [
      paragraph(heading, size),
      ...named.map(({ item, line }, place) =>
        lineWithButton(line, diagnoseButton(item, place, language), size),
      ),
      ...notes.map((each) => paragraph(each, size)),
      footer([text.checked({ workloads, at: takenAt })], size),
    ],
  }));
}

/** The full list, for the thread. */
export function renderDigestList({ items }: WeeklyDigest, { tell, language, hasTables }: Options): Message {
  const text = digestText[language];
  const heading = text.all({ count: items.length });
  const columns = listColumns[language];
  return withTable(hasTables, (size, form) => {
    const most = form === 'table' ? Math.min(maxRows, size.items * 4) : size.items;
    const fit = items.slice(0, most);
    const hidden = items.length - fit.length;
    return {
      text: spoken([heading]),
      blocks: [
        paragraph(heading, size),
        ...(form === 'table'
          ? table(
              [columns.workload, columns.problem, columns.state],
              fit.map(({ workload, confidence, summary }) => [
                say`${word(`${workload.namespace}/${workload.name}`)}`,
                tell(summary, language),
                digestText[language].certainty({ confidence }),
              ]),
              size,
            )
          : fit.map((item) => paragraph(lineOf(item, { tell, language }), size))),
        ...(hidden > 0 ? [paragraph(text.more({ count: hidden }), size)] : []),
      ],
    };
  });
}

/**
 * As if a person typed the request in the channel of the digest: only that person gets a result without a
 * problem.
 */
function diagnoseButton({ workload }: DigestItem, place: number, language: Language): Button {
  return button({
    actionId: `${actionIds.makeRequest}.${place}`,
    text: buttonTexts[language].diagnose,
    label: buttonTexts[language].chooseLabel(`${workload.namespace}/${workload.name}`),
    value: commandText('diagnose', workload),
  });
}

function lineOf({ summary, confidence }: DigestItem, { tell, language }: Omit<Options, 'hasTables'>): Prose {
  return digestText[language].line({ summary: tell(summary, language), confidence });
}
