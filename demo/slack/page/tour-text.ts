import type { TourStep } from '../demo-state.js';

export interface TourText {
  readonly tour: string;
  readonly hide: string;
  readonly playSam: string;
  readonly finished: string;
  readonly steps: Readonly<Record<TourStep, { readonly label: string; readonly hint: string }>>;
}

const en: TourText = {
  tour: 'Tour',
  hide: 'Hide the tour',
  playSam: 'Play Sam',
  finished: 'You have seen the whole flow. Reset the demo to start again.',
  steps: {
    ask: { label: 'Ask', hint: 'Press Run beside "GPU deadlock" to ask why its rollout is stuck.' },
    proof: { label: 'Show proof', hint: 'Open the reasoning behind the card. You can skip this step.' },
    review: { label: 'Review fix', hint: 'Press Review fix to see the change, its cost and a dry run.' },
    apply: {
      label: 'Apply',
      hint: 'Type a reason in the review, press Apply, and watch the pods in the cluster view.',
    },
    undo: { label: 'Undo', hint: 'Press Undo on the card, or review a fix as Sam, who may not approve.' },
  },
};

const ko: TourText = {
  tour: '둘러보기',
  hide: '둘러보기 닫기',
  playSam: 'Sam으로 전환',
  finished: '모든 단계를 마쳤습니다. 다시 시작하려면 데모를 초기화하세요.',
  steps: {
    ask: { label: '질문', hint: '"GPU 교착 상태" 옆의 실행을 눌러 롤아웃이 멈춘 이유를 물어보세요.' },
    proof: { label: '근거 보기', hint: '카드의 판단 근거를 열어 보세요. 건너뛰어도 됩니다.' },
    review: { label: '조치 검토', hint: '조치 검토를 눌러 변경 내용, 영향, 드라이런 결과를 확인하세요.' },
    apply: {
      label: '적용',
      hint: '검토 창에 사유를 입력하고 적용을 누른 뒤 파드가 교체되는 과정을 지켜보세요.',
    },
    undo: {
      label: '되돌리기',
      hint: '카드에서 되돌리기를 누르거나, 승인 권한이 없는 Sam으로 검토해 보세요.',
    },
  },
};

export const tourText = { en, ko };
