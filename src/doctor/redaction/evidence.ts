import { isRandomLike, isUuid } from './entropy.js';
import { isHarmlessValue, isPasswordLike, isProseWord } from './harmless-values.js';
import { secretKindOf, secretKindOfPhrase } from './secret-names.js';
import { finished, type SecretKind, type Span } from './span.js';

/**
 * A secret anywhere near a word that names one: in the same line behind it or before it, or alone in the line
 * below it. No sentence and no format is known here. The form of the value, the signs around it and its
 * distance count as evidence, and enough of it makes a secret: `fell back to static credential x`,
 * `bind password of the directory: 'x'`, `비밀번호 입력값: x`.
 */
export function nearNames(text: string): readonly Span[] {
  return finished(readingNear(text));
}

/** The same in steps. */
export function* readingNear(text: string): Generator<void, readonly Span[]> {
  let parts = 0;
  const spans: Span[] = [];
  let above: readonly Mention[] = [];
  let at = 0;
  for (const line of text.split('\n')) {
    for (let from = 0; from < Math.max(1, line.length); from += longestPart) {
      const part = line.slice(from, from + longestPart + overlap);
      spans.push(...inLine(part, above, at + from));
      parts += 1;
      if (parts % partsOfStep === 0) yield;
    }
    if (line.trim() !== '' && !isRule(line)) above = announcements(line);
    at += line.length + 1;
  }
  return spans;
}

/** Long lines are read in parts, so that the work for each value is bounded. */
const longestPart = 2_000;
const overlap = 300;
const partsOfStep = 10;

/** A word that names a secret. */
interface Mention {
  readonly start: number;
  readonly end: number;
  readonly kind: SecretKind;
  /** It also means many other things: `key`, `login`. */
  readonly isWeak: boolean;
}

/**
 * What the form of a value tells: drawn at random, chosen with signs, letters and digits mixed, issued as a
 * UUID, which ids are too, or named as an object or a class.
 */
type Form = 'random' | 'chosen' | 'mixed' | 'issued' | 'named';

const points: Readonly<Record<Form, number>> = { random: 4, chosen: 4, mixed: 2, issued: 2, named: 1 };
const enough = 5;

function inLine(line: string, above: readonly Mention[], offset: number): readonly Span[] {
  let mentions: readonly Mention[] | undefined;
  return [...line.matchAll(piece)].flatMap(({ 0: word, index }) => {
    const content = withoutEnd(line[index + word.length] === '=' ? word.replace(/&[\w-]{1,40}$/u, '') : word);
    const form = formOf(content);
    if (form === undefined || isHarmlessValue(content) || isPartOfPlace(line, index, content)) return [];
    mentions ??= mentionsIn(line);
    const value: Candidate = { start: index, end: index + content.length, form };
    const kind =
      kindBefore(line, value, mentions) ?? kindBehind(line, value, mentions) ?? kindAbove(line, value, above);
    return kind === undefined ? [] : [{ start: offset + value.start, end: offset + value.end, kind }];
  });
}

type Candidate = { readonly start: number; readonly end: number; readonly form: Form };

