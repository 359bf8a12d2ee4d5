import { isUuid } from './entropy.js';

/**
 * Whether a value beside a telling name is no secret: empty, a boolean, a reference, a file's path, a size, a
 * state.
 */
export function isHarmlessValue(value: string): boolean {
  const bare = value.trim();
  return (
    bare.length < 2 ||
    noValue.test(bare) ||
    isVariable(bare) ||
    filePath.test(bare) ||
    isStatus(bare) ||
    kubectlNote.test(bare) ||
    structure.test(bare) ||
    identifier.test(bare) ||
    isReference(bare)
  );
}

/** Whether the text is a sentence about a secret, or its state, as in `token: expired at 10:00`. */
function isStatus(value: string): boolean {
  const word = /^[\p{L}'-]{1,20}(?![\p{L}\p{N}_@#$%^&*+/=~-])/u.exec(value)?.[0].toLowerCase() ?? '';
  return (
    states.has(word) ||
    (sentenceStarts.has(word) && /^\S+[ \t]+\S/u.test(value)) ||
    /^[a-z]{2,20} (?:is|are|was|were|has|have|had|must|cannot|can|should|will|may|does|did) [a-z]/u.test(
      value,
    )
  );
}

/** Whether words of prose, several of them, hold a state anywhere: `user app does not exist`. */
export function isStatement(value: string): boolean {
  const words = value.toLowerCase().split(/[ \t]+/u);
  return words.length > 1 && words.some((word) => states.has(word.replace(/[.,;]$/u, '')));
}

/** Letters only, all lower case or with a capital first: a word of prose rather than a secret. */
export function isProseWord(value: string): boolean {
  return /^[A-Z]?[a-z]+(?:['’][a-z]{1,2})?[.,;:!?]?$/u.test(value);
}

/**
 * A word in another script or with letters beyond ASCII, as in `비밀번호: 필수 항목입니다`: prose rather than a secret.
 */
export function isForeignProse(value: string): boolean {
  const first = /^\S{1,60}/u.exec(value)?.[0] ?? '';
  const word = first.replace(/^\d{1,3}(?=\P{ASCII})/u, '');
  return (
    /^[a-zA-Z]*[^\P{L}a-zA-Z]/u.test(word) && /^[\p{L}\p{M}'’-]+[.,;:!?。！，]?[.,;:!?。！，]?$/u.test(word)
  );
}

/**
 * A word that people choose as a password and that prose does not hold: letters beside digits or symbols, and
 * no address, path, number with its unit, version, identifier, call or name of an object.
 */
export function isPasswordLike(word: string): boolean {
  if (word.length < 6 || word.length > 256 || isObjectName(word)) return false;
  return /\p{L}/u.test(word) && /[\d!@#$%^&*+~?]/u.test(word) && !isTechnical(word);
}

/**
 * Technical words of sentences: `/var/run/token`, `v1.27.3`, `30s`, `SHA256`, `io.netty.Ssl:42`, `f(x1)`,
 * `"x1`, uids.
 */
function isTechnical(word: string): boolean {
  return technical.some((pattern) => pattern.test(word)) || isDotted(word) || isUuid(word);
}

/** `io.netty.Ssl:42`, and neither `Heron.Lake9`, two words and a digit, nor `Heron.81x` or `81Heron.lake`. */
function isDotted(word: string): boolean {
  if (!/^[\w$][\w$.]*(?::\d+)?$/u.test(word) || !/\.[\w$]/u.test(word) || word.includes('..')) return false;
  return !/^[A-Z][a-z]+\.[A-Z][a-z]+\d{1,4}$|^[A-Z][A-Za-z]+\.\d{1,4}[a-z]{1,3}$|^\d{1,4}[A-Za-z]{3,}\./u.test(
    word,
  );
}

const technical: readonly RegExp[] = [
  /^(?:["'`(<[{]|\.{0,2}\/|\d{4}-\d\d-\d\d|sha\d{3}:)/iu,
  /^[a-z][a-z0-9+.-]*:\/\//iu,
  /^[\w$.]+\(/u,
  /^[\w.-]+=/u,
  /^!{1,2}[A-Za-z][A-Za-z/:.-]*$/u,
  /^v?\d{1,6}(?:[.:,-]\d{1,6})*[A-Za-z%]{0,3}$/iu,
  /^(?:SHA|MD|HS|RS|ES|PS|AES|RFC|UTF|ISO|base|oauth|x)-?\d{1,4}$/iu,
];

/**
 * `db-credentials`, `shop/tls`, `kubernetes.io/tls`, `nginx:1.27`: lower case, in parts, less than a third
 * digits.
 */
export function isObjectName(content: string): boolean {
  const isInParts = /^[a-z0-9][a-z0-9./:-]*$/u.test(content) && /[./:-][a-z0-9]/u.test(content);
  if (!isInParts || /[./:-]{2}|[./-]$/u.test(content)) return false;
  return (content.match(/\d/gu)?.length ?? 0) * 3 < content.length;
}

/**
 * `$(DB_PASSWORD)`, `${DB_PASSWORD}`, `${DB_PASSWORD:}`, `$DB_PASSWORD`, `{{ .Values.password }}`, `%s`, and
 * a command that reads a path of words, `$(cat /run/db)`: what would be put there.
 */
export function isVariable(value: string): boolean {
  return /^(?:\$\([A-Za-z_]\w{0,63}\)|\$\{[A-Za-z_][\w.]{0,63}(?::-?)?\}|\$\((?!echo|printf)(?=[a-z <-]{0,200}\/)[a-z<][a-z ./_=<-]{1,200}\)|\$[A-Z][A-Z_]{2,63}|\$?\{\{[^{}]{0,80}\}\}|%[A-Za-z])$/u.test(
    value,
  );
}

const noValue =
  /^(?:true|false|null|nil|~|none|undefined|unset|n\/a|""|''|\[\]|\{\}|\[|\{|[|>][+-]?|-+|\*+|x{3,}|<[a-z][a-z ._-]{0,40}>|\(?redacted\)?|\[?(?:redacted|filtered|masked|hidden)\]?|\(sensitive value\)|\(sensitive|\(known after apply\)|\(known|string|str|int|integer|number|boolean|bool|text|varchar|bytes|object|array|password|secret|token|key|value|\*+redacted\*+)$/iu;

const filePath =
  /^(?:file:\/\/)?(?:\.{1,2}(?=\/)[\w./-]{1,200}|\/(?:var|etc|run|tmp|mnt|home|opt|secrets?|vault|usr|app|apps|root|proc|sys|dev|data|config|srv|workspace|work|code|src|go|build|builds|certs?|keys)(?:\/[\w.@:+-]{1,80}){0,12}\/?)$/u;

/** A printed map, struct or list of Go: what is in it is looked at by itself. */
const structure = /^(?:map\[|&?\{(?:"|[A-Za-z_]\w{0,60}:)|&\[|\[\{"?name"?:)/u;

/**
 * Where a program gets the value from: `var.db_password`, `process.env.DB_PASSWORD`, `env("DB_PASSWORD")`.
 */
function isReference(value: string): boolean {
  const source = /^([A-Za-z_.]+)[.([]/u.exec(value)?.[1] ?? '';
  const isCode = /^[\w.()[\]"'-]+[,;]?$/u.test(value);
  return isCode && sources.some((each) => source === each || source.startsWith(`${each}.`));
}

const sources =
  'var local data module self each settings config conf cfg app.config current_app.config process.env os.environ os.getenv System.getenv getenv env ENV secrets vars inputs github params import.meta.env'.split(
    ' ',
  );

/** The address of an object in memory; the name of a resource of Amazon. */
const identifier = /^(?:0x[0-9a-f]{4,16}>?$|arn:[a-z-]{2,12}:)/u;

/**
 * `16 bytes` of `kubectl describe secret`; `<set to the key 'x' in secret 'y'>  Optional: false` of
 * `describe pod`.
 */
const kubectlNote = /^(?:\d{1,9} bytes$|<set to the key )/u;

/** A value that is only this says in which state the secret is. */
const states = new Set(
  `protected private expired invalid missing required incorrect unauthorized unauthorised unauthenticated forbidden denied failed none
  null true false unset empty unknown error found present absent disabled enabled ok okay valid accepted rejected
  revoked refreshed rotated created updated deleted unchanged changed mounted loading loaded timeout wrong mismatch
  mismatched malformed unsupported unexpected undefined optional provided not illegal bad yes no
    set present absent known changed successful successfully succeeded accepted granted falsch ungültig abgelaufen fehlt
    erforderlich inválida inválido incorrecta incorrecto caducada requerida incorrect invalide expiré expirée requis requise
    manquant`.split(/\s+/u),
);

/** A value that starts with one of these and goes on is a sentence. */
const sentenceStarts = new Set(
  `via failure fail failing errors must cannot can could is are was were has have had does doesn't do did didn't should
  will would to for or and of in at by from with without the a an this that it too unable already still after before
  because if when while during as on but please check see use using get getting fetch fetching read reading open
  opening rpc dial connection context permission no crypto asn1 tls x509 json yaml length expected got couldn't can't
  wasn't isn't authentication field flag configmap secret secrets references non-existent object access resource pods
  pod node nodes exit command parse parsing decode decoding http https`.split(/\s+/u),
);
