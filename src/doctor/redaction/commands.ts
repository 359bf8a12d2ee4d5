import { isQuote, secretFrom, type Word, wordsOf } from './command-words.js';
import { isHarmlessValue, isPasswordLike } from './harmless-values.js';
import type { SecretKind, Span } from './span.js';
import { readValue } from './values-in-text.js';

/**
 * Passwords that commands, configuration files and SQL take without a name or separator that tells them. The
 * text is split into words once; each word is compared with tables, so that the work grows in proportion to
 * the text.
 */
export function commands(text: string): readonly Span[] {
  const words = wordsOf(text);
  const spans: Span[] = [];
  let command: Command = { program: undefined, noted: new Set() };
  words.forEach((word, i) => {
    if (word.opensCommand) command = { program: undefined, noted: new Set() };
    if (isProgram(word.text)) command.program = baseName(word.text);
    if (noted.has(word.text)) command.noted.add(word.text);
    const place: Place = { text, words, i, word, command };
    for (const found of [flagValue(place), argument(place), statement(place), piped(place), line(place)]) {
      if (found !== undefined && !isHarmlessValue(firstWord(text, found))) spans.push(found);
    }
    spans.push(...literal(place));
  });
  return spans;
}

/** The command that a word belongs to, as far as it was read. */
interface Command {
  program: string | undefined;
  /** Which of the words below it holds. */
  readonly noted: Set<string>;
}

const noted = new Set(
  'rabbitmqctl composer net mc htpasswd configmap cm vault bao put patch write'.split(' '),
);

interface Place {
  readonly text: string;
  readonly words: readonly Word[];
  readonly i: number;
  readonly word: Word;
  readonly command: Command;
}

interface Flag {
  /** Programs that take it, `*` at the end for every continuation; none: every program. */
  readonly programs?: readonly string[];
  readonly names: readonly string[];
  /** Whether the value is the next word, the rest of the same word, or either. */
  readonly place: 'apart' | 'attached' | 'either';
  /** What comes before the secret within the value: a user and this sign, or these words. */
  readonly behind?: ':' | '%' | ',' | 'pass:';
}

const words = (list: string): readonly string[] => list.split(' ');

const flags: readonly Flag[] = [
  { names: words('-u --user --proxy-user'), place: 'apart', behind: ':' },
  { programs: ['curl'], names: words('-u -U'), place: 'either', behind: ':' },
  { names: ['-setcookie'], place: 'apart' },
  { names: words('-U --user'), place: 'apart', behind: '%' },
  { names: words('-pass -passin -passout -k'), place: 'apart', behind: 'pass:' },
  { programs: ['lftp'], names: words('-u --user'), place: 'apart', behind: ',' },
  { programs: words('http https xh ht'), names: words('-a --auth'), place: 'apart', behind: ':' },
  { programs: words('mysql* mariadb* 7z 7za'), names: ['-p'], place: 'attached' },
  { programs: words('sshpass login'), names: ['-p'], place: 'either' },
  { programs: words('redis-cli valkey-cli'), names: ['-a'], place: 'apart' },
  {
    programs: words(
      'mongo* az oc influx rabbitmqadmin clickhouse-client clickhouse arangosh cypher-shell nats helm skopeo podman nerdctl twine',
    ),
    names: ['-p'],
    place: 'apart',
  },
  { programs: words('sqlcmd bcp isql tsql mosquitto_* mqtt unzip zip 7z'), names: ['-P'], place: 'either' },
  { programs: words('ldap*'), names: ['-w'], place: 'apart' },
  { programs: words('snmp*'), names: words('-A -X -c'), place: 'apart' },
  { programs: words('ipmitool'), names: ['-P'], place: 'apart' },
  { programs: words('cqlsh beeline'), names: ['-p'], place: 'apart' },
  { programs: ['openssl'], names: ['-k'], place: 'apart' },
];

const programs = new Set(flags.flatMap((each) => each.programs ?? []));
const prefixes = [...programs].filter((each) => each.endsWith('*')).map((each) => each.slice(0, -1));

