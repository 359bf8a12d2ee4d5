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

/** What Slack writes around channels and messages, in the language of the reader. */
const frames = {
  en: {
    language: 'en',
    youPlay: 'You play',
    noGroup: 'in no user group',
    channels: 'Channels',
    direct: 'Direct messages',
    apps: 'Apps',
    home: 'Home',
    thread: 'Thread',
    write: 'Message, or / for a command',
    writeTo: (channel: string) => `Message ${channel}, or / for a command`,
    messagesIn: (channel: string) => `Messages in ${channel}`,
    noMessages: 'No messages yet.',
    noMessagesTry: (command: string) => `No messages yet. Try ${command}`,
    reply: 'Reply…',
    send: 'Send',
    notSlack: 'DEMO, not Slack.',
    onlyYou: 'Only visible to you',
    replies: (count: number) => `${count} ${count === 1 ? 'reply' : 'replies'}`,
    lastAt: 'last at',
    edited: '(edited)',
    replyInThread: 'Reply in thread',
    more: 'More actions',
    back: 'Back',
    close: 'Close',
    closeThread: 'Close thread',
    table: 'Table',
    reactions: 'Reactions',
    workspace: 'Workspace',
    showMenu: 'Show channels and demo',
    hideMenu: 'Hide channels and demo',
    lost: 'Connection lost, trying again…',
    threadMessages: 'Messages of the thread',
    gone: 'This message is gone.',
    unread: 'unread',
    nothingPublished: 'The app has not published anything here.',
    optional: '(optional)',
    forgotten: 'Everything here runs on this machine and is forgotten when it stops.',
  },
  ko: {
    language: 'ko',
    youPlay: '역할',
    noGroup: '사용자 그룹 없음',
    channels: '채널',
    direct: '다이렉트 메시지',
    apps: '앱',
    home: '홈',
    thread: '스레드',
    write: '메시지 또는 / 명령 입력',
    writeTo: (channel: string) => `${channel} 채널에 메시지 또는 / 명령 입력`,
    messagesIn: (channel: string) => `${channel} 채널의 메시지`,
    noMessages: '아직 메시지가 없습니다.',
    noMessagesTry: (command: string) => `아직 메시지가 없습니다. ${command} 명령을 입력해 보세요.`,
    reply: '댓글 입력…',
    send: '보내기',
    notSlack: '데모입니다. Slack이 아닙니다.',
    onlyYou: '나에게만 표시',
    replies: (count: number) => `댓글 ${count}개`,
    lastAt: '마지막 댓글',
    edited: '(편집됨)',
    replyInThread: '스레드에 댓글 달기',
    more: '추가 작업',
    back: '뒤로',
    close: '닫기',
    closeThread: '스레드 닫기',
    table: '표',
    reactions: '반응',
    workspace: '워크스페이스',
    showMenu: '채널과 데모 보기',
    hideMenu: '채널과 데모 숨기기',
    lost: '연결이 끊어져 다시 시도하는 중…',
    threadMessages: '스레드의 메시지',
    gone: '이 메시지는 더 이상 없습니다.',
    unread: '개 읽지 않음',
    nothingPublished: '앱이 아직 아무것도 게시하지 않았습니다.',
    optional: '(선택 사항)',
    forgotten: '모든 것이 이 컴퓨터에서 실행되며, 멈추면 사라집니다.',
  },
} as const;

export function useFrame(): (typeof frames)['en' | 'ko'] {
  return frames[useReader().locale.startsWith('ko') ? 'ko' : 'en'];
}
