/** A block that is open, such as `{{ if .Values.a }}`. */
export interface Block {
  /** Equal for all branches of one block. */
  readonly start: number;
  readonly keyword: 'if' | 'with' | 'range' | 'define' | 'block';
  /** What stands behind the keyword. */
  readonly code: string;
  /** 0 before the first `else`. */
  readonly branch: number;
}

/** What an action writes. */
interface Output {
  /** The stages of the pipeline, without a last one that indents. */
  readonly stages: readonly string[];
  /**
   * `entry`: lines of their own, indented by the last stage, so that they stay below their key. `inline`: in
   * a line with other text. `loose`: alone in a line, and it may write any lines.
   */
  readonly form: 'entry' | 'inline' | 'loose';
}

/** A part of the skeleton, and where it comes from. */
export interface Piece {
  readonly start: number;
  readonly end: number;
  /** In the template. */
  readonly source: number;
  readonly blocks: readonly Block[];
  /** Absent for text. */
  readonly output: Output | undefined;
}

/**
 * A template with a mark in place of what each action writes, so that its structure can be read as YAML. What
 * a helper defines is not part of it.
 */
export interface Skeleton {
  readonly text: string;
  readonly pieces: readonly Piece[];
  readonly helpers: readonly Helper[];
  /** All actions that may read values, also those of helpers. */
  readonly actions: readonly {
    readonly code: string;
    readonly start: number;
    readonly isInHelper: boolean;
  }[];
}

/** A template that `define` names. */
export interface Helper {
  readonly name: string;
  /** Texts and actions without white space around them. */
  readonly body: string;
}

const openMark = '\uE000';
const closeMark = '\uE001';
const mark = /\uE000(\d+)\uE001/u;

/** The number of the piece that a text consists of; `undefined` where it is anything else. */
export function markedPiece(text: string): number | undefined {
  const found = mark.exec(text);
  return found !== null && found[0].length === text.length ? Number(found[1]) : undefined;
}

export function hasMark(text: string): boolean {
  return text.includes(openMark);
}

interface Chunk {
  readonly text: string;
  readonly source: number;
  readonly blocks: readonly Block[];
  readonly output: Output | undefined;
}

/** Every part of a template keeps the blocks around it. */
const maxDepth = 100;

/** `undefined` for a template whose blocks do not match, or are nested deeper than a person writes them. */
export function templateSkeleton(template: string): Skeleton | undefined {
  const parts = scanTemplate(template);
  if (parts === undefined || template.includes(openMark)) return undefined;
  const chunks: Chunk[] = [];
  const helpers: Helper[] = [];
  const actions: { code: string; start: number; isInHelper: boolean }[] = [];
  let blocks: readonly Block[] = [];
  let body: string[] = [];
  let isLineStart = true;
  const isInHelper = (): boolean => blocks.some(({ keyword }) => keyword === 'define' || keyword === 'block');
  const write = (text: string, source: number, output?: Output): void => {
    if (isInHelper()) return;
    chunks.push({ text, source, blocks, output });
    isLineStart = text.endsWith('\n');
  };
  for (const [at, part] of parts.entries()) {
    if (part.type === 'text') {
      const [before, after] = [parts[at - 1], parts[at + 1]];
      let { text } = part;
      if (before?.type === 'action' && before.trimsAfter) text = text.replace(/^[ \t\r\n]+/u, '');
      if (after?.type === 'action' && after.trimsBefore) text = trimmedEnd(text);
      if (isInHelper()) body.push(text.trim());
      if (text !== '') write(text, part.start + part.text.indexOf(text));
      continue;
    }
    const { code, start } = part;
    if (code === '') continue;
    actions.push({ code, start, isInHelper: isInHelper() });
    const control = controlOf(part);
    if (isInHelper()) body.push(`{{${code.replace(/\s+/gu, ' ')}}}`);
    if (control === undefined) {
      const output = outputOf(code, chunks.length, isLineStart);
      if (output !== undefined) write(output.text, start, output.output);
    } else if (control.type === 'open') {
      if (control.block.keyword === 'define' && !isInHelper()) body = [];
      if (blocks.length >= maxDepth) return undefined;
      blocks = [...blocks, control.block];
    } else {
      const open = blocks.at(-1);
      if (open === undefined) return undefined;
      if (control.type === 'end') {
        blocks = blocks.slice(0, -1);
        if (open.keyword === 'define' && !isInHelper()) {
          helpers.push({
            name: open.code,
            body: body
              .slice(0, -1)
              .filter((each) => each !== '')
              .join(''),
          });
        }
      } else blocks = [...blocks.slice(0, -1), { ...open, code: control.code, branch: open.branch + 1 }];
    }
  }
  return blocks.length > 0 ? undefined : { ...joined(chunks), helpers, actions };
}

