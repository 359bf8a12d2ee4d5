import type { SameSentences } from '../../../language/catalogue.js';
import { code, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';

const en = {
  summary: ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: container ${code(container)} finishes without an error and is started again`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`It was made to do one thing and end, but it is run as a service: ${failing} of ${of} pods.`,
  'backs-off-too': () =>
    say`Here a container has to keep running: one that ends is started again after a growing delay, also with exit code 0.`,
  'no-command': ({ image }: { readonly image: string }) =>
    say`The template sets no command, so the image ${code(image)} decides what runs.`,
  'because-no-error': () => say`the program reported success`,
  'restart-withheld': () => say`New pods do the same thing and end as well.`,
  'advice-stay-title': () => say`Is it meant to serve? Keep it in the foreground`,
  'advice-stay': () =>
    say`A program that starts a daemon in the background and returns ends its container; so does a shell without a terminal.`,
  'advice-job-title': () => say`Is it meant to end? Make it a Job or a CronJob`,
  'advice-job': ({ kind }: { readonly kind: string }) =>
    say`A ${code(kind)} is for programs that do not end.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너가 오류 없이 끝나고 다시 시작됩니다`,
  standing: ({ failing, of }) =>
    say`한 번 하고 끝나는 프로그램이 서비스로 실행되고 있습니다: 파드 ${of}개 중 ${failing}개.`,
  'backs-off-too': () =>
    say`여기서는 컨테이너가 계속 실행되어야 합니다. 끝나면 종료 코드가 0이어도 점점 늦게 다시 시작됩니다.`,
  'no-command': ({ image }) => say`템플릿에 명령이 없어 ${code(image)} 이미지가 실행할 것을 정합니다.`,
  'because-no-error': () => say`프로그램은 성공으로 끝남`,
  'restart-withheld': () => say`새 파드도 같은 일을 하고 끝납니다.`,
  'advice-stay-title': () => say`서비스여야 한다면 포그라운드로 실행하세요`,
  'advice-stay': () =>
    say`백그라운드 데몬을 띄우고 돌아오는 프로그램이나 터미널 없는 셸은 컨테이너를 끝냅니다.`,
  'advice-job-title': () => say`끝나야 한다면 Job이나 CronJob으로 만드세요`,
  'advice-job': ({ kind }) => say`${code(kind)}: 끝나지 않는 프로그램을 위한 것입니다.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('process-exits-zero');
