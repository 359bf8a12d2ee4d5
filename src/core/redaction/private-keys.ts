import type { Span } from './span.js';

/**
 * Private keys in PEM, OpenSSH, PGP, SSH2 and PuTTY form: over several lines (also behind timestamps or other prefixes
 * of a log), in one line with escaped line breaks, cut off at either end. Certificates and public keys stay.
 */
export function privateKeys(text: string): readonly Span[] {
  const spans: Span[] = [];
  const lines = linesOf(text);
  let state: State = { block: 'none', open: undefined };
  /** Lines before this one that look like the inside of a key whose start is not in the text. */
  let body: Line[] = [];
  for (const line of lines) {
    const before = state.block;
    state = readLine(line, state, spans);
    const ends = before === 'none' && privateEnd.test(line.text) && !privateStart.test(line.text);
    if (ends) spans.push(...[...body, line].map(whole));
    if (!ends && before === 'none' && state.block === 'none' && isBody(line.text)) {
      body.push(line);
      continue;
    }
    spans.push(...unmarked(body));
    body = [];
  }
  return [...spans, ...unmarked(body)];
}

interface Line {
  readonly start: number;
  readonly text: string;
}

interface State {
  readonly block: 'none' | 'private' | 'public';
  /** A header that has shown nothing of its key yet: a sentence may only speak of one. */
  readonly open: Span | undefined;
}

const privateStart =
  /-{2,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?(?: ?-{1,5})?|PuTTY-User-Key-File-\d: ?[\w-]{1,60}/u;
const privateEnd =
  /-{2,5} ?END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?(?: ?-{1,5})?|Private-MAC: ?[0-9a-f]{0,80}/u;
const publicStart = /-{2,5} ?BEGIN (?![A-Z0-9 ]{0,40}PRIVATE)[A-Z0-9 ]{1,60}-/u;
const publicEnd = /-{2,5} ?END (?![A-Z0-9 ]{0,40}PRIVATE)[A-Z0-9 ]{1,60}-/u;

const header = new RegExp(privateStart, 'gu');

/** What may follow the header in the same line: base64, spaces, line breaks written as `\n`, JSON's `\/`. */
const inlineBody = /(?:[A-Za-z0-9+/= \t]|\\{1,8}[nrt/])*/uy;

function readLine(line: Line, state: State, spans: Span[]): State {
  if (state.block === 'private') return readInside(line, state, spans);
  if (state.block === 'public' && !privateStart.test(line.text)) {
    return publicEnd.test(line.text) ? { block: 'none', open: undefined } : state;
  }
  const started = readStart(line, spans);
  if (started !== undefined) return started;
  const opensPublic = publicStart.test(line.text) && !publicEnd.test(line.text);
  return { block: opensPublic ? 'public' : 'none', open: undefined };
}

/** Every key that starts in this line; the state after it when the last one runs on. */
function readStart({ start, text }: Line, spans: Span[]): State | undefined {
  header.lastIndex = 0;
  for (let found = header.exec(text); found !== null; found = header.exec(text)) {
    inlineBody.lastIndex = found.index + found[0].length;
    const body = inlineBody.exec(text)?.[0] ?? '';
    const from = found.index;
    const bodyEnd = from + found[0].length + body.length;
    const closing = privateEnd.exec(text.slice(bodyEnd, bodyEnd + 80));
    const to = closing?.index === 0 ? bodyEnd + closing[0].length : bodyEnd;
    const span: Span = { start: start + from, end: start + to, kind: 'private key' };
    if (/[A-Za-z0-9+/=]{16}/u.test(body)) spans.push(span);
    if (closing?.index !== 0 && text.slice(to).trim() === '') return { block: 'private', open: span };
    header.lastIndex = Math.max(to, from + 1);
  }
  return undefined;
}

function readInside(line: Line, state: State, spans: Span[]): State {
  const end = privateEnd.exec(line.text);
  if (end === null && !isBody(line.text) && !isArmour(line.text))
    return readLine(line, { block: 'none', open: undefined }, spans);
  if (line.text.trim() !== '') {
    if (state.open !== undefined) spans.push(state.open);
    spans.push(
      end === null
        ? whole(line)
        : { start: line.start, end: line.start + end.index + end[0].length, kind: 'private key' },
    );
  }
  return { block: end === null ? 'private' : 'none', open: undefined };
}

/** Blank, a header of RFC 1421, of PGP's armour or of PuTTY, or a last short line. */
function isArmour(text: string): boolean {
  return (
    text.trim() === '' ||
    /(?:^|\s)(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|Encryption|Public-Lines|Private-Lines|Key-Derivation|Argon2-[A-Za-z]{1,12}): ?\S/u.test(
      text,
    ) ||
    /^\s*=?[A-Za-z0-9+/]{1,76}={1,2}\s*$|^\s*=[A-Za-z0-9+/]{4}\s*$/u.test(text)
  );
}

/** Ends in a run of at least 20 characters of base64, alone in its line or behind a prefix and a space, quote or bar. */
function isBody(text: string): boolean {
  return /(?:^|[\s"'|>])[A-Za-z0-9+/]{20,2048}={0,2}(?:\\{1,8}[nr]){0,4}["',]{0,3}$/u.test(
    text.slice(-2100).trimEnd(),
  );
}

/** Two or more lines as wide as PEM (64), OpenSSH (70) or MIME (76) writes them: the inside of a block, both ends cut off. */
function unmarked(lines: readonly Line[]): Span[] {
  const wide = lines.map(({ text }) => {
    const run = /[A-Za-z0-9+/]{1,80}={0,2}$/u.exec(text.trimEnd().slice(-80))?.[0] ?? '';
    return [64, 70, 76].includes(run.length) && /[A-Z]/u.test(run) && /[a-z]/u.test(run) && /\d/u.test(run);
  });
  return lines
    .filter((_, i) => wide[i] === true && (wide[i - 1] === true || wide[i + 1] === true))
    .map(whole);
}

function whole({ start, text }: Line): Span {
  return { start, end: start + text.length, kind: 'private key' };
}

function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const line of text.split('\n')) {
    lines.push({ start, text: line });
    start += line.length + 1;
  }
  return lines;
}
