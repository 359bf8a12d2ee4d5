import type { SharedRoot } from '../../../doctor/incidents/shared-root.js';
import { code, type Prose, say, sentences, word } from '../../../engine/language/prose.js';
import { counted, names } from '../../../engine/language/words.js';

/** Workloads with the same node, quota, registry or kind of failure. */
const en = {
  /** On the card of one workload that leads; names are `namespace/name`. */
  others: (values: {
    root: SharedRoot;
    affected: readonly string[];
    recovered: readonly string[];
    shown: number;
  }) =>
    values.affected.length === 0
      ? say`The same ${english(values.root)} no longer affects other workloads: ${names('en', values.recovered, values.shown)}.`
      : sentences(
          say`The same ${english(values.root)} also affects ${counted(values.affected.length, 'other workload', 'other workloads')}: ${names('en', values.affected, values.shown)}.`,
          values.recovered.length === 0
            ? []
            : say`No longer affected: ${names('en', values.recovered, values.shown)}.`,
        ),
  /** On the card of another one. */
  same: ({ root, lead }: { root: SharedRoot; lead: string }) =>
    say`The same ${english(root)} also affects ${code(lead)}.`,
  /** The title of a group. `failure`: what the workloads have in common where nothing else is to blame. */
  affected: ({ root, failure, count }: { root: SharedRoot; failure: Prose; count: number }) =>
    wordsFor(root).affectedInEnglish(root, counted(count, 'workload', 'workloads'), failure),
  recovered: ({ root, count }: { root: SharedRoot; count: number }) =>
    say`${counted(count, 'workload', 'workloads')} recovered: the ${english(root)} no longer affects any.`,
  alerts: ({ count }: { count: number }) =>
    say`${word(separated(count))} ${word(count === 1 ? 'alert' : 'alerts')}`,
  /** In the fewest words. */
  ready: ({ pods, wanted }: { pods: number; wanted: number }) => say`Ready ${pods}/${wanted}`,
  namespaces: ({ count }: { count: number }) => counted(count, 'namespace', 'namespaces'),
  'some-recovered': ({ count }: { count: number }) => say`${count} recovered`,
  more: ({ count }: { count: number }) => say`and ${count} more`,
  page: ({ from, to, of }: { from: number; to: number; of: number }) =>
    say`${from}–${to} of ${of}, the worst first`,
  opened: ({ workload }: { workload: string }) =>
    say`${code(workload)} is being diagnosed. Its card appears in the thread of the group.`,
  'not-opened': (_: Record<never, never>) =>
    say`This workload could not be found or read. Nothing was started.`,
  loading: (_: Record<never, never>) => say`Reading the list …`,
};

const ko: typeof en = {
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
  opened: ({ workload }) => say`${code(workload)} 진단을 시작했습니다. 카드는 이 그룹의 스레드에 표시됩니다.`,
  'not-opened': () => say`이 워크로드를 찾거나 읽지 못해 진단을 시작하지 않았습니다.`,
  loading: () => say`목록을 읽는 중 …`,
};

export const groupText = { en, ko };

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
