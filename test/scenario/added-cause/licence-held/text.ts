import { code, say } from '#src/engine/language/prose.js';
import { statementsOf } from '#src/engine/language/statement.js';

const en = {
  'shared-failure': () => say`pods wait for a licence`,
  summary: ({ workload, node }: { readonly workload: string; readonly node: string }) =>
    say`${code(workload)} waits for a licence of ${code(node)} that its own old pod uses`,
};

const ko: typeof en = {
  'shared-failure': () => say`라이선스를 기다리는 중`,
  summary: ({ workload, node }) =>
    say`${code(workload)} 롤아웃이 이전 파드가 사용 중인 ${code(node)} 노드의 라이선스를 기다립니다`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('licence-held');
