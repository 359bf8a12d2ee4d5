/** Whether a value beside a telling name is no secret: empty, a boolean, a reference, a file's path, a size, a state. */
export function isHarmlessValue(value: string): boolean {
  const bare = value.trim();
  return (
    bare.length < 2 ||
    noValue.test(bare) ||
    isVariable(bare) ||
    filePath.test(bare) ||
    isStatus(bare) ||
    kubectlNote.test(bare) ||
    structure.test(bare)
  );
}

/** Whether the text is a sentence about a secret, or its state, as in `token: expired at 10:00`. */
function isStatus(value: string): boolean {
  const word = /^[A-Za-z'-]{1,20}(?![\w@#$%^&*+/=~-])/u.exec(value)?.[0].toLowerCase() ?? '';
  return states.has(word) || (sentenceStarts.has(word) && /^\S+[ \t]+\S/u.test(value));
}

/** Letters only, all lower case or with a capital first: a word of prose rather than a secret. */
export function isProseWord(value: string): boolean {
  return /^[A-Z]?[a-z]+(?:['’][a-z]{1,2})?[.,;:!?]?$/u.test(value);
}

/** `$(DB_PASSWORD)`, `${DB_PASSWORD}`, `$DB_PASSWORD`, `{{ .Values.password }}`, `%s`: what would be put there. */
export function isVariable(value: string): boolean {
  return /^(?:\$\([A-Za-z_]\w{0,63}\)|\$\{[A-Za-z_]\w{0,63}\}|\$[A-Z][A-Z_]{2,63}|\{\{[^{}]{0,80}\}\}|%[A-Za-z])$/u.test(
    value,
  );
}

const noValue =
  /^(?:true|false|null|nil|~|none|undefined|unset|n\/a|""|''|\[\]|\{\}|\[|\{|[|>][+-]?|-+|\*+|x{3,}|<[a-z][a-z ._-]{0,40}>|\(?redacted\)?|\[redacted\]|\[filtered\]|\[masked\]|\[hidden\]|\*+redacted\*+)$/iu;

const filePath =
  /^(?:file:\/\/)?\/(?:var|etc|run|tmp|mnt|home|opt|secrets?|vault|usr|app|apps|root|proc|sys|dev|data|config|srv|workspace|work|code|src|go|build|builds|certs?|keys)(?:\/[\w.@:+-]{1,80}){0,12}\/?$/u;

/** A printed map, struct or list of Go: what is in it is looked at by itself. */
const structure = /^(?:map\[|&?\{(?:"|[A-Za-z_]\w{0,60}:)|&\[)/u;

/** `16 bytes` of `kubectl describe secret`; `<set to the key 'x' in secret 'y'>  Optional: false` of `describe pod`. */
const kubectlNote = /^(?:\d{1,9} bytes$|<set to the key )/u;

/** A value that is only this says in which state the secret is. */
const states = new Set(
  `expired invalid missing required incorrect unauthorized unauthorised unauthenticated forbidden denied failed none
  null true false unset empty unknown error found present absent disabled enabled ok okay valid accepted rejected
  revoked refreshed rotated created updated deleted unchanged changed mounted loading loaded timeout wrong mismatch
  mismatched malformed unsupported unexpected undefined optional provided not illegal bad`.split(/\s+/u),
);

/** A value that starts with one of these and goes on is a sentence. */
const sentenceStarts = new Set(
  `failure fail failing errors must cannot can could is are was were has have had does doesn't do did didn't should
  will would to for or and of in at by from with without the a an this that it too unable already still after before
  because if when while during as on but please check see use using get getting fetch fetching read reading open
  opening rpc dial connection context permission no crypto asn1 tls x509 json yaml length expected got couldn't can't
  wasn't isn't authentication field flag configmap secret secrets references non-existent object access resource pods
  pod node nodes exit command parse parsing decode decoding http https`.split(/\s+/u),
);
