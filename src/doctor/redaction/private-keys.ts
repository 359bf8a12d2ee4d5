import { alphabet } from './entropy.js';
import type { Span } from './span.js';
import { endAt } from './span.js';

/**
 * Private keys in PEM, OpenSSH, PGP, SSH2 and PuTTY form: over several lines (also behind timestamps or other
 * prefixes of a log), in one line with escaped line breaks, cut off at either end. Certificates and public
 * keys stay.
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
    const ends = before === 'none' && hasPrivate(line.text, 'END') && !hasPrivate(line.text, 'BEGIN');
    if (ends) spans.push(...[...body, line].map(whole));
    if (!ends && before === 'none' && state.block === 'none' && isBody(line.text)) {
      body.push(line);
      continue;
    }
    spans.push(...unmarked(body));
    body = [];
  }
  return [...spans, ...unmarked(body), ...webKeys(text)];
}

/** The members of a JSON Web Key that only its owner has (RFC 7518, section 6). */
function webKeys(text: string): readonly Span[] {
  if (!text.includes('"kty"')) return [];
  return [...text.matchAll(/"(?:k|d|p|q|dp|dq|qi)"\s{0,4}:\s{0,4}"[\w-]{16,8192}(?=")/gu)].map(
    ({ 0: member, index }) => {
      const end = index + member.length;
      return { start: index + member.lastIndexOf('"') + 1, end, kind: 'private key' };
    },
  );
}

type Line = { readonly start: number; readonly text: string };

interface State {
  readonly block: 'none' | 'private' | 'public';
  /** A header that has shown nothing of its key yet: a sentence may only speak of one. */
  readonly open: Span | undefined;
}

/** What may follow the header in the same line: base64, spaces, line breaks written as `\n`, JSON's `\/`. */
const inlineBody = /(?:[A-Za-z0-9+/= \t]|\\{1,8}[nrt/])*/uy;

function hasPrivate(text: string, word: 'BEGIN' | 'END'): boolean {
  return privateMarkers(text, word).length > 0;
}

function readLine(line: Line, state: State, spans: Span[]): State {
  if (state.block === 'private') return readInside(line, state, spans);
  if (state.block === 'public' && !hasPrivate(line.text, 'BEGIN')) {
    return hasPublicMarker(line.text, 'END') ? { block: 'none', open: undefined } : state;
  }
  const started = readStart(line, spans);
  if (started !== undefined) return started;
  const opensPublic = hasPublicMarker(line.text, 'BEGIN') && !hasPublicMarker(line.text, 'END');
  return { block: opensPublic ? 'public' : 'none', open: undefined };
}

/** Every key that starts in this line; the state after it when the last one runs on. */
function readStart({ start, text }: Line, spans: Span[]): State | undefined {
  let to = 0;
  for (const found of privateMarkers(text, 'BEGIN')) {
    if (found.start < to) continue;
    inlineBody.lastIndex = found.end;
    const body = inlineBody.exec(text)?.[0] ?? '';
    const bodyEnd = found.end + body.length;
    const [closing] = privateMarkers(text.slice(bodyEnd, bodyEnd + 80), 'END');
    const isClosed = closing?.start === 0;
    to = isClosed ? bodyEnd + closing.end : bodyEnd;
    const span: Span = { start: start + found.start, end: start + to, kind: 'private key' };
    if (/[A-Za-z0-9+/=]{16}/u.test(body)) spans.push(span);
    if (!isClosed && text.slice(to).trim() === '') return { block: 'private', open: span };
  }
  return undefined;
}

