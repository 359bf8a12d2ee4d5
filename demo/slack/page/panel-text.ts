import { useReader, useSlack } from './slack-store.js';

const en = {
  connected: 'Demo: app connected',
  notConnected: 'Demo: app not connected',
  run: 'Run',
  recovered: 'recovered',
  gitHost: 'Pull requests of the Git host',
  failed: 'That did not work.',
};

const ko: typeof en = {
  connected: '데모: 앱 연결됨',
  notConnected: '데모: 앱 연결 안 됨',
  run: '실행',
  recovered: '복구됨',
  gitHost: 'Git 호스트의 풀 리퀘스트',
  failed: '처리하지 못했습니다.',
};

/**
 * Language of the page's own words beside a channel: Korean in a Korean channel, else as the demo was
 * started.
 */
export function usePanelLanguage(channel: string | undefined): 'en' | 'ko' {
  const { demo } = useSlack();
  if (channel !== undefined && demo?.koreanChannels.includes(channel) === true) return 'ko';
  return demo?.language ?? 'en';
}

export const panelText = { en, ko };

/** What Slack writes around channels, in the language of the reader. */
const frames = {
  en: {
    youPlay: 'You play',
    noGroup: 'in no user group',
    channels: 'Channels',
    direct: 'Direct messages',
    apps: 'Apps',
    thread: 'Thread',
    write: 'Message, or / for a command',
    reply: 'Reply…',
    send: 'Send',
    notSlack: 'DEMO, not Slack.',
    forgotten: 'Everything here runs on this machine and is forgotten when it stops.',
  },
  ko: {
    youPlay: '역할',
    noGroup: '사용자 그룹 없음',
    channels: '채널',
    direct: '다이렉트 메시지',
    apps: '앱',
    thread: '스레드',
    write: '메시지 또는 / 명령 입력',
    reply: '댓글 입력…',
    send: '보내기',
    notSlack: '데모입니다. Slack이 아닙니다.',
    forgotten: '모든 것이 이 컴퓨터에서 실행되며, 멈추면 사라집니다.',
  },
} as const;

export function useFrame(): (typeof frames)['en' | 'ko'] {
  return frames[useReader().locale.startsWith('ko') ? 'ko' : 'en'];
}
