import { say } from '#src/engine/language/prose.js';
import { statementsOf } from '#src/engine/language/statement.js';

const en = {
  name: () => say`raise the deadline`,
  title: ({ seconds }: { readonly seconds: number }) => say`Raise the progress deadline to ${seconds} s`,
  waits: () => say`Kubernetes waits longer before it reports the rollout as failed.`,
};

const ko: typeof en = {
  name: () => say`기한 연장`,
  title: ({ seconds }) => say`진행 기한을 ${seconds}초로 연장`,
  waits: () => say`Kubernetes가 롤아웃을 실패로 보고하기 전에 더 오래 기다립니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('raise-deadline');