/** What no sign of structure divides. */
const piece = /(?!\*)[^\s"'`()[\]{}<>,;|=:\P{ASCII}]{6,300}={0,2}/gu;

function withoutEnd(word: string): string {
  return word.replace(/[.?!*\\]{1,3}$/u, (end) => (/\d[?!*]$/u.test(word) ? end : ''));
}

/** Capitals, digits and separators: names of algorithms, errors and standards. */
const capitals = /^[A-Z\d_./#-]+$/u;
const inCapitals = /^(?=[A-Z]*(?:[2-7]|[B-DF-HJ-NP-TV-XZ]{5}))[A-Z2-7]{16,128}$/u;
const groups = /^(?=[A-Z-]*\d)(?=[\d-]*[A-Z])[A-Z\d]{4,8}(?:-[A-Z\d]{4,8}){2,7}$/u;
/** As kubeadm makes it: in lower case, apart by a dot. */
const bootstrapToken = /^[a-z0-9]{6}\.[a-z0-9]{16}$/u;
const signs = /[!@#$%^&*+~?]/u;

/**
 * `AzureKeyVault2`, `Ed25519PrivateKey`, `hmac_sha256_init`: words, and numbers of up to five digits between
 * them.
 */
function isOfPrograms(word: string): boolean {
  if (!/^\w+$/u.test(word)) return false;
  const parts = word.match(/[A-Z]+[a-z]*|[a-z]+|\d+/gu) ?? [];
  const hasLongWord = parts.some((part) => /[a-z]{5}/u.test(part));
  return parts.length <= mostParts && parts.every((part) => isPartOfName(part, hasLongWord));
}

const mostParts = 12;

function isPartOfName(part: string, hasLongWord: boolean): boolean {
  if (/^\d/u.test(part)) return part.length <= 5;
  return /^[A-Z]{1,6}$|^[A-Z]{0,6}[a-z]{2,24}$/u.test(part) || (hasLongWord && /^[A-Z][a-z]$/u.test(part));
}

function formOf(word: string): Form | undefined {
  if (inCapitals.test(word)) return 'random';
  if (!/\d/u.test(word) || !/[A-Za-z]/u.test(word)) return undefined;
  if (isUuid(word)) return 'issued';
  if (bootstrapToken.test(word)) return 'mixed';
  if (groups.test(word)) return 'random';
  if (/^[\da-f]+$/u.test(word)) return isRandomLike(word) ? 'random' : undefined;
  if (capitals.test(word) && !isRandomLike(word)) return undefined;
  if (isOfPrograms(word)) return 'named';
  if (isRandomLike(word)) return 'random';
  if (anchor.test(word) || /^\d{1,5}[.:]\d/u.test(word) || /\\[a-z]/u.test(word)) return undefined;
  if (/^[a-z\d.-]+$/u.test(word)) return isNamedLike(word) ? 'named' : undefined;
  if (!isPasswordLike(word)) return undefined;
  return signs.test(word) && word.length >= 8 ? 'chosen' : 'mixed';
}

/** `quartz-kestrel-60`, `r0sebud`: the names of objects have such forms too. */
function isNamedLike(word: string): boolean {
  const isInParts = /^(?:[a-z]{1,40}-){2,6}\d{1,9}$/u.test(word);
  return isInParts || (/[a-z]\d[a-z]/u.test(word) && isPasswordLike(word));
}

/** `#a-heading-2` of a page. */
const anchor = /^#[a-z\d-]+$/u;

/** A part of a path, of an address, of a call or of an expression. */
function isPartOfPlace(line: string, start: number, content: string): boolean {
  const run =
    line
      .slice(Math.max(0, start - longestRun), start)
      .split(/\s/u)
      .at(-1) ?? '';
  const after = line.slice(start + content.length, start + content.length + 3);
  if (`${run}${content.slice(0, 3)}`.includes('://') || run.includes('arn:') || /\$[({]$/u.test(run))
    return true;
  return (
    after.startsWith('(') ||
    after === '://' ||
    /^[/-]/u.test(content) ||
    (content.includes('/') && !isRandomLike(content))
  );
}

const longestRun = 200;

const word = /[\p{L}\p{N}_$][\p{L}\p{M}\p{N}_.$-]{0,99}/gu;
const mayName =
  /pass|unseal|pw|secret|token|key|cred|auth|log|^in$|pin|otp|session|cookie|encrypt|psk|salt|hmac|jwt|pat|pepper|mnemonic|seed|[^\p{ASCII}]/iu;
/** Words that mean many other things too, and what a drawn value behind them is. */
const weakWords: readonly (readonly [RegExp, SecretKind])[] = [
  [/(?:^|(?<!public)[._ -])keys?$|^unseal$|(?:^| )키$/iu, 'key'],
  [/(?<=[a-z])(?<!ublic)Keys?$/u, 'key'],
  [/(?:^|[._ -])(?:session|cookie)s?$/iu, 'cookie'],
  [/(?:^|[._ -])(?:pin|seed|encrypt|credentials?|creds?)$/iu, 'secret'],
  [/(?:^| )(?:(?:log|sign)[- ]?in|auth)$/iu, 'credentials'],
];

function mentionsIn(line: string): readonly Mention[] {
  const found: Mention[] = [];
  let last = '';
  for (const { 0: raw, index } of line.matchAll(word)) {
    const name = raw.replace(/[.-]{1,3}$/u, '');
    const before = last;
    last = name;
    if (
      !mayName.test(name) ||
      name.includes('--') ||
      /[\w]\/$/u.test(line.slice(Math.max(0, index - 2), index))
    )
      continue;
    const isApart = line[index - 1] === ' ' && before !== '';
    const phrase = isApart ? `${before} ${name}` : name;
    const ofPhrase = isApart ? secretKindOfPhrase(phrase) : undefined;
    const kind = ofPhrase ?? secretKindOf(name);
    const other = weakWords.find(([pattern]) => pattern.test(phrase))?.[1];
    const isWeak = ofPhrase === undefined && other !== undefined;
    const named = isWeak ? other : kind;
    if (named !== undefined) found.push({ start: index, end: index + raw.length, kind: named, isWeak });
  }
  return found;
}

const maxGap = 120;

function kindBefore(line: string, value: Candidate, mentions: readonly Mention[]): SecretKind | undefined {
  const near = mentions.filter(({ end }) => end <= value.start && value.start - end <= maxGap);
  return near
    .slice(-mostMentions)
    .reverse()
    .map((mention) => kindBehindMention(line, value, mention))
    .find((kind) => kind !== undefined);
}

const mostMentions = 3;

function kindBehindMention(line: string, value: Candidate, mention: Mention): SecretKind | undefined {
  const gap = line.slice(mention.end, value.start);
  if (isOtherThing(gap, value) || (gap === '(' && value.form !== 'chosen')) return undefined;
  const noun = /^ ([a-z]{3,20})(?![\w.-])/u.exec(gap)?.[1] ?? '';
  const isDrawn = value.form === 'random' || value.form === 'chosen';
  if (
    !isDrawn &&
    noun !== '' &&
    secretKindOf(`${line.slice(mention.start, mention.end)}-${noun}`) === undefined
  )
    return undefined;
  const words = gap.match(/[\p{L}\p{N}_.-]+/gu) ?? [];
  const strangers = words.filter((each) => !links.has(each.toLowerCase())).length;
  const isBesideKey = strangers === 0 && mention.kind !== 'credentials';
  const isInside = !quotedProse.test(gap);
  const isIntroduced = isInside && introduction.test(gap);
  const isQuoted = quote.test(gap);
  if (mention.isWeak && value.form !== 'random' && value.form !== 'chosen') return undefined;
  const isLinked =
    words.length <= 4 &&
    (strangers === 0 ||
      (strangers === 1 && (verb.test(gap) || stated.test(gap)) && mention.kind === 'password'));
  if (value.form === 'issued' && !(isLinked && strangers === 0 && /^(?:token|secret)$/u.test(mention.kind)))
    return undefined;
  const isCoined = isQuoted && /^[A-Z]/u.test(line.slice(value.start, value.end));
  if (value.form === 'named' && mention.kind !== 'password' && !isCoined) return undefined;
  const score =
    points[value.form] +
    (mention.isWeak ? 0 : 1) +
    (value.form === 'named' && isCoined ? 1 : 0) +
    (isLinked && isInside && !mention.isWeak ? 2 : isIntroduced || isBesideKey ? 1 : 0) +
    (arrow.test(gap) ? 1 : 0) +
    (isQuoted ? 1 : 0) -
    (words.length > 6 && value.form !== 'chosen' ? 1 : 0);
  return score >= enough ? mention.kind : undefined;
}

/** A text in quotes, with words of its own before the value: `password: "is x"`. */
const quotedProse = /^[^"'`]{0,20}["'`](?=[^"'`]*$)[^"'`\p{L}]*\p{L}/u;
const quote = /["'`([“「]$/u;
const links = new Set(
  'is was are to with now as be of the a using for set used using id value values from 값 값은 값이 it'.split(
    ' ',
  ),
);
const arrow = /(?:→|[-=]>) ?$/u;
const verb = /(?<!\p{L})(?:is|was|to|with|as)[\s"'`([]{1,3}$/iu;
const introduction =
  /(?:[:=→>-][\s"'`([]{0,3}| \/ |(?<=\p{Script=Hangul})(?:에서|[은는이가을를])[\s"'`([]{1,3}|(?<!\p{L})(?:is|was|to|with|as|using|got|given|of|now|used|id|for|configured|provided|supplied|received|entered|tried|typed|sent|set)[\s"'`([]{1,3})$/iu;

/** `the password is user=x`: the sentence goes on with fields. */
const stated = /^(?: (?:is|was|to|now)){1,3} [^\s=]{1,60}=$/u;

/** The word before the value names another thing: an id, a digest, a user, or another field. */
function isOtherThing(gap: string, { form }: Candidate): boolean {
  const label = /([\p{L}\p{N}_.-]{1,120})["'`]?\s?[=:]\s?["'`([{]{0,2}$/u.exec(gap)?.[1] ?? '';
  const isStated = stated.test(gap);
  if (
    label !== '' &&
    !isStated &&
    !generic.has(label.toLowerCase()) &&
    /[=]\s?["'`([{]{0,2}$|["'`]\s?:/u.test(gap)
  )
    return true;
  const others = gap.replace(/^ id(?= )/u, '');
  if (!isStated && otherNames.test(label || (others.match(/[\p{L}\p{N}_.-]+/gu)?.at(-1) ?? ''))) return true;
  return form === 'random' && (others.match(/[\p{L}\p{N}_-]+/gu) ?? []).some((each) => ids.test(each));
}

const generic = new Set(
  'value val input got want expected actual data content result text given received string raw current new old default args argv params parameters'.split(
    ' ',
  ),
);
const otherNames =
  /(?:id|ids|uid|uuid|guid|sha|sha1|sha256|digest|hash|checksum|commit|revision|image|trace|span|request|req|fingerprint|thumbprint|serial|etag|version|user|username|account|host|server|node|pod|container|job|release|tag|branch|file|path|line|column|position|offset|audience|issuer|kid|alg|algorithm|name|email|role|사용자|계정|아이디)$/iu;
const ids =
  /^(?:(?!(?:in)?valid)\p{L}{0,9}id|uuid|sha\d{0,3}|digest|hash|checksum|commit|revision|image|trace|span|request|fingerprint|thumbprint|serial|etag)s?$/iu;

const maxBehind = 60;
/** `x as the root password`. */
const asSecret = /^["'`]? as (?:(?:the|your|a|its|new|root|admin|temporary) ){0,2}$/u;

/** `use x as the password`, `invalid value "x" (env DB_PASSWORD)`: only what is a secret by its form. */
function kindBehind(line: string, value: Candidate, mentions: readonly Mention[]): SecretKind | undefined {
  const mention = mentions.find(({ start }) => start >= value.end);
  if (
    value.form === 'named' ||
    value.form === 'issued' ||
    mention === undefined ||
    mention.isWeak ||
    mention.start - value.end > maxBehind
  )
    return undefined;
  const before = line.slice(Math.max(0, value.start - maxGap), value.start);
  if (isOtherThing(before, value) || (value.form === 'random' && !introduction.test(before)))
    return undefined;
  const asName = asSecret.test(line.slice(value.end, mention.start));
  if (value.form === 'mixed') return asName ? mention.kind : undefined;
  const score =
    points[value.form] + (asName || quote.test(before) ? 1 : 0) + (introduction.test(before) ? 1 : 0);
  return score >= enough ? mention.kind : undefined;
}

/** The names in a line that announces what is below it. */
function announcements(line: string): readonly Mention[] {
  const end = line.trimEnd();
  if (end.startsWith('-----')) return [];
  const announces =
    /[:：]$|[다요][.!]?$/u.test(end) || (end.length <= longestHeading && !/[.,;=]/u.test(end));
  return announces && end.length <= longestAnnouncement
    ? mentionsIn(end).filter(({ isWeak }) => !isWeak)
    : [];
}

const longestHeading = 80;
const longestAnnouncement = 200;

function kindAbove(line: string, value: Candidate, above: readonly Mention[]): SecretKind | undefined {
  if (value.form === 'named' || above.length === 0) return undefined;
  const rest = `${line.slice(0, value.start)}${line.slice(value.end)}`;
  return /^[\s"'`>*-]*(?:[.,;]["'`]?\s*)?$/u.test(rest) && !isProseWord(line.slice(value.start, value.end))
    ? above.at(-1)?.kind
    : undefined;
}

function isRule(line: string): boolean {
  return /^\s*[-=~_]{3,}\s*$/u.test(line);
}
