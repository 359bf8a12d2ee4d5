import { useSlack } from './slack-store.js';

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
