import type { KnownBlock, ModalView } from '@slack/types';
import { commandText } from '../../../core/command/command-text.js';
import { parseCommand } from '../../../core/command/parse-command.js';
import type { Language } from '../../../core/language/language.js';
import { type Prose, plain } from '../../../core/language/prose.js';
import type { FoundByName } from '../../../usecases/people/find-by-name.js';
import { actionIds, callbackIds, searchInputs } from './action-ids.js';
import { button, lineWithButton, paragraph, plainText } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { linkedLine, type RecordsOptions, statusLineOf } from './incident-line.js';
import { unseenReason } from './kind-words.js';
import type { Size } from './message.js';
import { fittedModal, modalFrame } from './modal.js';
import { scanText } from './scan-text.js';
import { searchFrame, searchText } from './search-text.js';

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
  return withBlocks(language, (size) => [paragraph(searchText[language].searching({}), size)]);
}

/** Incidents with the way to their cards, and workloads with a button that starts a diagnosis. */
export function renderFound(found: FoundByName, channel: string, options: RecordsOptions): ModalView {
  const { language } = options;
  const text = searchText[language];
  const { incidents, workloads, near } = found;
  const isEmpty = incidents.length + workloads.length + near.length === 0;
  const view = withBlocks(language, (size) => [
    ...headed(incidents.length, text['incidents-heading']({}), size),
    ...incidents.map((each) => linkedLine(each, statusLineOf(each.incident, options), options, size)),
    ...headed(workloads.length, text['workloads-heading']({}), size),
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
      text: plain(scanText[language].diagnose({})),
      label: buttonTexts[language].chooseLabel(name),
      value: request,
    }),
    size,
  );
}

function withBlocks(language: Language, render: (size: Size) => KnownBlock[]): ModalView {
  const frame = searchFrame[language];
  return { ...modalFrame(frame.title, frame.close), blocks: fittedModal(render) };
}
