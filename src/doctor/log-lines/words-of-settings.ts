import type { EndingWords } from './words-of-systems.js';

/** What a program does not accept of its settings and files. */
export const settingEndings = {
  'service-variable': {
    says: [/\b(?:tcp|udp|sctp):\/\/(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}\b/i],
    and: [
      // The last words are of the file system, to which a URL is the name of a file.
      /\b(?:pars(?:e|ing|ed)|invalid|integer|number|numeric|numberformat\w{0,12}|int\(\)|u16|port|convert\w{0,4}|digit|type mismatch|expected|too many colons|permission denied|no such file|not a directory)\b/i,
    ],
    but: /\b(?:refused|timed out|timeout|unreachable|no route|dial(?:ing)?|connect\w{0,4})\b/i,
  },
  setting: {
    says: [
      /\b(?:unknown|unrecogni[sz]ed|unexpected|undefined|invalid|unsupported|illegal|no such|bad)\b.{0,20}\b(?:flag|flags|option|options|argument|arguments|parameter|switch|command[- ]line|subcommand|keyword|field|key|property|directive|setting|configuration|config|value|variant)\b/i,
      /\bfield \S{1,80} not found in type\b/i,
      /\bmissing:? {1,4}\(?-{1,2}[a-z][\w-]{0,60}/i,
      /\b(?:could not|cannot|unable to|failed to) (?:resolve|bind|substitute)\b.{0,24}\b(?:placeholder|substitution|variable|propert(?:y|ies))\b/i,
      /\b(?:cannot|could not|unable to|failed to) resolve\b.{0,40}\$\{[\w.:-]{1,80}\}/i,
      /\berror resolving propert(?:y|ies)\b/i,
      /\bunknown type: /i,
      /\bunknown (?:\w{1,12} )?plugin\b/i,
      /\bplugin\b.{0,40}\b(?:does not|doesn't) exist\b/i,
      /\brequired arguments? (?:were|was|are|is) not provided\b/i,
      /\bmissing [`'"][\w.-]{2,60}[`'"].{0,60}\b(?:environment|configuration|config|settings)\b/i,
      /\boptionsvalidationexception\b/i,
      /\bports?\b.{0,24}\b(?:must be|out of range|not a number|not a valid|is not valid|is invalid)\b/i,
      /\binvalid (?:\w{1,12} )?port\b/i,
      /\bdirective\b.{0,80}\b(?:not terminated|not allowed|duplicate|invalid number of arguments)\b/i,
      /\bflag provided but not defined\b/i,
      /\bflag needs an argument\b/i,
      /\b(?:flag|option|argument)s? (?:has been |is |are )?(?:removed|not recogni[sz]ed|required)\b/i,
      /\b(?:environment variables?|env(?:ironment)? ?vars?|variable|setting|configuration|config|option|flag|property|parameter|key|value)\b.{0,80}\b(?:not (?:set|defined|specified|provided|given|found|configured)|is (?:required|missing|undefined|empty|mandatory)|missing|must (?:be|not be) (?:set|specified|provided|defined|given|one of|a |an )|required|unset)\b/i,
      /\b(?:missing|required|must (?:set|specify|provide)|undefined|no value for)\b.{0,60}\b(?:environment variables?|env(?:ironment)? ?vars?|variable|setting|configuration|config|option|flag|property|parameter|key)\b/i,
      /\b(?:cannot|can't|could not|failed to|unable to|error)\b.{0,24}\b(?:pars(?:e|ing)|unmarshal\w{0,5}|decod(?:e|ing)|load(?:ing)?|read(?:ing)?)\b.{0,60}\b(?:config\w{0,12}|yaml|toml|json|settings?|properties)\b(?!\/)/i,
      /\bconfigured but no \w{2,40} (?:was|is|has been) (?:set|given|specified|provided|found)\b/i,
      /\bunknown fields?\b/i,
      /\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}\b.{0,40}\b(?:not set|is required|missing|must be set|undefined|is empty)\b/,
      /\bKeyError: ["'][A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}["']/,
    ],
    // A file that is not there, whatever it would hold.
    but: /\b(?:filenotfound|nosuchfile)(?:error|exception)\b/i,
  },
  'missing-file': {
    says: [
      /\bno such file or directory\b/i,
      /\bjar manifest missing\b/i,
      /\bfile is missing(?=[.,;:)]|$)/i,
      /\benoent\b/i,
      /\bfilenotfound\w{0,12}\b/i,
      /\bnosuchfileexception\b/i,
      /\b(?:cannot|can't|could not|unable to) (?:find|locate)\b.{0,24}\b(?:module|file|class|package|assembly|script)\b/i,
      /\b(?:can't|cannot|could not) locate \S{1,200}\.p[lm] in\b/i,
      /\bis not recogni[sz]ed as (?:the name of|an internal or external)\b/i,
      /\bcould not load file or assembly\b/i,
      /\b(?:module|package|library|gem|crate) [`'"‘]?[\w.:/@-]{1,120}[`'"’]? not found\b/i,
      /\bno package called\b/i,
      /\b(?:modulenotfounderror|no module named|classnotfoundexception|noclassdeffounderror|could not find or load main class|cannot load such file)\b/i,
    ],
  },
} as const satisfies Readonly<Record<string, EndingWords>>;
