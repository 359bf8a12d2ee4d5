import { isRandomLike } from './entropy.js';
import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import { foreignPasswords, secretKindOf, withoutEnding } from './secret-names.js';
import type { Span } from './span.js';
import { endAt, matchAt, scan } from './span.js';
import { readValue } from './values-in-text.js';

/**
 * A secret beside its name in a sentence: what looks random beside a word like `token` or `api key`, and what
 * looks like a password where the sentence says what the password is.
 */
export function besideWords(text: string): readonly Span[] {
  return [
    ...saidPasswords(text),
    ...besideUsers(text),
    ...statedValues(text),
    ...besideCompounds(text),
    ...loginCalls(text),
    ...oneTimeCodes(text),
    ...quotedPhrases(text),
  ];
}

const names: readonly string[] = [
  'password',
  'passwd',
  'passphrase',
  'passcode',
  'pwd',
  'pw',
  'pass phrase',
  'mot de passe',
  'palabra de paso',
  ...foreignPasswords,
];
const namesByStart: ReadonlyMap<string, readonly string[]> = new Map(
  names.map(([start = '']) => [start, names.filter((each) => each.startsWith(start))]),
);

/**
 * Behind the name of a password, if one stands at this place: as a word, or at the end of a Korean, Chinese
 * or Japanese run.
 */
function endOfName(text: string, at: number): number | undefined {
  const name = namesByStart
    .get(text.charAt(at).toLowerCase())
    ?.find((each) => text.slice(at, at + each.length).toLowerCase() === each);
  if (name === undefined) return undefined;
  let before = at;
  while (before > at - 8 && /\p{Script=Hangul}/u.test(text.charAt(before - 1))) before -= 1;
  return /[\p{L}\p{N}_-]/u.test(text.charAt(before - 1)) ? undefined : at + name.length;
}

/** `is`, `was set to`, and what other languages say. */
const verbs = new Set(
  '- – is was are now has been to as with ist lautet wurde auf es est sera é è 은 는 이 가 을 를 是 为 為 は が'.split(
    ' ',
  ),
);
const particles = new Set('은 는 이 가 을 를 로 의 是 为 為 は が'.split(' '));
const changes = new Set('set changed reset updated'.split(' '));

/**
 * Behind what a sentence may put between the name of a password and the password: `for user app`, `is`,
 * `was set to`.
 */
function endOfIntroduction(text: string, from: number): number | undefined {
  const particle = particles.has(text.charAt(from)) ? from + 1 : from;
  const bracket = endAt(text, particle, 43, /^ \([^()\n]+\)/u);
  const qualified = bracket > particle ? bracket : endOfQualifier(text, particle);
  let at = endAt(text, qualified, 2, /^ +/u);
  const isJoined = at === qualified && /[:=]|[^\p{ASCII}]/u.test(text.charAt(at));
  if (at === qualified && !isJoined && !/[^\p{ASCII}]/u.test(text.charAt(at - 1))) return undefined;
  for (let i = 0; i < maxVerbs; i += 1) {
    const next = endOfVerb(text, at);
    if (next === at) break;
    at = next;
  }
  return at;
}

const prepositions = new Set('for of für von de del da do pour para от для'.split(' '));
const fillers = new Set('is was generated created issued'.split(' '));

/** Behind `for user app` or `is generated for root@localhost`; `from` where nothing of that kind follows. */
function endOfQualifier(text: string, from: number): number {
  let at = from;
  for (let i = 0; i < maxFillers; i += 1) {
    const word = matchAt(text, at, 20, /^ (\p{L}+)/u)?.[1]?.toLowerCase() ?? '';
    if (!fillers.has(word) && !prepositions.has(word)) return from;
    at += 1 + word.length;
    if (!prepositions.has(word)) continue;
    const purpose = endAt(text, at, 124, /^((?: [\w.-]{1,30}){1,4})(?=[:=] | is )/u);
    if (purpose > at) return purpose;
    const noun = endAt(text, at, 6, /^( (?:user|the)) /u);
    const end = endAt(text, noun, 70, /^ [^\s:=]+/u);
    return end > noun ? end : from;
  }
  return from;
}

const maxFillers = 3;
const maxVerbs = 5;

const maxNouns = 130;
/**
 * `password written: x`, `비밀번호 재설정 완료: x`: up to three words and a colon. Prose goes on so as well, with a
 * state, a number or an address.
 */