function isProgram(word: string): boolean {
  const name = baseName(word);
  return programs.has(name) || prefixes.some((prefix) => name.startsWith(prefix));
}

function baseName(word: string): string {
  return word.slice(word.lastIndexOf('/') + 1);
}

function takes({ programs: of }: Flag, program: string | undefined): boolean {
  if (of === undefined) return true;
  return (
    program !== undefined &&
    of.some((each) => (each.endsWith('*') ? program.startsWith(each.slice(0, -1)) : each === program))
  );
}

/** `curl -u app:x`, `mysql -px`, `redis-cli -a x`. */
function flagValue({ text, words: all, i, word, command }: Place): Span | undefined {
  if (!word.text.startsWith('-')) return undefined;
  const at = word.start + text.slice(word.start, word.end).indexOf('-');
  for (const flag of flags) {
    const name = flag.names.find((each) => isGiven(word.text, each, flag));
    if (name === undefined || !takes(flag, command.program)) continue;
    const isWhole = word.text === name || isEndOfCluster(word.text, name, flag);
    const next = all[i + 1];
    const from = isWhole ? next?.start : at + name.length + (word.text[name.length] === '=' ? 1 : 0);
    if (from === undefined || (isWhole && (flag.place === 'attached' || next?.opensLine === true))) continue;
    const span = behindSign(text, from, flag.behind);
    if (span !== undefined && !(isWhole && text[span.start] === '-')) return span;
  }
  return undefined;
}

/** `-sSu`: one-letter options behind one hyphen, of which the last one takes the next word. */
function isEndOfCluster(word: string, name: string, { place, behind }: Flag): boolean {
  return (
    place === 'either' && behind === ':' && /^-[A-Za-z]{2,8}$/u.test(word) && word.endsWith(name.slice(1))
  );
}

function isGiven(word: string, name: string, flag: Flag): boolean {
  const { place, behind } = flag;
  if (word === name || isEndOfCluster(word, name, flag)) return true;
  if (place !== 'apart') return word.startsWith(name);
  return behind !== undefined && word.startsWith(`${name}=`);
}

function behindSign(text: string, from: number, sign: Flag['behind']): Span | undefined {
  const value = secretFrom(text, from);
  if (value === undefined) return undefined;
  if (sign === undefined) return spanFrom(value.start, value.end);
  const content = text.slice(value.start, value.end);
  const user = sign === 'pass:' ? '' : content.slice(0, content.indexOf(sign));
  const isUrl = content.startsWith('://', user.length);
  const isUser = user !== '' && user.length <= 64 && /^[\w.\\/@-]*$/u.test(user) && !isUrl;
  if (sign === 'pass:' ? !content.startsWith(sign) : !isUser) return undefined;
  const isNumbers = /^[\d:]*$/u.test(content);
  return isNumbers ? undefined : spanFrom(value.start + user.length + sign.length, value.end);
}

/** Commands that take the password as their n-th argument behind a word. */
const positions: readonly { readonly behind: RegExp; readonly program: string; readonly position: number }[] =
  [
    { program: 'rabbitmqctl', behind: /^(?:add_user|change_password|authenticate_user)$/u, position: 2 },
    { program: 'composer', behind: /^http-basic\./u, position: 2 },
    { program: 'net', behind: /^\/user:/iu, position: 1 },
    { program: 'mc', behind: /^(?:set|add)$/u, position: 4 },
    { program: 'htpasswd', behind: /^-(?=[A-Zac-z]{0,8}b)(?=[A-Za-mo-z]{0,8}n)/u, position: 2 },
    { program: 'htpasswd', behind: /^-(?=[A-Zac-z]{0,8}b)(?![A-Za-mo-z]{0,8}n)/u, position: 3 },
  ];

function argument({ text, words: all, i, word, command }: Place): Span | undefined {
  const found = positions.find(({ program, behind }) => command.noted.has(program) && behind.test(word.text));
  if (found === undefined) return undefined;
  let position = 0;
  for (let next = i + 1; next < Math.min(all.length, i + 12); next += 1) {
    const each = all[next];
    if (each === undefined || each.opensCommand || each.text === '') return undefined;
    if (each.text.startsWith('-')) continue;
    position += 1;
    if (position === found.position) return spanOf(text, each.start);
  }
  return undefined;
}

