import type { Language } from '../../engine/language/language.js';
import { code, type Prose, say } from '../../engine/language/prose.js';
import { joined, particle } from '../../engine/language/words.js';
import type { GitEdit } from './git-target.js';

type Value = NonNullable<GitEdit['value']>;

interface Words {
  readonly sets: (value: Value, place: string) => Prose;
  readonly named: (file: string, users: Prose) => Prose;
  readonly shared: (file: string) => Prose;
}

const words: Readonly<Record<Language, Words>> = {
  en: {
    sets: ({ name, field }, place) =>
      say`The template ${code(place)} sets ${code(field)} from the Helm value ${code(name)}.`,
    named: (file, users) =>
      say`${users} may read ${code(file)} too. This change would then apply to their releases as well.`,
    shared: (file) => say`Every other release that reads ${code(file)} gets this change too.`,
  },
  ko: {
    sets: ({ name, field }, place) =>
      say`${code(place)} 템플릿은 Helm 값 ${code(name)}${particle(name, '으로', '로')} ${code(field)} 필드를 설정합니다.`,
    named: (file, users) =>
      say`${users}에서도 ${code(file)} 파일을 읽을 수 있습니다. 그러면 해당 릴리스에도 이 변경이 적용됩니다.`,
    shared: (file) => say`${code(file)} 파일을 읽는 다른 릴리스에도 이 변경이 적용됩니다.`,
  },
};

/** How a value of a chart reaches the field, and who else may read it; nothing for an edit of a manifest. */
export function valueNotes(
  { value, file }: Pick<GitEdit, 'value' | 'file'>,
  language: Language,
): readonly Prose[] {
  if (value === undefined) return [];
  const { sets, named, shared } = words[language];
  const { template, line, isShared, users } = value;
  const names = users.map((user) => say`${code(user)}`);
  return [
    sets(value, `${template}:${line}`),
    ...(users.length > 0 ? [named(file, joined(language, names))] : []),
    ...(isShared ? [shared(file)] : []),
  ];
}
