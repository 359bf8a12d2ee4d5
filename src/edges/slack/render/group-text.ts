import type { SharedRoot } from '../../../doctor/incidents/shared-root.js';
import type { Catalogue } from '../../../engine/language/catalogue.js';
import { code, type Prose, say, sentences, word } from '../../../engine/language/prose.js';
import { counted, names } from '../../../engine/language/words.js';

export type GroupShapes = {
  /** On the card of one workload that leads; names are `namespace/name`. */
  readonly others: {
    readonly root: SharedRoot;
    readonly affected: readonly string[];
    readonly recovered: readonly string[];
    readonly shown: number;
  };
  /** On the card of another one. */
  readonly same: { readonly root: SharedRoot; readonly lead: string };
  /** The title of a group. `failure`: what the workloads have in common where nothing else is to blame. */
  readonly affected: { readonly root: SharedRoot; readonly failure: Prose; readonly count: number };
  readonly recovered: { readonly root: SharedRoot; readonly count: number };
  readonly alerts: { readonly count: number };
  /** In the fewest words. */
  readonly ready: { readonly pods: number; readonly wanted: number };
  readonly namespaces: { readonly count: number };
  readonly 'some-recovered': { readonly count: number };
  readonly more: { readonly count: number };
  readonly page: { readonly from: number; readonly to: number; readonly of: number };
  readonly opened: { readonly workload: string };
  readonly 'not-opened': Record<never, never>;
  readonly loading: Record<never, never>;
};

/** Workloads with the same node, quota, registry or kind of failure. */
export const groupText: Catalogue<GroupShapes> = {
  en: {
    others: ({ root, affected, recovered, shown }) =>
      affected.length === 0
        ? say`The same ${english(root)} no longer affects other workloads: ${names('en', recovered, shown)}.`
        : sentences(
            say`The same ${english(root)} also affects ${counted(affected.length, 'other workload', 'other workloads')}: ${names('en', affected, shown)}.`,
            recovered.length === 0 ? [] : say`No longer affected: ${names('en', recovered, shown)}.`,
          ),
    same: ({ root, lead }) => say`The same ${english(root)} also affects ${code(lead)}.`,
    affected: ({ root, failure, count }) =>
      wordsFor(root).affectedInEnglish(root, counted(count, 'workload', 'workloads'), failure),
    recovered: ({ root, count }) =>
      say`${counted(count, 'workload', 'workloads')} recovered: the ${english(root)} no longer affects any.`,
    alerts: ({ count }) => say`${word(separated(count))} ${word(count === 1 ? 'alert' : 'alerts')}`,
    ready: ({ pods, wanted }) => say`Ready ${pods}/${wanted}`,
    namespaces: ({ count }) => counted(count, 'namespace', 'namespaces'),
    'some-recovered': ({ count }) => say`${count} recovered`,
    more: ({ count }) => say`and ${count} more`,
    page: ({ from, to, of }) => say`${from}–${to} of ${of}, the worst first`,
    opened: ({ workload }) =>
      say`${code(workload)} is being diagnosed. Its card appears in the thread of the group.`,
    'not-opened': () => say`This workload could not be found or read. Nothing was started.`,
    loading: () => say`Reading the list …`,
  },
  ko: {
    others: ({ root, affected, recovered, shown }) =>
      affected.length === 0
        ? say`같은 ${korean(root)}의 영향을 받던 다른 워크로드는 모두 해소되었습니다: ${names('ko', recovered, shown)}.`
        : sentences(
            say`같은 ${korean(root)} 문제가 다른 워크로드 ${affected.length}개에도 영향을 줍니다: ${names('ko', affected, shown)}.`,
            recovered.length === 0 ? [] : say`해소됨: ${names('ko', recovered, shown)}.`,
          ),
    same: ({ root, lead }) => say`같은 ${korean(root)} 문제가 ${code(lead)}에도 영향을 줍니다.`,
    affected: ({ root, failure, count }) => wordsFor(root).affectedInKorean(root, count, failure),
    recovered: ({ root, count }) =>
      say`워크로드 ${count}개가 복구되었습니다. 같은 ${korean(root)} 문제가 남은 곳은 없습니다.`,
    alerts: ({ count }) => say`알림 ${word(separated(count))}건`,
    ready: ({ pods, wanted }) => say`Ready ${pods}/${wanted}`,
    namespaces: ({ count }) => say`네임스페이스 ${count}개`,
    'some-recovered': ({ count }) => say`${count}개 복구됨`,
    more: ({ count }) => say`외 ${count}개`,
    page: ({ from, to, of }) => say`${of}개 중 ${from}–${to}번째, 심각한 순`,
    opened: ({ workload }) =>
      say`${code(workload)} 진단을 시작했습니다. 카드는 이 그룹의 스레드에 표시됩니다.`,
    'not-opened': () => say`이 워크로드를 찾거나 읽지 못해 진단을 시작하지 않았습니다.`,
    loading: () => say`목록을 읽는 중 …`,
  },
};