/**
 * Configuration files and SQL: `requirepass x`, `AUTH user x`, `IDENTIFIED BY 'x'`, `PASSWORD 'x'`,
 * `login x password y`, PowerShell.
 */
function statement({ text, words: all, i, word }: Place): Span | undefined {
  const next = all[i + 1];
  if (next === undefined) return undefined;
  if (word.text === 'requirepass' || word.text === 'masterauth') return spanOf(text, next.start);
  if (word.text === 'AUTH' || (word.text === 'auth' && word.opensLine)) {
    const opaque = [all[i + 2], next].find(
      (each) => each !== undefined && each.text.length >= 6 && /\d/u.test(each.text),
    );
    const given = opaque ?? wordOfLogin(all, i);
    return given && spanOf(text, given.start);
  }
  if (word.text === 'LOGIN') {
    const given = lastOfLogin(all, i);
    return given && spanOf(text, given.start);
  }
  if (/^convertto-securestring$/iu.test(word.text)) {
    const given = all.slice(i + 1, i + 4).find((each) => !each.text.startsWith('-'));
    return given && isQuote(text[given.start]) ? spanOf(text, given.start) : undefined;
  }
  if (/^identified$/iu.test(word.text) && isOfStatement(all, i)) {
    const introduced = all
      .slice(i + 2, i + 6)
      .find(
        (each, at) =>
          (isQuote(text[each.start]) || isPasswordLike(each.text)) &&
          all.slice(i + 1 + at, i + 2 + at).some((before) => /^(?:by|as|password)$/iu.test(before.text)),
      );
    return introduced && spanOf(text, introduced.start);
  }
  if (word.text !== 'password' && word.text !== 'PASSWORD') return undefined;
  if (all[i - 2]?.text === 'login') return spanOf(text, next.start);
  return isQuote(text[next.start]) && secretFrom(text, next.start)?.closed === true
    ? spanOf(text, next.start)
    : undefined;
}

/** The second and last word of `a1 LOGIN user@host x` and of `AUTH LOGIN user x`, in clear or in base64. */
function lastOfLogin(all: readonly Word[], i: number): Word | undefined {
  const [user, last, beyond] = all.slice(i + 1, i + 4);
  const isLast = last !== undefined && !last.opensLine && beyond?.opensLine !== false;
  const isUser = all[i - 1]?.text === 'AUTH' || /^[\w.+-]{1,64}@[\w.-]+$/u.test(user?.text ?? '');
  return isLast && isUser && user?.opensLine === false ? last : undefined;
}