const nouns =
  /^((?:(?:\p{Ll}{2,12}|\p{Script=Hangul}{1,8}) ){0,2}(?:\p{Ll}{2,12}|\p{Script=Hangul}{1,8}): )(?!\S{1,60}@[\w-]{1,60}\.)(?=\S{0,60}\d)(?=\S{0,60}[!@#$%^&*+~?])/u;

function endOfVerb(text: string, at: number): number {
  const sign = endAt(text, at, 3, /^[:=]+ ?/u);
  if (sign > at) return sign;
  const noun = endAt(text, at, maxNouns, nouns);
  if (noun > at) return noun;
  const verb = matchAt(text, at, 12, /^([^\s:]+)[ :]/u)?.[1] ?? '';
  if (!verbs.has(verb.toLowerCase()) && !changes.has(verb.toLowerCase())) return at;
  return endAt(text, at + verb.length, 2, /^[ :]+/u);
}

function saidPasswords(text: string): Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const name = endOfName(text, at);
    const from = name && endOfIntroduction(text, name);
    if (from === undefined) continue;
    const quoted = matchAt(text, from, 203, /^["'`([«“「]([^"'`)\]»”」\n]+)["'`)\]»”」]/u)?.[1];
    const bare = matchAt(text, from, 256, /^[^\s"'`([«“「]+/u)?.[0] ?? '';
    const word = quoted ?? withoutEnding(bare.replace(/[.,;:)!?。，]{1,3}$/u, ''));
    if (!isPasswordLike(word) || isHarmlessValue(word) || isOfFields(word)) continue;
    const start = quoted === undefined ? from : from + 1;
    spans.push({ start, end: start + word.length, kind: 'password' });
  }
  return spans;
}

/** Several words, an address, or fields: `user=app`, `x,user=app`. */
function isOfFields(word: string): boolean {
  return /[: ]/u.test(word) || /(?:^|[,;&\\])[\w.%-]{0,100}=/u.test(word);
}

const oneTime =
  /(?<![\w-])(?:one[- ]time (?:password|passcode|code|pin)|(?:verification|login|security) code|passcode|otp)(?![\w-])(?: ?(?:번호|코드))?|(?:인증 ?(?:번호|코드)|일회용 ?(?:비밀번호|암호))/giu;

/** Digits alone, beside the name of what is valid once: `verification code is 481063`. */
function oneTimeCodes(text: string): Span[] {
  return [...text.matchAll(oneTime)].flatMap(({ 0: name, index }) => {
    const from = endOfIntroduction(text, index + name.length);
    const code =
      from === undefined
        ? undefined
        : matchAt(text, from, 12, /^["'`([「“]?(\d{3}[ -]\d{3}|\d{4,8})(?! ?\d|[\w.:-])/u);
    const start = (from ?? 0) + (code?.[0].length ?? 0) - (code?.[1]?.length ?? 0);
    return code?.[1] === undefined ? [] : [{ start, end: start + code[1].length, kind: 'password' }];
  });
}

const phraseName =
  /(?<![\w-])(?:pass ?phrase|(?:seed|recovery|mnemonic|secret) (?:phrase|words)|mnemonic)(?: is| was)? (?=["'`“])/giu;

/** Words in quotes beside the name of what consists of words: `passphrase "green tea at noon"`. */
function quotedPhrases(text: string): Span[] {
  return [...text.matchAll(phraseName)].flatMap(({ 0: name, index }) => {
    const start = index + name.length + 1;
    const phrase = matchAt(text, start, 203, /^([^"'`”\n]+)["'`”]/u)?.[1] ?? '';
    const isPhrase = /\S \S/u.test(phrase) && !isHarmlessValue(phrase);
    return isPhrase ? [{ start, end: start + phrase.length, kind: 'password' }] : [];
  });
}

const accounts =
  /(?<![\w-])(?:credentials?|creds|log[io]n|\p{L}{2,12}\/(?:pass(?:word)?|pw|비밀번호|패스워드|비번|암호)|(?:로그인|접속|계정) ?정보|(?:로그인|접속) ?계정|(?:로그인|접속|계정)(?= ?[:=] ?[A-Za-z][\w.@-]{0,63} ?\/)|sqlplus|connect)(?![\w-])/giu;
const userAndPassword = /^((?: (?:with|as|is|are|using))?[ :=]*[\w.@-]+ ?[/:] ?)([^\s/@]+)/u;
/** `credentials (app, x)`. */
const inBrackets = /^( ?\([\w.@-]{1,64}, ?)([^\s(),]{6,100})(?=\))/u;
/** `creds for the jump box: ops:x`, and nothing that goes on as an address or a path. */
const behindPurpose =
  /^( (?:for|of|to|on)(?: [\w-]{1,30}){1,4}: [\w@-]{1,64}(?: ?\/ |:))([^\s/@]{6,100})(?![^\s,;)])/u;

/**
 * User and password, apart by `/` or `:`, behind a word that announces both: `credentials: app / x`,
 * `login with app/x`.
 */
function besideUsers(text: string): readonly Span[] {
  return scan(text, accounts, ({ 0: word, index }) => {
    const from = index + word.length;
    const [, lead = '', password = ''] =
      [userAndPassword, behindPurpose, inBrackets]
        .map((pattern) => matchAt(text, from, 160, pattern))
        .find((match) => match !== undefined) ?? [];
    const start = from + lead.length;
    const content = password.replace(/[.,;)"'`]{1,3}$/u, '');
    return isPasswordLike(content) && !isNextOfSeries(lead, content)
      ? { spans: [{ start, end: start + content.length, kind: 'password' }] }
      : undefined;
  });
}

/** `web-01 / web-02`: two hosts rather than a user and a password. */
function isNextOfSeries(lead: string, content: string): boolean {
  const first = /\S{0,100}\d ?[/:] ?$/u.exec(lead)?.[0].replace(/ ?[/:] ?$/u, '') ?? '';
  return first !== '' && first.replace(/\d/gu, '') === content.replace(/\d/gu, '');
}

const statement =
  / \(?(?:(?:is|was)(?: now)?(?: set to)?|(?:bound|set|resolved|changed|updated|defaults|equal|evaluates|expands) to|has (?:the )?value|equals)[:=]? (?=\S)|: value (?=["'`])/giu;
const nameBefore = /(?<![\w.-])([A-Za-z][\w.-]{2,99})["'`]?$/u;

/** A value that a sentence states of a variable or property: `Property 'app.mail.password' bound to 'x'`. */
function statedValues(text: string): readonly Span[] {
  return scan(text, statement, ({ 0: verb, index }) => {
    const name = nameBefore.exec(text.slice(Math.max(0, index - 103), index))?.[1] ?? '';
    const kind = /[._-]|[a-z][A-Z]/u.test(name) ? secretKindOf(name) : undefined;
    if (kind === undefined) return undefined;
    const { start, end, quoted } = readValue(text, index + verb.length);
    const content = text.slice(start, end).replace(/[.,;:!?]{1,3}$/u, '');
    const isSecret = quoted || isPasswordLike(content) || isRandomLike(content);
    return isSecret && content !== '' && !isHarmlessValue(content)
      ? { spans: [{ start, end: start + content.length, kind }], next: end }
      : undefined;
  });
}

const compound =
  /(?:PASSWORD|[Pp]assword|PASSWD|[Pp]asswd|PASSPHRASE|[Pp]assphrase|_PASS|_PWD|_SECRET|_TOKEN|_KEY|_SALT|[a-z]P(?:wd|ass))["'`]?[ \t]{1,2}(?=[!-~]{6})/gu;

/** A name of several parts and a secret, apart by a space: `DB_PASSWORD x was rejected`. */
function besideCompounds(text: string): readonly Span[] {
  return scan(text, compound, ({ 0: end, index }) => {
    const from = index + end.length;
    const before = text.slice(Math.max(0, index - maxCompound), from).trimEnd();
    const name = nameBefore.exec(before)?.[1] ?? '';
    const kind = /[._-]|[a-z][A-Z]/u.test(name) && !name.includes('--') ? secretKindOf(name) : undefined;
    if (kind === undefined) return undefined;
    const { start, end: until } = readValue(text, from);
    const word = text.slice(start, until).replace(/[.,;:!?]{1,3}$/u, '');
    const isChosen = /\d/u.test(word) && /[a-z]/u.test(word) && /[A-Z!#$%^&*+~?]/u.test(word);
    return isChosen && isPasswordLike(word) && !isHarmlessValue(word)
      ? { spans: [{ start, end: start + word.length, kind }], next: until }
      : undefined;
  });
}

const maxCompound = 92;

const loginCall =
  /(?:(?<![a-z])(?:PDO|mysqli|Client|Connection|Driver)->__construct|(?<![a-z])bind|[Cc]onnect|[Ll]ogin|[Aa]uthenticate|[Gg]etConnection|auth_password|(?:[Bb]asic|[Dd]igest|[Pp]lain|Ntlm)_?[Aa]uth|PasswordAuthentication|[Uu]sername_?[Pp]assword(?:\w{1,30}Token|Token)?|(?<![a-z])(?:[A-Z]\w{0,20})?Credentials?(?:\.basic)?|(?<![A-Za-z])auth ?= ?)\(/gu;
const argument = /(?:^|,)\s?(['"])([^'"\n]{0,200})\1/gu;
const longestCall = 600;
const takesUser = /login|auth(?!_)|password/iu;

/**
 * Arguments of a call that logs in, as code and stack traces show them:
 * `PDO->__construct('mysql:host=db', 'app', 'x')`, `HTTPBasicAuth('app', 'x')`, `auth=('app', 'x')`.
 */
function loginCalls(text: string): readonly Span[] {
  return scan(text, loginCall, ({ 0: call, index }) => {
    const from = index + call.length;
    const all = text.slice(from, from + longestCall).split(/[\n)]/u)[0] ?? '';
    const found = [...all.matchAll(argument)];
    const isLast = (each: RegExpExecArray): boolean =>
      each.index > 0 && each.index + each[0].length === all.length && !all.slice(0, each.index).includes(',');
    // The user may come from a variable where the call has nothing but a user and a password.
    const given =
      takesUser.test(call) && found.length < 3 && found.some(isLast) ? found.filter(isLast) : found.slice(1);
    const spans = given.flatMap(({ 0: whole, 2: content = '', index: at }) => {
      const start = from + at + whole.length - content.length - 1;
      return isPasswordLike(content) && !isHarmlessValue(content)
        ? [{ start, end: start + content.length, kind: 'password' as const }]
        : [];
    });
    return spans.length === 0 ? undefined : { spans };
  });
}
