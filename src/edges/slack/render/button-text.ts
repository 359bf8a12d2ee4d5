import type { Language } from '../../../engine/language/language.js';

/** The text of buttons and modal frames, and their accessibility labels for screen readers. Plain text. */
export interface ButtonTexts {
  readonly review: string;
  /** The same for the recommended fix of a card. */
  readonly reviewFix: string;
  /** The same beside a pull request, which lasts longer. */
  readonly reviewNow: string;
  readonly reviewLabel: (title: string, workload: string) => string;
  readonly proof: string;
  readonly proofLabel: (workload: string) => string;
  readonly share: string;
  readonly shareLabel: (workload: string) => string;
  readonly menuLabel: (workload: string) => string;
  readonly silence: string;
  /** Nobody is on the incident yet. */
  readonly assign: string;
  readonly assignLabel: (workload: string) => string;
  /** Somebody is. */
  readonly reassign: string;
  readonly takeOver: string;
  readonly takeOverLabel: (workload: string) => string;
  readonly handBack: string;
  readonly handBackLabel: (workload: string) => string;
  readonly handOver: string;
  readonly diagnoseAgain: string;
  readonly diagnoseAgainLabel: (workload: string) => string;
  readonly undo: string;
  readonly undoLabel: (workload: string) => string;
  readonly removeExclusion: string;
  readonly removeExclusionLabel: (workload: string) => string;
  readonly reject: string;
  readonly rejectLabel: (workload: string) => string;
  readonly rejectTitle: string;
  readonly rejectText: string;
  readonly keepOpen: string;
  readonly cancel: string;
  readonly cancelLabel: (workload: string) => string;
  readonly chooseLabel: (workload: string) => string;
  readonly search: string;
  readonly searchLabel: string;
  readonly refresh: string;
  readonly toIncident: string;
  readonly toIncidentLabel: (workload: string) => string;
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
    reviewLabel: (title, workload) => `Review for ${workload}: ${title}`,
    proof: 'Show proof',
    proofLabel: (workload) => `Show the reasoning and evidence for ${workload}`,
    share: 'Share',
    shareLabel: (workload) => `Share the result for ${workload} with the channel`,
    menuLabel: (workload) => `Other fixes and actions for ${workload}`,
    silence: 'Silence for 2 hours',
    assign: "I'm on it",
    assignLabel: (workload) => `I'm on it: ${workload}`,
    reassign: 'Change who is on it',
    takeOver: 'Take over',
    takeOverLabel: (workload) => `Take over the incident of ${workload}`,
    handBack: 'Hand back',
    handBackLabel: (workload) => `Hand back the incident of ${workload}`,
    handOver: 'Hand over to …',
    diagnoseAgain: 'Diagnose again',
    diagnoseAgainLabel: (workload) => `Diagnose again: ${workload}`,
    undo: 'Undo',
    undoLabel: (workload) => `Review the undo of the change to ${workload}`,
    removeExclusion: 'Remove exclusion',
    removeExclusionLabel: (workload) => `Review removing the node exclusion of ${workload}`,
    reject: 'Reject',
    rejectLabel: (workload) => `Reject the change to ${workload}`,
    rejectTitle: 'Reject this change?',
    rejectText:
      'The review closes for everyone and nothing is changed. You can open a new review from the card.',
    keepOpen: 'Keep open',
    cancel: 'Cancel the change',
    cancelLabel: (workload) => `Cancel the change to ${workload} before it is sent`,
    chooseLabel: (workload) => `Diagnose ${workload}`,
    search: '🔍 Search',
    searchLabel: 'Search workloads and incidents, or start a diagnosis',
    refresh: 'Refresh',
    toIncident: 'View incident',
    toIncidentLabel: (workload) => `View the incident of ${workload}`,
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
    reviewLabel: (title, workload) => `${workload} 검토: ${title}`,
    proof: '근거 보기',
    proofLabel: (workload) => `${workload} 진단 근거 보기`,
    share: '공유',
    shareLabel: (workload) => `${workload} 진단 결과를 채널에 공유`,
    menuLabel: (workload) => `${workload} 다른 조치와 작업`,
    silence: '2시간 동안 알림 끄기',
    assign: '제가 맡을게요',
    assignLabel: (workload) => `${workload} 인시던트 맡기`,
    reassign: '담당자 변경',
    takeOver: '이어받기',
    takeOverLabel: (workload) => `${workload} 인시던트 이어받기`,
    handBack: '담당 내려놓기',
    handBackLabel: (workload) => `${workload} 인시던트 담당 내려놓기`,
    handOver: '다른 사람에게 넘기기 …',
    diagnoseAgain: '다시 진단',
    diagnoseAgainLabel: (workload) => `${workload} 다시 진단`,
    undo: '되돌리기',
    undoLabel: (workload) => `${workload} 변경 되돌리기 검토`,
    removeExclusion: '제외 해제',
    removeExclusionLabel: (workload) => `${workload} 노드 제외 해제 검토`,
    reject: '거절',
    rejectLabel: (workload) => `${workload} 변경 거절`,
    rejectTitle: '이 변경을 거절할까요?',
    rejectText:
      '모든 사용자의 검토가 닫히고 아무것도 변경되지 않습니다. 카드에서 검토를 새로 열 수 있습니다.',
    keepOpen: '계속 열어 두기',
    cancel: '변경 취소',
    cancelLabel: (workload) => `${workload} 변경을 보내기 전에 취소`,
    chooseLabel: (workload) => `${workload} 진단`,
    search: '🔍 검색',
    searchLabel: '워크로드와 인시던트를 검색하거나 진단 시작',
    refresh: '새로 고침',
    toIncident: '인시던트 보기',
    toIncidentLabel: (workload) => `${workload} 인시던트 보기`,
    showGroup: (workloads) => `워크로드 ${workloads}개 모두 보기`,
    groupTitle: '영향받는 워크로드',
    groupClose: '닫기',
    open: '열기',
    diagnose: '진단',
    nextPage: '다음 페이지',
    previousPage: '이전 페이지',
  },
};
