import { code, moment, type Prose, say, word } from '../../../engine/language/prose.js';
import { names, particle } from '../../../engine/language/words.js';
import type { LastWriter } from '../../../engine/owners/declaration.js';

const en = {
  /** `isFormer`: the fields have the values from before the change. */
  reverted: (values: { workload: string; by: LastWriter | undefined; isFormer: boolean }) =>
    values.by === undefined
      ? say`The change to ${code(values.workload)} was ${word(values.isFormer ? 'reverted' : 'overwritten')}`
      : say`${writerName(values.by, 'The controller of')} ${word(values.isFormer ? 'reverted' : 'overwrote')} the change to ${code(values.workload)}`,
  fields: ({ paths, isFormer }: { paths: readonly string[]; isFormer: boolean }) =>
    isFormer
      ? say`Previous values are back: ${names('en', paths, 3)}.`
      : say`Other values than the change wrote: ${names('en', paths, 3)}.`,
  written: ({ manager, at }: { manager: string; at: string | undefined }) =>
    at === undefined ? say`Written by ${code(manager)}.` : say`Written by ${code(manager)} ${moment(at)}.`,
  'reverted-by': ({ by }: { by: LastWriter }) => say`reverted by ${writerName(by, 'the controller of')}`,
};

const ko: typeof en = {
  reverted: ({ workload, by, isFormer }) =>
    by === undefined
      ? say`${code(workload)} 변경을 ${word(isFormer ? '다른 클라이언트가 되돌렸습니다' : '다른 클라이언트가 덮어썼습니다')}`
      : say`${writerName(by)}${particle(writerEnding(by), '이', '가')} ${code(workload)} 변경을 ${word(isFormer ? '되돌렸습니다' : '덮어썼습니다')}`,
  fields: ({ paths, isFormer }) =>
    isFormer
      ? say`이전 값으로 돌아간 필드: ${names('ko', paths, 3)}.`
      : say`변경한 값과 다른 값이 된 필드: ${names('ko', paths, 3)}.`,
  written: ({ manager, at }) =>
    at === undefined
      ? say`기록한 관리자: ${code(manager)}.`
      : say`기록한 관리자: ${code(manager)}, ${moment(at)}.`,
  'reverted-by': ({ by }) => say`${writerName(by)}${particle(writerEnding(by), '이', '가')} 되돌림`,
};

export const cardRevertedText = { en, ko };

/**
 * The owner with its object; a client that is not known, by the name of its field manager.
 *
 * @param controllerOf English words before the object of an operator
 */
function writerName({ manager, owner }: LastWriter, controllerOf?: string): Prose {
  if (owner === undefined || owner.by === 'other') return say`${code(manager)}`;
  const { by, kind, namespace, name } = owner;
  // The manifest of kubectl apply is the object itself.
  if (by === 'kubectl apply') return say`${code(by)}`;
  const object = namespace === '' ? name : `${namespace}/${name}`;
  if (by !== 'operator') return say`${word(`${by} ${kind}`)} ${code(object)}`;
  const above = code(`${kind} ${object}`);
  return controllerOf === undefined ? say`${above} 컨트롤러` : say`${word(controllerOf)} ${above}`;
}

/** What the name ends in, for Korean particles. */
function writerEnding({ manager, owner }: LastWriter): string {
  if (owner === undefined || owner.by === 'other') return manager;
  if (owner.by === 'operator') return '컨트롤러';
  return owner.by === 'kubectl apply' ? owner.by : owner.name;
}
