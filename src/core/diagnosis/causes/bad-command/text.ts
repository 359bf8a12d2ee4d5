import type { SameSentences } from '../../../language/catalogue.js';
import { code, quote, say, sentences } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { names } from '../../../language/words.js';

const en = {
  summary: ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: the command of container ${code(container)} cannot be run`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`${failing} of ${of} pods never do any work.`,
  says: ({ message }: { readonly message: string }) => say`The runtime says: ${quote(message)}`,
  'not-found': ({ exitCode, command }: { readonly exitCode: number; readonly command: string | undefined }) =>
    sentences(
      say`Exit code ${exitCode} means that a command was not found.`,
      command === undefined
        ? say`The template sets none, so it is the image's own.`
        : say`The template sets ${code(command)}.`,
    ),
  'not-executable': ({
    exitCode,
    command,
  }: {
    readonly exitCode: number;
    readonly command: string | undefined;
  }) =>
    sentences(
      say`Exit code ${exitCode} means that the command is there and may not be executed: permissions, a directory, or a script without a shell.`,
      command === undefined ? [] : say`The template sets ${code(command)}.`,
    ),
  'start-error': ({
    exitCode,
    command,
  }: {
    readonly exitCode: number;
    readonly command: string | undefined;
  }) =>
    sentences(
      say`The runtime could not start the process at all (exit code ${exitCode}).`,
      command === undefined ? say`The template sets no command.` : say`The template sets ${code(command)}.`,
    ),
  architecture: ({
    nodes,
    architectures,
  }: {
    readonly nodes: readonly string[];
    readonly architectures: readonly string[];
  }) =>
    say`The words are those of a program built for another architecture; ${names('en', nodes)} ${names('en', architectures)}.`,
  'ev-command': () => say`what the template runs`,
  'because-nothing-ran': ({ container }: { readonly container: string }) =>
    say`no line of the program in ${code(container)} was executed`,
  'restart-withheld': () => say`New pods run the same command.`,
  'advice-title': () => say`Try the command in the image`,
  advice: ({ image }: { readonly image: string }) =>
    say`Correct ${code('command')} and ${code('args')}, or the image ${code(image)}.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너의 명령을 실행할 수 없습니다`,
  standing: ({ failing, of }) => say`파드 ${of}개 중 ${failing}개가 아무 일도 하지 못합니다.`,
  says: ({ message }) => say`런타임 메시지: ${quote(message)}`,
  'not-found': ({ exitCode, command }) =>
    sentences(
      say`종료 코드 ${exitCode}: 명령을 찾지 못했습니다.`,
      command === undefined
        ? say`템플릿에 명령이 없으므로 이미지 자체의 명령입니다.`
        : say`템플릿의 명령: ${code(command)}.`,
    ),
  'not-executable': ({ exitCode, command }) =>
    sentences(
      say`종료 코드 ${exitCode}: 명령은 있지만 실행할 수 없습니다 (권한, 디렉터리, 셸 없는 스크립트).`,
      command === undefined ? [] : say`템플릿의 명령: ${code(command)}.`,
    ),
  'start-error': ({ exitCode, command }) =>
    sentences(
      say`런타임이 프로세스를 시작조차 못했습니다 (종료 코드 ${exitCode}).`,
      command === undefined ? say`템플릿에 명령이 없습니다.` : say`템플릿의 명령: ${code(command)}.`,
    ),
  architecture: ({ nodes, architectures }) =>
    say`다른 아키텍처용 프로그램일 때 나오는 메시지입니다. ${names('ko', nodes)}: ${names('ko', architectures)}.`,
  'ev-command': () => say`템플릿이 실행하는 것`,
  'because-nothing-ran': ({ container }) => say`${code(container)} 프로그램은 한 줄도 실행되지 않음`,
  'restart-withheld': () => say`새 파드도 같은 명령을 실행합니다.`,
  'advice-title': () => say`이미지 안에서 명령을 실행해 보세요`,
  advice: ({ image }) => say`${code('command')}, ${code('args')} 또는 ${code(image)} 이미지를 고치세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('bad-command');
