import type { ActionsBlock, KnownBlock } from '@slack/types';
import type { Incident } from '../../../doctor/incidents/incident.js';
import type { Tell } from '../../../engine/language/catalogue.js';
import type { Language } from '../../../engine/language/language.js';
import { code, moment, type Prose, person, say } from '../../../engine/language/prose.js';
import type { Assigned } from '../../../service/people/assign-incident.js';
import { actionIds, handOverBlock, takeOverValue } from './action-ids.js';
import { actions, button, paragraph, plainText, renderNotice } from './blocks.js';
import { buttonTexts } from './button-text.js';
import { workloadName } from './card-context.js';
import { fitted, type Message, spoken } from './message.js';

/** Who works on the incident now, to the person who pressed, with what they can do about it. */
export function renderAssigned(
  outcome: Assigned,
  { tell, language }: { tell: Tell; language: Language },
): Message {
  if (outcome.type === 'refused') return renderNotice(tell(outcome.because, language));
  const text = assigneeText[language];
  const { incident } = outcome;
  const workload = workloadName(incident);
  switch (outcome.type) {
    case 'free':
      return renderNotice(text.free({ workload }));
    case 'yours':
      return outcome.isNew
        ? renderNotice(text.yours({ workload }))
        : withActions(text['yours-since']({ workload, at: outcome.since }), [handOn(incident, language)]);
    case 'held': {
      const { by, at } = outcome.assignee;
      if (outcome.isNew) return renderNotice(text.theirs({ workload, by }));
      return withActions(
        text['theirs-since']({ workload, by, at }),
        actions([takeOverButton(incident, by, language)]),
      );
    }
  }
}

export function takeOverButton(incident: Incident, from: string, language: Language) {
  const texts = buttonTexts[language];
  const about = workloadName(incident);
  const value = takeOverValue(incident.id, from);
  return button({ actionId: actionIds.takeOver, text: texts.takeOver, about, value });
}

export function handBackButton(incident: Incident, language: Language) {
  const texts = buttonTexts[language];
  const about = workloadName(incident);
  return button({ actionId: actionIds.handBack, text: texts.handBack, about, value: incident.id });
}

/** Hand back, or choose a person. */
function handOn(incident: Incident, language: Language): ActionsBlock {
  const placeholder = plainText(buttonTexts[language].handOver, 150);
  return {
    type: 'actions',
    block_id: handOverBlock(incident.id),
    elements: [
      handBackButton(incident, language),
      { type: 'users_select', action_id: actionIds.handOver, placeholder },
    ],
  };
}

function withActions(says: Prose, blocks: readonly KnownBlock[]): Message {
  return fitted((size) => ({ text: spoken([says]), blocks: [paragraph(says, size), ...blocks] }));
}

const en = {
  yours: ({ workload }: { workload: string }) => say`You are on ${code(workload)} now. The card states it.`,
  'yours-since': ({ workload, at }: { workload: string; at: string }) =>
    say`You have been on ${code(workload)} since ${moment(at)}.`,
  theirs: ({ workload, by }: { workload: string; by: string }) =>
    say`${person(by)} is on ${code(workload)} now.`,
  'theirs-since': ({ workload, by, at }: { workload: string; by: string; at: string }) =>
    say`${person(by)} has been on ${code(workload)} since ${moment(at)}. Your click changed nothing.`,
  free: ({ workload }: { workload: string }) => say`You are no longer on ${code(workload)}.`,
};

const ko: typeof en = {
  yours: ({ workload }) => say`이제 ${code(workload)} 담당자입니다. 카드에 표시됩니다.`,
  'yours-since': ({ workload, at }) => say`${moment(at)}부터 ${code(workload)} 담당자입니다.`,
  theirs: ({ workload, by }) => say`이제 ${person(by)} 님이 ${code(workload)} 담당자입니다.`,
  'theirs-since': ({ workload, by, at }) =>
    say`${person(by)} 님이 ${moment(at)}부터 ${code(workload)} 담당자입니다. 담당자는 바뀌지 않았습니다.`,
  free: ({ workload }) => say`${code(workload)} 담당을 내려놓았습니다.`,
};

const assigneeText = { en, ko };
