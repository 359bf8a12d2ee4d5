import type { Language } from '#src/engine/language/language.js';

const en = {
  title: 'Local Git host (demo)',
  pulls: 'Pull requests',
  none: 'No pull request is open or closed yet. Open one from a card.',
  open: 'Open',
  merged: 'Merged',
  closed: 'Closed',
  into: 'into',
  changes: 'Changed lines',
  merge: 'Merge pull request',
  close: 'Close without merging',
  afterMerge:
    'Merged. The owner of the workload applies the commit within seconds. The card in Slack states the result.',
  afterClose: 'Closed without a merge. The card in Slack states it.',
  notFound: 'This page does not exist.',
};

const ko: typeof en = {
  title: '로컬 Git 호스트(데모)',
  pulls: '풀 리퀘스트',
  none: '아직 풀 리퀘스트가 없습니다. 카드에서 하나를 열어 보세요.',
  open: '열림',
  merged: '병합됨',
  closed: '닫힘',
  into: '→',
  changes: '변경된 줄',
  merge: '풀 리퀘스트 병합',
  close: '병합하지 않고 닫기',
  afterMerge:
    '병합되었습니다. 워크로드를 관리하는 도구가 몇 초 안에 커밋을 적용합니다. 결과는 Slack 카드에 표시됩니다.',
  afterClose: '병합하지 않고 닫았습니다. Slack 카드에도 표시됩니다.',
  notFound: '존재하지 않는 페이지입니다.',
};

export const pageText: Readonly<Record<Language, typeof en>> = { en, ko };
