import type { Button } from '@slack/types';
import type { WebClient } from '@slack/web-api';
import { commandText } from '../../doctor/commands/command.js';
import type { Confidence } from '../../doctor/findings/cause-id.js';
import type { DigestItem, WeeklyDigest } from '../../doctor/scans/weekly-digest.js';
import type { Tell } from '../../engine/language/catalogue.js';
import type { Language } from '../../engine/language/language.js';
import { code, moment, type Prose, say, word } from '../../engine/language/prose.js';
import { counted } from '../../engine/language/words.js';
import type { DigestBoard } from '../../service/diagnose/run-digest.js';
import { callSlack } from './call-slack.js';
import { findMessage, metadataType } from './find-message.js';
import { sendWithTable } from './plain-message.js';
import { actionIds } from './render/action-ids.js';
import { button, footer, lineWithButton, paragraph } from './render/blocks.js';
import { buttonTexts } from './render/button-text.js';
import { confidenceWords } from './render/kind-words.js';
import { listColumns, table, withTable } from './render/list-columns.js';
import { fitted, type Message, spoken } from './render/message.js';

interface SlackDigestBoardOptions {
  readonly client: WebClient;
  readonly tell: Tell;
  readonly languageOfChannel: (channel: string) => Language;
  readonly hasTables: boolean;
}

/**
 * Posts the weekly digest in its channel, and the full list in the thread of it where the message names only
 * some.
 */
export function createSlackDigestBoard({
  client,
  tell,
  languageOfChannel,
  hasTables,
}: SlackDigestBoardOptions): DigestBoard {
  const quiet = { unfurl_links: false, unfurl_media: false } as const;
  return {
    async postDigest(channel, digest, key) {
      const options = { tell, language: languageOfChannel(channel), hasTables };
      const { text, blocks } = renderDigest(digest, options);
      const metadata = { event_type: metadataType, event_payload: { key } };
      const answer = await callSlack(() =>
        client.chat.postMessage({ channel, text, blocks, metadata, ...quiet }),
      );
      if (answer.type !== 'answered') return answer;
      const { ts = '' } = answer.result;
      if (digest.items.length > maxInChannel) {
        // The message is there: a list that Slack does not take is no reason to post it again.
        await callSlack(() =>
          sendWithTable(renderDigestList(digest, options), (list) =>
            client.chat.postMessage({
              channel,
              text: list.text,
              blocks: list.blocks,
              thread_ts: ts,
              ...quiet,
            }),
          ),
        );
      }
      return { type: 'shown', channel, ts };
    },
    findDigest: (channel, key, since) => findMessage(client, { channel, threadTs: undefined }, key, since),
  };
}

type Options = { readonly tell: Tell; readonly language: Language; readonly hasTables: boolean };

/** Workloads that the message in the channel names; the thread has all of them. */
const maxInChannel = 5;
/** Rows of the list in the thread. */
const maxRows = 50;

/** One message of at most the size of a card. */
export function renderDigest(digest: WeeklyDigest, { tell, language }: Options): Message {
  const text = digestText[language];
  const { cluster, items, workloads, skipped, takenAt } = digest;
  const heading =
    items.length === 0
      ? text.none({ cluster, workloads })
      : text.heading({
          cluster,
          count: countWorkloads(items),
          proven: countWorkloads(items.filter(({ confidence }) => confidence === 'proven')),
        });
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

/** Workloads; one may have several findings. */
function countWorkloads(items: readonly DigestItem[]): number {
  return new Set(items.map(({ workload: { kind, namespace, name } }) => `${kind} ${namespace}/${name}`)).size;
}

/** The full list, for the thread. */
export function renderDigestList({ items }: WeeklyDigest, { tell, language, hasTables }: Options): Message {
  const text = digestText[language];
  const heading = text.all({ count: countWorkloads(items) });
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
    about: `${workload.namespace}/${workload.name}`,
    value: commandText('diagnose', workload),
  });
}

function lineOf({ summary, confidence }: DigestItem, { tell, language }: Omit<Options, 'hasTables'>): Prose {
  return digestText[language].line({ summary: tell(summary, language), confidence });
}

const en = {
  heading: ({ cluster, count, proven }: { cluster: string; count: number; proven: number }) =>
    proven === count
      ? say`The next update of ${counted(count, 'workload', 'workloads')} deadlocks in cluster ${code(cluster)}.`
      : say`The next update of ${counted(count, 'workload', 'workloads')} may deadlock in cluster ${code(cluster)} (${proven} proven).`,
  none: ({ cluster, workloads }: { cluster: string; workloads: number }) =>
    say`No deadlock was found in the next update of ${counted(workloads, 'workload', 'workloads')} in cluster ${code(cluster)}.`,
  line: ({ summary, confidence }: { summary: Prose; confidence: Confidence }) =>
    say`${summary} (${word(confidence)})`,
  certainty: ({ confidence }: { confidence: Confidence }) => say`${word(confidence)}`,
  more: ({ count }: { count: number }) => say`${count} more`,
  'in-thread': ({ count }: { count: number }) => say`The thread lists ${count} more.`,
  skipped: ({ count }: { count: number }) =>
    say`${counted(count, 'workload', 'workloads')} could not be checked.`,
  checked: ({ workloads, at }: { workloads: number; at: string }) =>
    say`${counted(workloads, 'workload', 'workloads')} checked ${moment(at)}`,
  all: ({ count }: { count: number }) =>
    say`All ${counted(count, 'workload', 'workloads')} whose next update deadlocks or may deadlock:`,
};

const ko: typeof en = {
  heading: ({ cluster, count, proven }) =>
    proven === count
      ? say`${code(cluster)} 클러스터에서 워크로드 ${count}개의 다음 업데이트가 교착 상태에 빠집니다.`
      : say`${code(cluster)} 클러스터에서 워크로드 ${count}개의 다음 업데이트가 교착 상태에 빠질 수 있습니다(증명됨 ${proven}개).`,
  none: ({ cluster, workloads }) =>
    say`${code(cluster)} 클러스터에서 워크로드 ${workloads}개의 다음 업데이트를 확인했으며, 교착 상태를 찾지 못했습니다.`,
  line: ({ summary, confidence }) => say`${summary} (${word(confidenceWords.ko[confidence])})`,
  certainty: ({ confidence }) => say`${word(confidenceWords.ko[confidence])}`,
  more: ({ count }) => say`외 ${count}개`,
  'in-thread': ({ count }) => say`나머지 ${count}개는 스레드에 있습니다.`,
  skipped: ({ count }) => say`워크로드 ${count}개는 확인하지 못했습니다.`,
  checked: ({ workloads, at }) => say`워크로드 ${workloads}개 확인, ${moment(at)}`,
  all: ({ count }) => say`다음 업데이트가 교착 상태에 빠지거나 빠질 수 있는 워크로드 ${count}개:`,
};

const digestText = { en, ko };