/** `1,000`, which English and Korean write alike. */
function separated(count: number): string {
  return count.toLocaleString('en');
}

/** How one kind of root is named. Methods, so that the texts of one kind count as those of any. */
interface RootText<Root extends SharedRoot = SharedRoot> {
  english(root: Root): Prose;
  korean(root: Root): Prose;
  affectedInEnglish(root: Root, workloads: Prose, failure: Prose): Prose;
  affectedInKorean(root: Root, count: number, failure: Prose): Prose;
}

const roots: { readonly [Kind in SharedRoot['kind']]: RootText<Extract<SharedRoot, { kind: Kind }>> } = {
  Node: {
    english: ({ name }) => say`node ${code(name)}`,
    korean: ({ name }) => say`노드 ${code(name)}`,
    affectedInEnglish: ({ name }, workloads) => say`${workloads} affected by node ${code(name)}`,
    affectedInKorean: ({ name }, count) =>
      say`노드 ${code(name)} 문제로 워크로드 ${count}개에 장애가 있습니다`,
  },
  ResourceQuota: {
    english: ({ name }) => say`quota ${code(name)}`,
    korean: ({ name }) => say`쿼터 ${code(name)}`,
    affectedInEnglish: ({ namespace, name }, workloads) =>
      say`${workloads} in ${code(namespace)} blocked by quota ${code(name)}`,
    affectedInKorean: ({ namespace, name }, count) =>
      say`쿼터 ${code(name)} 때문에 ${code(namespace)}의 워크로드 ${count}개가 막혀 있습니다`,
  },
  ClusterQueue: {
    english: ({ name }) => say`queue ${code(name)}`,
    korean: ({ name }) => say`큐 ${code(name)}`,
    affectedInEnglish: ({ name }, workloads) => say`${workloads} blocked by the queue ${code(name)}`,
    affectedInKorean: ({ name }, count) => say`큐 ${code(name)} 때문에 워크로드 ${count}개가 막혀 있습니다`,
  },
  Registry: {
    english: ({ name }) => say`registry ${code(name)}`,
    korean: ({ name }) => say`레지스트리 ${code(name)}`,
    affectedInEnglish: ({ name }, workloads) => say`${workloads} cannot pull images from ${code(name)}`,
    affectedInKorean: ({ name }, count) =>
      say`워크로드 ${count}개가 ${code(name)} 레지스트리에서 이미지를 가져오지 못합니다`,
  },
  Cause: {
    english: ({ cause }) => say`failure ${code(cause)}`,
    korean: ({ cause }) => say`장애(${code(cause)})`,
    affectedInEnglish: (_root, workloads, failure) => say`${workloads} with the same failure: ${failure}`,
    affectedInKorean: (_root, count, failure) => say`워크로드 ${count}개에 같은 장애: ${failure}`,
  },
  Unread: {
    english: () => say`problem`,
    korean: () => say`진단 실패`,
    affectedInEnglish: (_root, workloads) => say`${workloads} could not be diagnosed`,
    affectedInKorean: (_root, count) => say`워크로드 ${count}개를 진단하지 못했습니다`,
  },
};

function wordsFor({ kind }: SharedRoot): RootText {
  return roots[kind];
}

function english(root: SharedRoot): Prose {
  return wordsFor(root).english(root);
}

function korean(root: SharedRoot): Prose {
  return wordsFor(root).korean(root);
}
