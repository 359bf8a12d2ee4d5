import type { Catalogue } from '../../engine/language/catalogue.js';
import { code, type Prose, say } from '../../engine/language/prose.js';
import type { NoValues } from '../../engine/language/statement.js';
import { counted } from '../../engine/language/words.js';

/** The texts of the page. Those without values stand on it from the start, by their keys. */
export type DumpPageShapes = {
  readonly title: NoValues;
  readonly lead: NoValues;
  readonly private: NoValues;
  readonly drop: NoValues;
  readonly 'choose-folder': NoValues;
  readonly 'choose-files': NoValues;
  readonly paste: NoValues;
  readonly diagnose: NoValues;
  readonly example: NoValues;
  readonly 'how-to-save': NoValues;
  readonly copy: NoValues;
  readonly copied: NoValues;
  readonly reading: NoValues;
  readonly progress: { readonly done: number; readonly of: number };
  readonly problems: { readonly problems: number; readonly workloads: number };
  readonly 'none-found': { readonly workloads: number };
  readonly 'some-open': { readonly workloads: number };
  readonly 'no-workload': NoValues;
  readonly 'more-problems': { readonly workloads: readonly string[]; readonly more: number };
  readonly 'left-out': { readonly problem: string };
  readonly unusable: { readonly problem: string };
  readonly 'too-long': { readonly seconds: number };
  readonly failed: NoValues;
  readonly explained: NoValues;
};

export const dumpPageText: Catalogue<DumpPageShapes> = {
  en: {
    title: () => say`Diagnose a dump`,
    lead: () =>
      say`Find out why a rollout is stuck from what you saved of a cluster: ${code('kubectl get -o yaml')}, ${code('kubectl describe')}, ${code('kubectl cluster-info dump')}, a must-gather or a support bundle.`,
    private: () =>
      say`Your files stay on this machine. The browser computes the answer, and this page is not allowed to open a connection.`,
    drop: () => say`Drop a folder or files here`,
    'choose-folder': () => say`Choose a folder`,
    'choose-files': () => say`Choose files`,
    paste: () => say`Or paste the output of kubectl`,
    diagnose: () => say`Diagnose`,
    example: () => say`Show an example`,
    'how-to-save': () => say`These commands save what a proof needs:`,
    copy: () => say`Copy`,
    copied: () => say`Copied`,
    reading: () => say`Reading files …`,
    progress: ({ done, of }) => say`Diagnosed ${done} of ${of} workloads …`,
    problems: ({ problems, workloads }) =>
      say`${counted(workloads, 'workload', 'workloads')} read, ${problems} with a problem`,
    'none-found': ({ workloads }) => say`No problem found in ${counted(workloads, 'workload', 'workloads')}.`,
    'some-open': ({ workloads }) =>
      say`Some checks could not be completed in ${counted(workloads, 'workload', 'workloads')}.`,
    'no-workload': () =>
      say`The files contain no Deployment, StatefulSet, DaemonSet or other workload, and no pods of one.`,
    'more-problems': ({ workloads, more }) =>
      say`More workloads with a problem: ${separated(workloads)}${more === 0 ? [] : say` and ${more} others`}`,
    'left-out': ({ problem }) => say`Left out: ${code(problem)}`,
    unusable: ({ problem }) => say`The files cannot be read. ${code(problem)}`,
    'too-long': ({ seconds }) => say`The diagnosis took longer than ${seconds} seconds and was stopped.`,
    failed: () => say`The diagnosis stopped with an internal error.`,
    explained: () => say`What this message means`,
  },
  ko: {
    title: () => say`덤프 진단`,
    lead: () =>
      say`클러스터에서 저장한 파일로 롤아웃이 멈춘 원인을 찾습니다: ${code('kubectl get -o yaml')}, ${code('kubectl describe')}, ${code('kubectl cluster-info dump')}, must-gather, support bundle.`,
    private: () =>
      say`파일은 이 컴퓨터를 벗어나지 않습니다. 진단은 브라우저 안에서 실행되며, 이 페이지에서는 네트워크 연결이 차단됩니다.`,
    drop: () => say`폴더나 파일을 여기에 놓으세요`,
    'choose-folder': () => say`폴더 선택`,
    'choose-files': () => say`파일 선택`,
    paste: () => say`또는 kubectl 출력을 붙여 넣으세요`,
    diagnose: () => say`진단`,
    example: () => say`예시 보기`,
    'how-to-save': () => say`원인을 증명하는 데 필요한 정보를 저장하는 명령:`,
    copy: () => say`복사`,
    copied: () => say`복사됨`,
    reading: () => say`파일을 읽는 중 …`,
    progress: ({ done, of }) => say`워크로드 ${of}개 중 ${done}개 진단함 …`,
    problems: ({ problems, workloads }) => say`워크로드 ${workloads}개 중 ${problems}개에 문제가 있습니다`,
    'none-found': ({ workloads }) => say`워크로드 ${workloads}개에서 문제를 찾지 못했습니다.`,
    'some-open': ({ workloads }) => say`워크로드 ${workloads}개에서 일부 검사를 완료하지 못했습니다.`,
    'no-workload': () =>
      say`파일에 Deployment, StatefulSet, DaemonSet 등의 워크로드나 워크로드에 속한 파드가 없습니다.`,
    'more-problems': ({ workloads, more }) =>
      say`문제가 있는 다른 워크로드: ${separated(workloads)}${more === 0 ? [] : say` 외 ${more}개`}`,
    'left-out': ({ problem }) => say`제외함: ${code(problem)}`,
    unusable: ({ problem }) => say`파일을 읽을 수 없습니다. ${code(problem)}`,
    'too-long': ({ seconds }) => say`진단이 ${seconds}초 넘게 걸려 중단했습니다.`,
    failed: () => say`내부 오류로 진단이 중단되었습니다.`,
    explained: () => say`메시지의 의미`,
  },
};

function separated(workloads: readonly string[]): Prose {
  return workloads.flatMap((workload, at) => [...(at === 0 ? [] : say`, `), code(workload)]);
}