/** Without white space at the end; no expression that could try each place of a long run. */
function trimmedEnd(text: string): string {
  let end = text.length;
  while (end > 0 && ' \t\r\n'.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

type Control =
  | { readonly type: 'open'; readonly block: Block }
  | { readonly type: 'else'; readonly code: string }
  | { readonly type: 'end' };

function controlOf({ code, start }: TemplateAction): Control | undefined {
  const [, word = '', rest = ''] = /^([a-z]+)(?:\s+([\s\S]*))?$/u.exec(code) ?? [];
  switch (word) {
    case 'if':
    case 'with':
    case 'range':
    case 'define':
    case 'block':
      return { type: 'open', block: { start, keyword: word, code: rest.trim(), branch: 0 } };
    case 'else':
      return { type: 'else', code: rest.trim() };
    case 'end':
      return { type: 'end' };
    default:
      return undefined;
  }
}

const assignment = /^\$\w*(?:\s*,\s*\$\w+)?\s*:?=/u;
const indenting = /^(n?)indent\s+(\d{1,3})$/u;

/** The mark of what an action writes; `undefined` for one that writes nothing. */
function outputOf(
  code: string,
  piece: number,
  isLineStart: boolean,
): { readonly text: string; readonly output: Output } | undefined {
  if (assignment.test(code) || code === 'break' || code === 'continue') return undefined;
  const stages = stagesOf(code);
  const written = `${openMark}${piece}${closeMark}`;
  const [, newline, columns] = stages.length > 1 ? (indenting.exec(stages.at(-1) ?? '') ?? []) : [];
  const isEntry = columns !== undefined && (newline === 'n' || isLineStart);
  if (!isEntry) return { text: written, output: { stages, form: 'inline' } };
  return {
    text: `${newline === 'n' ? '\n' : ''}${' '.repeat(Number(columns))}${written}: `,
    output: { stages: stages.slice(0, -1), form: 'entry' },
  };
}

/** With entries of lists as such, and without marks that are alone in their line. */
function joined(chunks: readonly Chunk[]): Pick<Skeleton, 'text' | 'pieces'> {
  let at = 0;
  const pieces: Piece[] = chunks.map(({ text, ...rest }) => {
    const start = at;
    at += text.length;
    return { start, end: at, ...rest };
  });
  const lines = chunks
    .map(({ text }) => text)
    .join('')
    .split('\n');
  const written = lines.map((line, number) => {
    const marks = /^ *((?:\uE000\d+\uE001)+)(: )?[ \t\r]*$/u.exec(line);
    if (marks === null) return line;
    const [, numbers = '', colon] = marks;
    if (colon !== undefined && markedPiece(numbers) !== undefined) {
      return isInList(lines, number) ? line.replace(`${numbers}: `, `- ${numbers}`) : line;
    }
    for (const [, each = ''] of numbers.matchAll(/\uE000(\d+)\uE001/gu)) {
      const piece = pieces[Number(each)];
      if (piece?.output !== undefined) {
        pieces[Number(each)] = { ...piece, output: { ...piece.output, form: 'loose' } };
      }
    }
    // A comment of the same length.
    return line.replace(openMark, '#');
  });
  return { text: written.join('\n'), pieces };
}

const maxLinesAround = 200;

/** Whether the lines beside one, at its indentation, are items of a list. */
function isInList(lines: readonly string[], number: number): boolean {
  const indent = indentOf(lines[number] ?? '');
  for (const step of [-1, 1]) {
    for (let away = 1; away < maxLinesAround; away += 1) {
      const line = lines[number + step * away];
      if (line === undefined) break;
      const text = line.trimStart();
      if (text === '' || text.startsWith('#') || text.startsWith(openMark) || indentOf(line) > indent)
        continue;
      if (indentOf(line) === indent && text.startsWith('- ')) return true;
      break;
    }
  }
  return false;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** An action of a Go template, such as `{{- .Values.a | quote }}`. */
interface TemplateAction {
  readonly type: 'action';
  /** Without delimiters and trim markers; empty for a comment. */
  readonly code: string;
  readonly trimsBefore: boolean;
  readonly trimsAfter: boolean;
  /** In the template. */
  readonly start: number;
}

type TemplateText = { readonly type: 'text'; readonly text: string; readonly start: number };

type TemplatePart = TemplateAction | TemplateText;

/**
 * The texts and actions of a template, in one pass over it (Go `text/template/parse/lex.go`). `undefined`
 * where an action does not end.
 */
function scanTemplate(template: string): readonly TemplatePart[] | undefined {
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
function stagesOf(code: string): readonly string[] {
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
