import type { Language } from '../../../core/language/language.js';
import { answersText } from '../render/answers-text.js';
import type { Message } from '../render/message.js';
import { renderNotice } from '../render/notice.js';
import type { Asker } from './asker.js';
import type { ListenerDeps, OtherRequest } from './deps.js';

/** Answers a request that is not a diagnosis, or says that this installation does not. */
export async function answerOther(deps: ListenerDeps, asker: Asker, request: OtherRequest): Promise<void> {
  const language = await deps.people.languageOf(asker.user);
  await asker.answer((await ask(deps, asker, request, language)) ?? notWired(request, language));
}

export function isWired({ others }: ListenerDeps, { type }: OtherRequest): boolean {
  return others?.[type] !== undefined;
}

export function notWired({ type }: OtherRequest, language: Language): Message {
  const text = answersText[language];
  return renderNotice(text['not-wired']({ request: type }), text['try-help']({}));
}

async function ask(
  { others }: ListenerDeps,
  { user, channel, threadTs }: Asker,
  request: OtherRequest,
  language: Language,
): Promise<Message | undefined> {
  const asker = { user, channel, threadTs, language };
  switch (request.type) {
    case 'explain':
      return others?.explain?.(request, asker);
    case 'scan':
      return others?.scan?.(request, asker);
    case 'incidents':
      return others?.incidents?.(request, asker);
    case 'history':
      return others?.history?.(request, asker);
    case 'audit':
      return others?.audit?.(request, asker);
    case 'silence':
      return others?.silence?.(request, asker);
    case 'unsilence':
      return others?.unsilence?.(request, asker);
    case 'silences':
      return others?.silences?.(request, asker);
    case 'changes':
      return others?.changes?.(request, asker);
    case 'stop-changes':
      return others?.['stop-changes']?.(request, asker);
    case 'allow-changes':
      return others?.['allow-changes']?.(request, asker);
  }
}
