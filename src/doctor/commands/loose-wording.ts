import { isAnyKind } from './workload-kind.js';

/** A first word in another script than that of names, before other words. */
export function isForeignVerb(first: string, rest: readonly string[]): boolean {
  return rest.length > 0 && /^(?![A-Za-z])\p{L}/u.test(first);
}

/** Words of a question about a rollout that name no workload. */
const questionWords = new Set(
  `a about an and app are at be been but can could daemonset deploy deployment did do does doing down failing for from
  going happened happening has have help how i in is isn't it keep keeps me my not of on our pending please pod pods
  ready restart restarting rollout rolling running service so statefulset stay stays still stuck tell than that the there this
  to up update updating us was wasn't we went what what's when where which who why will with won't working workload
  wrong you`.split(/\s+/u),
);

/** Whether the word belongs to a question rather than to a name. */
export function isQuestionWord(word: string): boolean {
  return questionWords.has(word.toLowerCase());
}

/**
 * The workload in a question as people ask it: `why is ml/inference stuck?`, `inference가 왜 멈췄어?`. The
 * one word that may be a name, or the one with a namespace.
 *
 * @returns `undefined` where it is no question, or no single name is left
 */
export function workloadInQuestion(text: string): string | undefined {
  const words = text.toLowerCase().split(' ');
  const isQuestion = /[?？]$/u.test(text) || /^(?:why|what|what's|how|is|are|does|왜)$/u.test(words[0] ?? '');
  if (!isQuestion && !words.includes('왜')) return undefined;
  // A Korean particle follows the name without a space.
  const named = words
    .filter((word) => !questionWords.has(word.replace(/[.,!?？]{1,9}$/u, '')))
    .flatMap((word) => /^[a-z0-9][a-z0-9./-]{0,600}/u.exec(word)?.[0].replace(/[./-]{1,9}$/u, '') ?? []);
  const [only, ...others] = named;
  if (others.length === 0) return only;
  const withNamespace = named.filter((word) => word.includes('/'));
  return withNamespace.length === 1 ? withNamespace[0] : undefined;
}

/** Particles that Korean adds to a name without a space. No name of Kubernetes has such a letter. */
const particles: ReadonlySet<string> = new Set(
  '을 를 이 가 은 는 의 에 에서 에서는 에는 도 만 과 와 로 으로 랑 이랑 좀'.split(' '),
);

/** `inference를` is `inference`. */
export function withoutParticle(token: string): string {
  const [, name, particle = ''] = /^([A-Za-z0-9][A-Za-z0-9./_-]{0,600})([가-힣]{1,3})$/u.exec(token) ?? [];
  return name !== undefined && particles.has(particle) ? name : token;
}

/**
 * The one name in a sentence that is no question, such as `inference is down`, with the namespace and the
 * kind beside it: `pod web-5c96 in ml is pending`.
 */
export function namedIn(text: string): { readonly meant?: string; readonly others: readonly string[] } {
  const words = text.split(' ').map((word) => withoutParticle(word.replace(/[.,!?？]{1,9}$/u, '')));
  const at = words.findIndex((word) => isNameInSentence(word));
  const name = words[at];
  if (name === undefined) return { others: [] };
  const place = /^(?:in|of|from)$/iu.test(words[at + 1] ?? '') ? words[at + 2] : undefined;
  const names = words.filter((word) => isNameInSentence(word));
  if (words.length > 1 && words.every((word) => word === name || pronouns.has(word.toLowerCase())))
    return { others: [] };
  if (names.length !== (place === undefined ? 1 : 2)) return { others: [] };
  const kind = /^(?:pod|deployment|statefulset|daemonset|rollout)$/iu.exec(words[at - 1] ?? '')?.[0];
  const path = kind === undefined ? name : `${kind.toLowerCase()}/${name}`;
  return {
    meant: place === undefined ? path : `${path} -n ${place}`,
    others: words.filter((word) => word !== name && word !== place && word !== kind),
  };
}

/** `fix it` and `thank you` name nothing. */
const pronouns: ReadonlySet<string> = new Set(['it', 'you', 'me', 'that', 'this']);

function isNameInSentence(word: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9./-]{0,600}$/u.test(word) && !questionWords.has(word.toLowerCase());
}

/**
 * The request that a text without a verb stands for: the sentence of the scheduler is explained. A greeting,
 * a kind (`pods`) and a STATUS of `kubectl get pods` may be names too: help, a scan or an explanation is
 * suggested where no workload has the name.
 */
export function requestInMessage(
  text: string,
): { readonly type: 'explain'; readonly sentence: string } | { readonly meant: string } | undefined {
  if (/^\d{1,6}\/\d{1,6} nodes are available/u.test(text)) return { type: 'explain', sentence: text };
  const status = text.length <= 80 ? /^(?:Init:)?([A-Z][A-Za-z]*)$/u.exec(text)?.[1] : undefined;
  const word = text.replace(/[.!?？]{1,9}$/u, '').toLowerCase();
  if (greetings.has(word)) return { meant: 'help' };
  if (plainStatuses.has(word)) return { meant: `explain ${word.charAt(0).toUpperCase()}${word.slice(1)}` };
  if ((/^[a-z]+$/u.test(word) && isAnyKind(word)) || word === 'namespaces' || word === 'ns')
    return { meant: 'scan -A' };
  return status !== undefined && (/[a-z][A-Z]/u.test(status) || /^[A-Z]{2,9}[a-z]/u.test(status))
    ? { meant: `explain ${text}` }
    : undefined;
}

/** What people type first where they do not know what may follow. */
const greetings: ReadonlySet<string> = new Set('hi hello hey test ping start'.split(' '));

/** A STATUS of `kubectl get pods` that looks like any other word. */
const plainStatuses: ReadonlySet<string> = new Set(
  'pending running completed succeeded terminating terminated evicted error failed unknown'.split(' '),
);

/** Verbs of other programs, and those here that mean the same. */
export const otherVerbs: ReadonlyMap<string, string> = new Map([
  ['undo', 'rollback'],
  ['revert', 'rollback'],
  ['mute', 'silence'],
  ['snooze', 'silence'],
  ['unmute', 'unsilence'],
  ['reboot', 'restart'],
  ['bounce', 'restart'],
]);

/** What only a button of a card does. */
export const verbsOnCards: ReadonlySet<string> = new Set(
  'undo revert approve apply reject cancel'.split(' '),
);

/** What follows a Korean verb: `진단해줘`, `스캔해 주세요`. */
const verbEndings: ReadonlySet<string> = new Set(['', '해', '해줘', '해주세요', '하기', '해봐']);

/** `재시작해줘` is `재시작`. */
export function withoutEnding(word: string): string {
  for (const ending of verbEndings) {
    if (ending !== '' && word.endsWith(ending)) return word.slice(0, -ending.length);
  }
  return word;
}

/**
 * Korean has its verb at the end: `ml/inference 진단해 주세요` is `진단 ml/inference`. A courtesy before the
 * request goes.
 */
export function withVerbFirst(text: string, verbs: readonly string[]): string {
  const words = text
    .replace(/^(?:please|pls) /iu, '')
    .replace(/ ?해 ?(줘|주세요)$/u, '해$1')
    .split(' ');
  const last = words.at(-1) ?? '';
  const verb = verbs.find((each) => last.startsWith(each) && verbEndings.has(last.slice(each.length)));
  return words.length < 2 || verb === undefined ? words.join(' ') : [verb, ...words.slice(0, -1)].join(' ');
}
