/** An action of a Go template, such as `{{- .Values.a | quote }}`. */
export interface TemplateAction {
  readonly type: 'action';
  /** Without delimiters and trim markers; empty for a comment. */
  readonly code: string;
  readonly trimsBefore: boolean;
  readonly trimsAfter: boolean;
  /** In the template. */
  readonly start: number;
}

export interface TemplateText {
  readonly type: 'text';
  readonly text: string;
  readonly start: number;
}

export type TemplatePart = TemplateAction | TemplateText;

/**
 * The texts and actions of a template, in one pass over it (Go `text/template/parse/lex.go`). `undefined`
 * where an action does not end.
 */
export function scanTemplate(template: string): readonly TemplatePart[] | undefined {
  const parts: TemplatePart[] = [];
  let at = 0;
  while (at < template.length) {
    const open = template.indexOf('{{', at);
    const textEnd = open === -1 ? template.length : open;
    if (textEnd > at) parts.push({ type: 'text', text: template.slice(at, textEnd), start: at });
    if (open === -1) break;
    const trimsBefore = template[open + 2] === '-' && isSpace(template[open + 3]);
    const from = open + (trimsBefore ? 3 : 2);
    const close = endOfAction(template, from);
    if (close === undefined) return undefined;
    const trimsAfter = template[close - 1] === '-' && isSpace(template[close - 2]);
    const code = template.slice(from, trimsAfter ? close - 1 : close).trim();
    const isComment = code.startsWith('/*');
    parts.push({ type: 'action', code: isComment ? '' : code, trimsBefore, trimsAfter, start: open });
    at = close + 2;
  }
  return parts;
}

/** Where the `}}` of an action is; the delimiter counts neither in a comment nor in a quoted text. */
function endOfAction(template: string, from: number): number | undefined {
  let at = from;
  while (isSpace(template[at])) at += 1;
  if (template.startsWith('/*', at)) {
    const end = template.indexOf('*/', at);
    const close = end === -1 ? -1 : template.indexOf('}}', end);
    return close === -1 ? undefined : close;
  }
  while (at < template.length) {
    const character = template[at];
    if (character === '}' && template[at + 1] === '}') return at;
    if (character === '"' || character === "'" || character === '`') {
      at = endOfQuoted(template, at, character);
    }
    at += 1;
  }
  return undefined;
}

/** The closing quote, or the end of the template. */
function endOfQuoted(template: string, open: number, quote: string): number {
  let at = open + 1;
  while (at < template.length && template[at] !== quote) {
    at += template[at] === '\\' && quote !== '`' ? 2 : 1;
  }
  return at;
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\t' || character === '\r' || character === '\n';
}

/** The stages of a pipeline; a bar in quotes or parentheses separates none. */
export function stagesOf(code: string): readonly string[] {
  const stages: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < code.length; at += 1) {
    const character = code[at];
    if (character === '"' || character === "'" || character === '`') at = endOfQuoted(code, at, character);
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    else if (character === '|' && depth === 0) {
      stages.push(code.slice(start, at).trim());
      start = at + 1;
    }
  }
  return [...stages, code.slice(start).trim()];
}
