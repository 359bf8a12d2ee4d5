import type { KnownBlock, ModalView } from '@slack/types';
import { commandText } from '../../../doctor/commands/command.js';
import { parseCommand } from '../../../doctor/commands/parse-command.js';
import type { Language } from '../../../engine/language/language.js';
import { code, type Prose, plain, quote, say, strong, word } from '../../../engine/language/prose.js';
import type { UnseenReason } from '../../../engine/objects/snapshot.js';
import type { FoundByName } from '../../../service/people/list-incidents.js';
import { actionIds, callbackIds, searchInputs } from './action-ids.js';
import { button, lineWithButton, paragraph, plainText } from './blocks.js';
import { linkedLine, type RecordsOptions, statusLineOf } from './incidents.js';
import { unseenReason, unseenWords } from './kind-words.js';
import type { Size } from './message.js';
import { fittedModal, modalFrame } from './modal.js';
import { scanText } from './scan.js';

/** Asks for a name, and where a card is posted if the person starts a diagnosis. */
export function renderSearch(language: Language, channel = ''): ModalView {
  const frame = searchFrame[language];
  const { name, channel: place } = searchInputs;
  return {
    ...modalFrame(frame.title, frame.close),
    callback_id: callbackIds.search,
    submit: plainText(frame.submit, 24),
    blocks: [
      {
        type: 'input',
        block_id: name.block,
        label: plainText(frame.name, 100),
        element: {
          type: 'plain_text_input',
          action_id: name.action,
          placeholder: plainText(frame.namePlaceholder, 150),
          max_length: 300,
        },
      },
      {
        type: 'input',
        block_id: place.block,
        optional: true,
        label: plainText(frame.channel, 100),
        hint: plainText(frame.channelHint, 150),
        element: {
          type: 'conversations_select',
          action_id: place.action,
          filter: { include: ['public', 'private'] },
          ...(/^[CG][A-Z0-9]{1,30}$/.test(channel) ? { initial_conversation: channel } : {}),
        },
      },
    ],
  };
}

export function renderSearching(language: Language): ModalView {
  return withBlocks(language, (size) => [paragraph(searchText[language].searching(), size)]);
}

/** Incidents with the way to their cards, and workloads with a button that starts a diagnosis. */
export function renderFound(found: FoundByName, channel: string, options: RecordsOptions): ModalView {
  const { language } = options;
  const text = searchText[language];
  const { incidents, workloads, near } = found;
  const isEmpty = incidents.length + workloads.length + near.length === 0;
  const view = withBlocks(language, (size) => [
    ...headed(incidents.length, text['incidents-heading'](), size),
    ...incidents.map((each) => linkedLine(each, statusLineOf(each.incident, options), options, size)),
    ...headed(workloads.length, text['workloads-heading'](), size),
    ...workloads.map((ref, position) => {
      const workload = `${ref.namespace}/${ref.name}`;
      const line = text.workload({ workload, kind: ref.kind, cluster: ref.cluster });
      return diagnoseLine(line, workload, commandText('diagnose', ref), position, language, size);
    }),
    ...headed(near.length, text['near-heading'](found), size),
    ...near.flatMap((name, position) => {
      const command = parseCommand(`diagnose ${name}`);
      if (command.type !== 'diagnose') return [];
      const request = commandText('diagnose', command.query);
      return [diagnoseLine([{ kind: 'code', text: name }], name, request, position, language, size)];
    }),
    ...(found.unreadable === undefined
      ? isEmpty
        ? [paragraph(text.nothing(found), size)]
        : []
      : [paragraph(text.unreadable({ because: unseenReason(found.unreadable) }), size)]),
  ]);
  return { ...view, private_metadata: JSON.stringify({ channel }) };
}

function headed(count: number, heading: Prose, size: Size): KnownBlock[] {
  return count === 0 ? [] : [paragraph(heading, size)];
}

function diagnoseLine(
  line: Prose,
  name: string,
  request: string,
  position: number,
  language: Language,
  size: Size,
): KnownBlock {
  return lineWithButton(
    line,
    button({
      actionId: `${actionIds.makeRequest}.${position}`,
      text: plain(scanText[language].diagnose()),
      about: name,
      value: request,
    }),
    size,
  );
}

function withBlocks(language: Language, render: (size: Size) => KnownBlock[]): ModalView {
  const frame = searchFrame[language];
  return { ...modalFrame(frame.title, frame.close), blocks: fittedModal(render) };
}

const en = {
  searching: () => say`Searching …`,
  'incidents-heading': () => say`${strong('Incidents')}`,
  'workloads-heading': () => say`${strong('Workloads')}`,
  workload: ({ workload, kind, cluster }: { workload: string; kind: string; cluster: string }) =>
    say`${code(workload)} · ${word(kind)} · cluster ${code(cluster)}`,
  'near-heading': ({ text }: { text: string }) =>
    say`No workload is named ${quote(text)}. Did you mean one of these?`,
  nothing: ({ text }: { text: string }) =>
    say`No workload or incident that you can view is named ${quote(text)}.`,
  unreadable: ({ because }: { because: UnseenReason }) =>
    say`The clusters could not be searched: ${word(unseenWords.en[because])}.`,
};

const ko: typeof en = {
  searching: () => say`검색 중 …`,
  'incidents-heading': () => say`${strong('인시던트')}`,
  'workloads-heading': () => say`${strong('워크로드')}`,
  workload: ({ workload, kind, cluster }) =>
    say`${code(workload)} · ${word(kind)} · 클러스터 ${code(cluster)}`,
  'near-heading': ({ text }) => say`${quote(text)} 이름의 워크로드가 없습니다. 다음 중 하나인가요?`,
  nothing: ({ text }) => say`볼 수 있는 워크로드와 인시던트 중에 ${quote(text)} 이름이 없습니다.`,
  unreadable: ({ because }) => say`클러스터를 검색하지 못했습니다: ${word(unseenWords.ko[because])}.`,
};

const searchText = { en, ko };

/** Frame and inputs of the modal; plain text within Slack's 24 characters for title and buttons. */
const searchFrame: Readonly<
  Record<
    Language,
    {
      readonly title: string;
      readonly submit: string;
      readonly close: string;
      readonly name: string;
      readonly namePlaceholder: string;
      readonly channel: string;
      readonly channelHint: string;
    }
  >
> = {
  en: {
    title: 'Search',
    submit: 'Search',
    close: 'Close',
    name: 'Workload',
    namePlaceholder: 'api, shop/api or deploy/api -n shop',
    channel: 'Channel for a new card',
    channelHint: 'If you start a diagnosis, its card is posted there.',
  },
  ko: {
    title: '검색',
    submit: '검색',
    close: '닫기',
    name: '워크로드',
    namePlaceholder: 'api, shop/api 또는 deploy/api -n shop',
    channel: '새 카드를 게시할 채널',
    channelHint: '진단을 시작하면 이 채널에 카드가 게시됩니다.',
  },
};
