import type { SameSentences } from '../../../language/catalogue.js';
import { code, say, word } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { counted, duration, names } from '../../../language/words.js';

const en = {
  summary: ({ workload, revision }: { readonly workload: string; readonly revision: string }) =>
    say`${code(workload)} crashes since revision ${code(revision)}`,
  standing: ({
    failing,
    of,
    well,
  }: {
    readonly failing: number;
    readonly of: number;
    readonly well: number;
  }) =>
    well === 0
      ? say`${failing} of ${of} new pods ${word(failing === 1 ? 'crashes' : 'crash')} and no pod of the former revision is left to serve.`
      : say`${failing} of ${of} new pods ${word(failing === 1 ? 'crashes' : 'crash')}; ${counted(well, 'pod', 'pods')} of the former revision still ${word(well === 1 ? 'serves' : 'serve')}.`,
  everywhere: ({
    failing,
    of,
    nodes,
  }: {
    readonly failing: number;
    readonly of: number;
    readonly nodes: readonly string[];
  }) =>
    failing < of
      ? say`${failing} of ${of} new pods crash, on ${names('en', nodes)}; the others have not run for long yet.`
      : say`Every new pod crashes (${failing} of ${of}), on ${names('en', nodes)}.`,
  'former-well': ({
    pods,
    forSeconds,
  }: {
    readonly pods: readonly string[];
    readonly forSeconds: number | undefined;
  }) =>
    forSeconds === undefined
      ? say`Pods of the former revision are ready: ${names('en', pods)}.`
      : say`Pods of the former revision have been ready for ${duration('en', forSeconds)}: ${names('en', pods)}.`,
  changed: ({
    path,
    before,
    after,
  }: {
    readonly path: string;
    readonly before: string | undefined;
    readonly after: string | undefined;
  }) =>
    before === undefined
      ? say`New in this revision: ${code(path)} is ${code(after ?? '')}.`
      : after === undefined
        ? say`Gone in this revision: ${code(path)}, formerly ${code(before)}.`
        : say`Changed in this revision: ${code(path)} from ${code(before)} to ${code(after)}.`,
  'changed-more': ({ count }: { readonly count: number }) =>
    say`${counted(count, 'field', 'fields')} more changed.`,
  'nothing-changed': () =>
    say`The pod templates are the same: what changed lies outside them (a ConfigMap, a Secret, an image behind its tag).`,
  'init-blocks': ({ container }: { readonly container: string }) =>
    say`It is the init container ${code(container)}, so the others never start.`,
  'ev-ready': ({ pod }: { readonly pod: string }) => say`${code(pod)} of the former revision is ready`,
  'because-never-served': ({ pods }: { readonly pods: number }) =>
    say`${counted(pods, 'pod', 'pods')} of the former revision ${word(pods === 1 ? 'runs' : 'run')} well, so it is not the program as such`,
  'restart-withheld': () => say`New pods of the same revision crash in the same way.`,
  'patch-withheld': () => say`It would stop pods that serve to make room for pods that crash.`,
  'exclude-withheld': ({ nodes }: { readonly nodes: readonly string[] }) =>
    say`It is not one node: ${names('en', nodes)}.`,
  'advice-log-title': () => say`Or correct the new revision`,
  'advice-log': ({ container }: { readonly container: string }) =>
    say`The log of the run of ${code(container)} that ended says what it missed.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, revision }) => say`${code(workload)}: 리비전 ${code(revision)}부터 비정상 종료됩니다`,
  standing: ({ failing, of, well }) =>
    well === 0
      ? say`새 파드 ${of}개 중 ${failing}개가 비정상 종료되고, 서비스할 이전 리비전 파드가 남아 있지 않습니다.`
      : say`새 파드 ${of}개 중 ${failing}개가 비정상 종료되고, 이전 리비전 파드 ${well}개가 아직 서비스 중입니다.`,
  everywhere: ({ failing, of, nodes }) =>
    failing < of
      ? say`새 파드 ${of}개 중 ${failing}개가 비정상 종료됩니다 (노드 ${names('ko', nodes)}). 나머지는 아직 오래 실행되지 않았습니다.`
      : say`새 파드 ${failing}개가 모두 비정상 종료됩니다 (노드 ${names('ko', nodes)}).`,
  'former-well': ({ pods, forSeconds }) =>
    forSeconds === undefined
      ? say`이전 리비전 파드는 준비 상태입니다: ${names('ko', pods)}.`
      : say`이전 리비전 파드는 ${duration('ko', forSeconds)} 동안 준비 상태입니다: ${names('ko', pods)}.`,
  changed: ({ path, before, after }) =>
    before === undefined
      ? say`이 리비전에서 추가됨: ${code(path)} 값 ${code(after ?? '')}.`
      : after === undefined
        ? say`이 리비전에서 삭제됨: ${code(path)}, 예전 값 ${code(before)}.`
        : say`이 리비전에서 변경됨: ${code(path)} 값이 ${code(before)}에서 ${code(after)}로.`,
  'changed-more': ({ count }) => say`그 밖에 필드 ${count}개가 변경되었습니다.`,
  'nothing-changed': () =>
    say`파드 템플릿은 같습니다. 바뀐 것은 그 밖에 있습니다 (ConfigMap, Secret, 태그 뒤의 이미지).`,
  'init-blocks': ({ container }) =>
    say`초기화 컨테이너 ${code(container)} 때문에 다른 컨테이너가 시작되지 못합니다.`,
  'ev-ready': ({ pod }) => say`이전 리비전의 ${code(pod)} 파드는 준비 상태`,
  'because-never-served': ({ pods }) =>
    say`이전 리비전 파드 ${pods}개가 정상이므로 프로그램 자체의 문제는 아님`,
  'restart-withheld': () => say`같은 리비전의 새 파드도 똑같이 비정상 종료됩니다.`,
  'patch-withheld': () => say`비정상 종료되는 파드의 자리를 만들려고 서비스 중인 파드를 멈추게 됩니다.`,
  'exclude-withheld': ({ nodes }) => say`노드 하나의 문제가 아닙니다: ${names('ko', nodes)}.`,
  'advice-log-title': () => say`또는 새 리비전을 고치세요`,
  'advice-log': ({ container }) =>
    say`종료된 ${code(container)} 실행의 로그에 무엇이 부족했는지 나와 있습니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('crash-loop-after-rollout');