/** The last word of `AUTH user x`, where neither case nor signs are those of prose or of a mechanism. */
function wordOfLogin(all: readonly Word[], i: number): Word | undefined {
  const last = all[i + 2];
  const isLast = last !== undefined && !last.opensLine && all[i + 3]?.opensLine !== false;
  const isUser = /^[a-z][\w.@-]{0,63}$/u.test(all[i + 1]?.text ?? '');
  const isNoProse = (word: string) =>
    word.length >= 6 && (/[a-z][!#$%^&*+~]/u.test(word) || (/[a-z][A-Z]/u.test(word) && /[-_?]/u.test(word)));
  return isLast && isUser && isNoProse(last.text) ? last : undefined;
}

/**
 * Whether `IDENTIFIED` belongs to SQL: in capitals, or behind an account. Prose has a form of `be` before it:
 * `revision identified by '0039'`, `the user is identified by 'x1'`.
 */
function isOfStatement(all: readonly Word[], i: number): boolean {
  if (all[i]?.text === 'IDENTIFIED') return true;
  const before = all.slice(Math.max(0, i - 6), i).map((each) => each.text.toLowerCase());
  return !beForms.has(before.at(-1) ?? '') && before.some((each) => accountWords.has(each));
}

const beForms = new Set('is are was were be been being not'.split(' '));
const accountWords = new Set('user role to link'.split(' '));

const readers = /-stdin|with-token|chpasswd|sudo -S|create secret|passwd|base64/u;

/** `echo x | docker login --password-stdin`, `printf '%s' x | base64`. */
function piped({ text, words: all, i, word }: Place): Span | undefined {
  if (word.text === '<<<') return hereString(text, word, all[i + 1]);
  if (word.text !== 'echo' && word.text !== 'printf') return undefined;
  let at = i + 1;
  while (at < i + 4 && /^(?:-[a-zA-Z]{1,3}|%s(?:\\n)?)$/u.test(all[at]?.text ?? '')) at += 1;
  const from = all[at]?.start;
  if (from === undefined) return undefined;
  const value = secretFrom(text, from);
  const rest = text.slice(value?.end, (value?.end ?? 0) + 240).split('\n', 1)[0] ?? '';
  if (value === undefined || !/^["'`]?[ \t]{0,4}\|/u.test(rest) || !readers.test(rest)) return undefined;
  const content = text.slice(value.start, value.end);
  if (!/-stdin|with-token|chpasswd|sudo|secret/u.test(rest) && !isPasswordLike(content)) return undefined;
  const user = /chpasswd/u.test(rest) ? content.indexOf(':') + 1 : 0;
  return spanFrom(value.start + user, value.end);
}

/** `sudo -S <<< x`, `docker login --password-stdin <<< x`. */
function hereString(text: string, { start }: Word, next: Word | undefined): Span | undefined {
  const before =
    text
      .slice(Math.max(0, start - 240), start)
      .split('\n')
      .at(-1) ?? '';
  return next !== undefined && readers.test(before) ? spanOf(text, next.start) : undefined;
}

/** A line of `.pgpass`: host, port, database, user, password. */
function line({ text, words: all, i, word }: Place): Span | undefined {
  if (!word.opensLine || all[i + 1]?.opensLine === false) return undefined;
  const raw = text.slice(word.start, word.end);
  const parts = raw.length > 600 ? [] : raw.split(':');
  const [host, port, database, user, password] = parts;
  if (parts.length !== 5 || !/^(?:\d{1,5}|\*)$/u.test(port ?? '')) return undefined;
  const areNames = [host, database, user].every((each) => /^[\w.*-]+$/u.test(each ?? ''));
  return areNames ? spanFrom(word.end - (password?.length ?? 0), word.end) : undefined;
}

/**
 * `kubectl create secret … --from-literal=name=value` and `vault kv put path name=value`: any value is a
 * secret.
 */
function literal({ text, word, command, i, words: all }: Place): readonly Span[] {
  const isLiteral = word.text.startsWith(literalFlag);
  const isValue = isLiteral || all[i - 1]?.text === literalFlag || writesVault(command);
  const raw = text.slice(word.start, word.end);
  const from = raw.indexOf('=', isLiteral ? raw.indexOf('--') + literalFlag.length + 1 : 0) + 1;
  const isSecret = isValue && from > 0 && !command.noted.has('configmap') && !command.noted.has('cm');
  return isSecret ? secretAt(text, word.start + from) : [];
}

const literalFlag = '--from-literal';

function writesVault({ noted: found }: Command): boolean {
  return (
    (found.has('vault') || found.has('bao')) && (found.has('put') || found.has('patch') || found.has('write'))
  );
}

function secretAt(text: string, from: number): readonly Span[] {
  const { start, end } = readValue(text, from);
  const content = text.slice(start, end);
  const shown = content.replace(/["']$/u, '');
  return content.startsWith('@') || isHarmlessValue(shown)
    ? []
    : [spanFrom(start, start + shown.length, 'secret')];
}

function spanOf(text: string, from: number): Span | undefined {
  const value = secretFrom(text, from);
  return value && spanFrom(value.start, value.end);
}

function spanFrom(start: number, end: number, kind: SecretKind = 'password'): Span {
  return { start, end, kind };
}

function firstWord(text: string, { start, end }: Span): string {
  return text.slice(start, end).split(' ', 1)[0] ?? '';
}
