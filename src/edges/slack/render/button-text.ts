import type { Language } from '../../../engine/language/language.js';

/** The text of buttons and modal frames. Plain text. */
interface ButtonTexts {
  readonly review: string;
  /** The same for the recommended fix of a card. */
  readonly reviewFix: string;
  /** The same beside a pull request, which lasts longer. */
  readonly reviewNow: string;
  readonly proof: string;
  readonly share: string;
  readonly silence: string;
  /** Nobody is on the incident yet. */
  readonly assign: string;
  /** Somebody is. */
  readonly reassign: string;
  readonly takeOver: string;
  readonly handBack: string;
  readonly handOver: string;
  readonly diagnoseAgain: string;
  readonly undo: string;
  readonly removeExclusion: string;
  readonly reject: string;
  readonly rejectTitle: string;
  readonly rejectText: string;
  readonly keepOpen: string;
  readonly cancel: string;
  readonly search: string;
  readonly refresh: string;
  readonly toIncident: string;
  readonly showGroup: (workloads: number) => string;
  readonly groupTitle: string;
  readonly groupClose: string;
  readonly open: string;
  readonly diagnose: string;
  readonly nextPage: string;
  readonly previousPage: string;
}

export const buttonTexts: Readonly<Record<Language, ButtonTexts>> = {
  en: {
    review: 'Review',
    reviewFix: 'Review fix',
    reviewNow: 'Apply now…',
    proof: 'Show proof',
    share: 'Share',
    silence: 'Silence for 2 hours',
    assign: "I'm on it",
    reassign: 'Change who is on it',
    takeOver: 'Take over',
    handBack: 'Hand back',
    handOver: 'Hand over to …',
    diagnoseAgain: 'Diagnose again',
    undo: 'Undo',
    removeExclusion: 'Remove exclusion',
    reject: 'Reject',
    rejectTitle: 'Reject this change?',
    rejectText:
      'The review closes for everyone and nothing is changed. You can open a new review from the card.',
    keepOpen: 'Keep open',
    cancel: 'Cancel the change',
    search: '🔍 Search',
    refresh: 'Refresh',
    toIncident: 'View incident',
    showGroup: (workloads) => `Show all ${workloads} workloads`,
    groupTitle: 'Affected workloads',
    groupClose: 'Close',
    open: 'Open',
    diagnose: 'Diagnose',
    nextPage: 'Next page',
    previousPage: 'Previous page',
  },
  ko: {
    review: '검토',
    reviewFix: '조치 검토',
    reviewNow: '지금 적용…',
    proof: '근거 보기',
    share: '공유',
    silence: '2시간 동안 알림 끄기',
    assign: '제가 맡을게요',
    reassign: '담당자 변경',
    takeOver: '이어받기',
    handBack: '담당 내려놓기',
    handOver: '다른 사람에게 넘기기 …',
    diagnoseAgain: '다시 진단',
    undo: '되돌리기',
    removeExclusion: '제외 해제',
    reject: '거절',
    rejectTitle: '이 변경을 거절할까요?',
    rejectText:
      '모든 사용자의 검토가 닫히고 아무것도 변경되지 않습니다. 카드에서 검토를 새로 열 수 있습니다.',
    keepOpen: '계속 열어 두기',
    cancel: '변경 취소',
    search: '🔍 검색',
    refresh: '새로 고침',
    toIncident: '인시던트 보기',
    showGroup: (workloads) => `워크로드 ${workloads}개 모두 보기`,
    groupTitle: '영향받는 워크로드',
    groupClose: '닫기',
    open: '열기',
    diagnose: '진단',
    nextPage: '다음 페이지',
    previousPage: '이전 페이지',
  },
};