function readInside(line: Line, state: State, spans: Span[]): State {
  const [end] = privateMarkers(line.text, 'END');
  if (end === undefined && !isBody(line.text) && !isArmour(line.text))
    return readLine(line, { block: 'none', open: undefined }, spans);
  if (line.text.trim() !== '') {
    if (state.open !== undefined) spans.push(state.open);
    spans.push(
      end === undefined ? whole(line) : { start: line.start, end: line.start + end.end, kind: 'private key' },
    );
  }
  return { block: end === undefined ? 'private' : 'none', open: undefined };
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

/**
 * Ends in a run of at least 20 characters of base64, alone in its line or behind a prefix and a space, quote
 * or bar.
 */
function isBody(text: string): boolean {
  const line = text
    .slice(-maxWidth)
    .trimEnd()
    .replace(/["',]{1,3}$/u, '')
    .replace(/(?:\\{1,8}[nr]){1,4}$/u, '')
    .replace(/={1,2}$/u, '');
  const start = startOfRun(line);
  return line.length - start >= 20 && (start === 0 || /[\s"'|>]/u.test(line.charAt(start - 1)));
}

const maxWidth = 2_100;
const base64 = alphabet('A-Za-z0-9+/');

/** Where the characters of base64 begin with which the text ends. */
function startOfRun(text: string): number {
  let start = text.length;
  while (start > 0 && base64.has(text.charAt(start - 1))) start -= 1;
  return start;
}

/**
 * Two or more lines as wide as PEM (64), OpenSSH (70) or MIME (76) writes them: the inside of a block, both
 * ends cut off.
 */
function unmarked(lines: readonly Line[]): Span[] {
  const wide = lines.map(({ text }) => {
    const line = text.trimEnd().slice(-80);
    const run = line.slice(startOfRun(line.replace(/={1,2}$/u, '')));
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

/** A line such as `-----BEGIN RSA PRIVATE KEY-----`, and where it stands. */
type KeyMarker = { readonly start: number; readonly end: number };

const maxLabel = 70;

/** The markers that open or close a private key, in PEM, OpenSSH, PGP, SSH2 or PuTTY form, in their order. */
function privateMarkers(text: string, word: 'BEGIN' | 'END'): readonly KeyMarker[] {
  const armour = markers(text, word).filter(({ isPrivate }) => isPrivate);
  return [...armour, ...puttyMarkers(text, word)].sort((a, b) => a.start - b.start);
}

/** Whether the text holds a marker of something public: a certificate, a public key. */
function hasPublicMarker(text: string, word: 'BEGIN' | 'END'): boolean {
  return markers(text, word).some(({ isPrivate, isClosed }) => !isPrivate && isClosed);
}

interface Marker extends KeyMarker {
  readonly isPrivate: boolean;
  /** Dashes follow. */
  readonly isClosed: boolean;
}

function markers(text: string, word: 'BEGIN' | 'END'): readonly Marker[] {
  const found: Marker[] = [];
  for (let at = text.indexOf(`${word} `); at >= 0; at = text.indexOf(`${word} `, at + 1)) {
    const before = text.slice(Math.max(0, at - 6), at);
    const dashes = before.length - before.trimEnd().replace(/-{2,5}$/u, '').length;
    if (!/--$/u.test(before.trimEnd()) || /\s\s$/u.test(before)) continue;
    const label = at + word.length + 1;
    const labelEnd = endAt(text, label, maxLabel, /^(?:OpenVPN [A-Za-z0-9 -]{1,30}?(?=--)|[A-Z0-9 ]+)/u);
    const name = text.slice(label, labelEnd);
    const secret = secretLabel.exec(name);
    const keyEnd = secret === null ? labelEnd : label + secret.index + secret[0].length;
    found.push({
      start: at - dashes,
      end: endAt(text, keyEnd, 6, /^ ?-+/u),
      isPrivate: secret !== null,
      isClosed: labelEnd > label && text[labelEnd] === '-',
    });
  }
  return found;
}

/** What labels call a private key: also a seed of NATS, and the keys of OpenVPN that both sides share. */
const secretLabel = /PRIVATE KEY(?: BLOCK)?|NKEY SEED|^OpenVPN .{1,30}/u;

const puttyWords = { BEGIN: 'PuTTY-User-Key-File-', END: 'Private-MAC:' } as const;
const puttyLine = { BEGIN: /^PuTTY-User-Key-File-\d: ?[\w-]+/u, END: /^Private-MAC: ?[0-9a-f]*/u } as const;

function puttyMarkers(text: string, word: 'BEGIN' | 'END'): readonly KeyMarker[] {
  const start = text.indexOf(puttyWords[word]);
  const end = start < 0 ? start : endAt(text, start, 100, puttyLine[word]);
  return end > start ? [{ start, end }] : [];
}
