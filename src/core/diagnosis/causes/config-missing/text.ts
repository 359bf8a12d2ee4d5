import type { SameSentences } from '../../../language/catalogue.js';
import { code, quote, say } from '../../../language/prose.js';
import { statementsOf } from '../../../language/statement.js';
import { names } from '../../../language/words.js';

const en = {
  summary: ({
    workload,
    kind,
    name,
    key,
  }: {
    readonly workload: string;
    readonly kind: string;
    readonly name: string;
    readonly key: string | undefined;
  }) =>
    key === undefined
      ? say`${code(workload)} needs ${code(kind)} ${code(name)}, which does not exist`
      : say`${code(workload)} needs key ${code(key)} of ${code(kind)} ${code(name)}, which does not exist`,
  'summary-other': ({ workload, container }: { readonly workload: string; readonly container: string }) =>
    say`${code(workload)}: container ${code(container)} cannot be configured as it asks`,
  standing: ({ failing, of }: { readonly failing: number; readonly of: number }) =>
    say`${failing} of ${of} pods never start until that is there.`,
  says: ({ container, message }: { readonly container: string; readonly message: string }) =>
    say`The kubelet says of ${code(container)}: ${quote(message)}`,
  wants: ({
    container,
    variable,
    kind,
    name,
    key,
  }: {
    readonly container: string;
    readonly variable: string | undefined;
    readonly kind: string;
    readonly name: string;
    readonly key: string | undefined;
  }) =>
    variable === undefined
      ? say`${code(container)} takes its environment from ${code(kind)} ${code(name)}.`
      : say`${code(container)} sets ${code(variable)} from ${code(kind)} ${code(name)}${key === undefined ? [] : say`, key ${code(key)}`}.`,
  'keeps-asking': () =>
    say`It is asked for again every few seconds: once it is there, the pod starts by itself.`,
  'former-does-not-need': ({ pods }: { readonly pods: readonly string[] }) =>
    say`Pods of the former revision run without it: ${names('en', pods)}.`,
  'because-not-pulled': () => say`the image is there; it fails one step later`,
  'restart-withheld': () => say`New pods ask for the same.`,
  'advice-add-title': ({ kind, name }: { readonly kind: string; readonly name: string }) =>
    say`Create it in ${code(kind)} ${code(name)}`,
  'advice-optional-title': () => say`Or let the program do without`,
  'advice-optional': () => say`A reference that is optional does not hold the container back.`,
  'advice-user-title': () => say`Settle which user it runs as`,
  'advice-user': () =>
    say`Give the image a numeric user that is not 0, or set ${code('runAsUser')} in the security context.`,
};

const ko: SameSentences<typeof en> = {
  summary: ({ workload, kind, name, key }) =>
    key === undefined
      ? say`${code(workload)}: ${code(kind)} ${code(name)} 객체가 필요하지만 없습니다`
      : say`${code(workload)}: ${code(kind)} ${code(name)}의 ${code(key)} 키가 필요하지만 없습니다`,
  'summary-other': ({ workload, container }) =>
    say`${code(workload)}: ${code(container)} 컨테이너를 요청한 대로 구성할 수 없습니다`,
  standing: ({ failing, of }) => say`그것이 생길 때까지 파드 ${of}개 중 ${failing}개가 시작되지 않습니다.`,
  says: ({ container, message }) => say`${code(container)} 컨테이너에 대한 kubelet의 말: ${quote(message)}`,
  wants: ({ container, variable, kind, name, key }) =>
    variable === undefined
      ? say`${code(container)} 환경 변수의 출처: ${code(kind)} ${code(name)}.`
      : say`${code(container)}의 ${code(variable)} 값의 출처: ${code(kind)} ${code(name)}${key === undefined ? [] : say`, 키 ${code(key)}`}.`,
  'keeps-asking': () => say`몇 초마다 다시 확인합니다. 생기면 파드가 스스로 시작됩니다.`,
  'former-does-not-need': ({ pods }) =>
    say`이전 리비전 파드는 그것 없이 실행 중입니다: ${names('ko', pods)}.`,
  'because-not-pulled': () => say`이미지는 있고, 그다음 단계에서 실패`,
  'restart-withheld': () => say`새 파드도 같은 것을 요청합니다.`,
  'advice-add-title': ({ kind, name }) => say`${code(kind)} ${code(name)}에 만드세요`,
  'advice-optional-title': () => say`또는 없어도 되게 하세요`,
  'advice-optional': () => say`optional 참조는 컨테이너를 막지 않습니다.`,
  'advice-user-title': () => say`어느 사용자로 실행할지 정하세요`,
  'advice-user': () =>
    say`이미지에 0이 아닌 숫자 사용자를 지정하거나 securityContext에 ${code('runAsUser')} 값을 설정하세요.`,
};

export const text = { en, ko };

export const state = statementsOf<typeof en>('config-missing');
