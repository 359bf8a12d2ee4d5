import type { Language } from '../../../core/language/language.js';

/** What stands on buttons and in modal frames, with the label that screen readers say. Plain text. */
export interface ButtonTexts {
  readonly review: string;
  readonly reviewLabel: (title: string, workload: string) => string;
  readonly lookAgain: string;
  readonly lookAgainLabel: (workload: string) => string;
  readonly undo: string;
  readonly undoLabel: (workload: string) => string;
  readonly lift: string;
  readonly liftLabel: (workload: string) => string;
  readonly reject: string;
  readonly rejectLabel: (workload: string) => string;
  readonly rejectTitle: string;
  readonly rejectText: string;
  readonly keep: string;
  readonly cancel: string;
  readonly cancelLabel: (workload: string) => string;
  readonly chooseLabel: (workload: string) => string;
  readonly toIncident: string;
  readonly toIncidentLabel: (workload: string) => string;
}

export const buttonTexts: Readonly<Record<Language, ButtonTexts>> = {
  en: {
    review: 'Review',
    reviewLabel: (title, workload) => `Review for ${workload}: ${title}`,
    lookAgain: 'Look again',
    lookAgainLabel: (workload) => `Look again at ${workload}`,
    undo: 'Undo',
    undoLabel: (workload) => `Review the undo of the change to ${workload}`,
    lift: 'Lift it',
    liftLabel: (workload) => `Review lifting the exclusion of nodes for ${workload}`,
    reject: 'Reject',
    rejectLabel: (workload) => `Reject the change to ${workload}`,
    rejectTitle: 'Reject this change?',
    rejectText:
      'The review closes for everybody and nothing is changed. A new review can be opened from the card.',
    keep: 'Keep it open',
    cancel: 'Cancel the change',
    cancelLabel: (workload) => `Cancel the change to ${workload} before it is sent`,
    chooseLabel: (workload) => `Diagnose ${workload}`,
    toIncident: 'Open the incident',
    toIncidentLabel: (workload) => `Open the incident of ${workload}`,
  },
  ko: {
    review: '검토',
    reviewLabel: (title, workload) => `${workload} 검토: ${title}`,
    lookAgain: '다시 보기',
    lookAgainLabel: (workload) => `${workload} 다시 보기`,
    undo: '되돌리기',
    undoLabel: (workload) => `${workload} 변경 되돌리기 검토`,
    lift: '제외 풀기',
    liftLabel: (workload) => `${workload} 노드 제외 풀기 검토`,
    reject: '거절',
    rejectLabel: (workload) => `${workload} 변경 거절`,
    rejectTitle: '이 변경을 거절할까요?',
    rejectText: '모두에게 검토가 닫히고 아무것도 변경되지 않습니다. 카드에서 검토를 새로 열 수 있습니다.',
    keep: '계속 열어 두기',
    cancel: '변경 취소',
    cancelLabel: (workload) => `${workload} 변경을 보내기 전에 취소`,
    chooseLabel: (workload) => `${workload} 진단`,
    toIncident: '인시던트 열기',
    toIncidentLabel: (workload) => `${workload} 인시던트 열기`,
  },
};
