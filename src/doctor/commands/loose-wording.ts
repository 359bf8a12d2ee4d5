/** A first word in another script than that of names, before other words. */
export function isForeignVerb(first: string, rest: readonly string[]): boolean {
  return rest.length > 0 && /^(?![A-Za-z])\p{L}/u.test(first);
}

/** Words of a question about a rollout that name no workload. */
const questionWords = new Set(
  `a about an and app are at be been but can could deploy deployment did do does doing down failing for from
  going happened happening has have how i in is isn't it keep keeps me my not of on our pending please pod pods
  ready restart restarting rollout rolling running service so stay stays still stuck tell than that the there this
  to up update updating us was wasn't we went what what's when where which who why will with won't working workload
  wrong you`.split(/\s+/u),
);

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

/**
 * The request that a message of Kubernetes stands for: the sentence of the scheduler is explained. A STATUS
 * of `kubectl get pods` may be a name too, which phones write with capitals: it is explained where no
 * workload has the name.
 */
export function requestInMessage(
  text: string,
): { readonly type: 'explain'; readonly sentence: string } | { readonly meant: string } | undefined {
  if (/^\d{1,6}\/\d{1,6} nodes are available/u.test(text)) return { type: 'explain', sentence: text };
  const status = text.length <= 80 ? /^(?:Init:)?([A-Z][A-Za-z]*)$/u.exec(text)?.[1] : undefined;
  return status !== undefined && (/[a-z][A-Z]/u.test(status) || /^[A-Z]{2,9}[a-z]/u.test(status))
    ? { meant: `explain ${text}` }
    : undefined;
}

/** What follows a Korean verb: `진단해줘`, `스캔해 주세요`. */
const verbEndings: ReadonlySet<string> = new Set(['', '해', '해줘', '해주세요']);

/**
 * Korean has its verb at the end: `ml/inference 진단해 주세요` is `진단 ml/inference`. A courtesy before the
 * request goes.
 */
export function withVerbFirst(text: string, verbs: readonly string[]): string {
  const words = text
    .replace(/^(?:please|pls) /iu, '')
    .replace(/해 주세요$/u, '해주세요')
    .split(' ');
  const last = words.at(-1) ?? '';
  const verb = verbs.find((each) => last.startsWith(each) && verbEndings.has(last.slice(each.length)));
  return words.length < 2 || verb === undefined ? words.join(' ') : [verb, ...words.slice(0, -1)].join(' ');
}
