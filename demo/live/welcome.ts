import type { Language } from '#src/engine/language/language.js';
import { demoIncidents } from '../cluster/seed/demo-incidents.js';
import type { BotPost } from '../slack/acting/speaking.js';

const texts = {
  en: {
    heading: 'Five incidents are waiting',
    intro: 'Press *Run*. Rollout Doctor diagnoses the workload and posts a card here.',
    run: 'Run',
    more: 'Or press *Deploy a bad version* in the demo panel: the app finds that deadlock without being asked.',
  },
  ko: {
    heading: '예시 인시던트 5건',
    intro: '*실행*을 누르면 Rollout Doctor가 워크로드를 진단하고 이 채널에 카드를 올립니다.',
    run: '실행',
    more: '데모 패널의 *잘못된 버전 배포*를 누르면, 요청하지 않아도 앱이 교착 상태를 찾아 알립니다.',
  },
} satisfies Record<Language, Record<string, string>>;

/** Action of the app whose value is a command as people type it. */
const makeRequest = 'request.make';

/** The first message of a channel: the prepared incidents, each with a button that the app itself answers. */
export function welcomeMessage(language: Language): BotPost {
  const text = texts[language];
  return {
    text: text.heading,
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: text.heading } },
      section(text.intro),
      ...demoIncidents.map(({ title, summary, workload }, index) => ({
        ...section(`*${title[language]}*\n${summary[language]}`),
        accessory: {
          type: 'button',
          action_id: `${makeRequest}.${index}`,
          text: { type: 'plain_text', text: text.run },
          accessibility_label: `${text.run}: ${title[language]}`,
          value: workload,
          ...(index === 0 ? { style: 'primary' } : {}),
        },
      })),
      { type: 'context', elements: [{ type: 'mrkdwn', text: text.more }] },
    ],
  };
}

function section(text: string) {
  return { type: 'section', text: { type: 'mrkdwn', text } };
}
