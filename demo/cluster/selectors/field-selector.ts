import type { SelectorProblem } from './label-selector.js';

export interface FieldRequirement {
  readonly field: string;
  readonly equal: boolean;
  readonly value: string;
}

/**
 * Reads the text of a `fieldSelector` parameter: `a=b`, `a==b`, `a!=b`, joined by commas; a backslash escapes
 * `,`, `=` and itself (apimachinery `fields.ParseSelector`).
 */
export function parseFieldSelector(text: string): readonly FieldRequirement[] | SelectorProblem {
  const requirements: FieldRequirement[] = [];
  for (const term of splitTerms(text)) {
    if (term === '') continue;
    const match = /^((?:\\.|[^=!\\])*?)(!=|==|=)(.*)$/s.exec(term);
    if (match === null) return { problem: `invalid selector: '${text}'; can't understand '${term}'` };
    const [, field = '', operator = '', value = ''] = match;
    requirements.push({ field: field.trim(), equal: operator !== '!=', value: unescaped(value) });
  }
  return requirements;
}

/** Cuts at commas that no backslash escapes. */
function splitTerms(text: string): readonly string[] {
  const terms: string[] = [''];
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === ',') {
      terms.push('');
      continue;
    }
    const escaped = character === '\\' ? (text[index + 1] ?? '') : '';
    terms[terms.length - 1] += character + escaped;
    index += escaped.length;
  }
  return terms;
}

function unescaped(value: string): string {
  return value.replace(/\\([\\,=])/g, '$1');
}
