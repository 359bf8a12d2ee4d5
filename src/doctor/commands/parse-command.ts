import { nearestName } from '../../engine/language/nearest-name.js';
import { trimCharacters } from '../../engine/language/text-scanning.js';
import { maxExcludedNodes, type RequestedChange } from '../fixes/requested-change.js';
import type { Command, NamedWorkload, Usage } from './command.js';
import { isClusterName, isNamespaceName, isWorkloadName } from './command.js';
import { parseWorkload, takeOptions, usage, type Words, withoutMember } from './parse-workload.js';
import { ownerKindOf, workloadKindOf } from './workload-kind.js';

/**
 * What a person meant to type, out of what a chat made of it. Autocorrected quotes and dashes become ASCII
 * again, Slack's links and mentions become their labels, code marks and invisible characters go.
 */
export function cleanText(text: string): string {
  return unescapeEntities(unwrapSlackMarkup(bounded(text)))
    .normalize('NFC')
    .replace(spaces, ' ')
    .replace(invisible, '')
    .replace(/[“”„‟«»＂]/gu, '"')
    .replace(/[‘’‚‛′＇]/gu, "'")
    .replace(/[／]/gu, '/')
    .replace(/`+/gu, ' ')
    .replace(dashes, openOption)
    .replace(/[‐‑‒–—―−－]/gu, '-')
    .replace(/ +/gu, ' ')
    .trim();
}

/**
 * Characters of a command or mention that are read. Longer input is a paste, not a request; a scheduler's
 * sentence fits.
 */
export const maxCommandText = 4_000;

/** Cut as kube-scheduler cuts its own sentences, so that `explain` says that the end is missing. */
function bounded(text: string): string {
  return text.length <= maxCommandText ? text : `${text.slice(0, maxCommandText - 4)} ...`;
}

/**
 * Control, zero-width and direction characters and variation selectors; what is a space has become one
 * before.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

const spaces = /[\s\u0085]+/gu;

/** Phones turn `--` into one long dash: at the start of a word it opens an option, `—n` or `—namespace`. */
const dashes = /(^|[ "'])([‐‑‒–—―−－-]+)([A-Za-z][A-Za-z-]*)/gu;

function openOption(whole: string, before: string, dash: string, rest: string): string {
  return /[–—―]/u.test(dash) ? `${before}${rest.length > 1 ? '--' : '-'}${rest}` : whole;
}

/**
 * `<https://x|label>` and `<#C1|name>` give their label; a link without one its address without scheme; a
 * mention goes.
 */
function unwrapSlackMarkup(text: string): string {
  return text.replace(/<([^<>|]*)(?:\|([^<>]*))?>/gu, (_, target: string, label: string | undefined) => {
    if (/^@[A-Z0-9]+$/u.test(target)) return ' ';
    if (label !== undefined && label !== '') return label;
    return target.replace(/^(?:https?:\/\/|mailto:)/u, '').replace(/\/$/u, '');
  });
}

function unescapeEntities(text: string): string {
  return text.replace(/&lt;/gu, '<').replace(/&gt;/gu, '>').replace(/&amp;/gu, '&');
}

/**
 * Reads the text of `/rollout-doctor` or of a mention. Forgiving in spelling, strict in meaning: what cannot
 * be told is asked back as usage. Never throws.
 *
 * A first word that is one of ours (`help`, `scan`, `audit`, …) is taken as the request; a workload of that
 * name is reached as `deploy/help`.
 */
export function parseCommand(text: string): Command {
  const cleaned = withoutKubectl(cleanText(text));
  if (cleaned === '') return { type: 'bare' };
  const [first = '', ...rest] = cleaned.split(' ');
  const verb = verbs[first.toLowerCase()];
  if (verb === undefined || Object.hasOwn(verbs, first.toLowerCase()) === false) {
    return diagnoseUnlessMisspelt(cleaned, first, rest);
  }
  return verb(rest.join(' '));
}

const verbs: Readonly<Record<string, (rest: string) => Command>> = {
  help,
  '?': help,
  '-h': help,
  '--help': help,
  도움말: help,
  diagnose,
  look: diagnose,
  진단: diagnose,
  explain,
  scan,
  스캔: scan,
  incidents,
  인시던트: incidents,
  history,
  이력: history,
  audit,
  감사: audit,
  silence,
  silences: (rest) => alone({ type: 'silences' }, rest),
  음소거: silence,
  unsilence,
  changes,
  변경: changes,
  restart: changeOf('restart-rollout'),
  재시작: changeOf('restart-rollout'),
  rollback: changeOf('undo-rollout'),
  롤백: changeOf('undo-rollout'),
  resume: changeOf('resume-rollout'),
  재개: changeOf('resume-rollout'),
  promote: changeOf('promote-rollout'),
  승격: changeOf('promote-rollout'),
  retry: changeOf('retry-rollout'),
  재시도: changeOf('retry-rollout'),
  abort: changeOf('abort-rollout'),
  중단: changeOf('abort-rollout'),
  exclude: parseExclusion,
  제외: parseExclusion,
};

/** The first Korean word of each request, as help lists them. */
export const koreanVerbs: readonly string[] = Object.keys(verbs).filter((verb) => /^[가-힣]+$/u.test(verb));

function help(): Command {
  return { type: 'help' };
}

function diagnose(rest: string): Command {
  const options: Words | Usage = takeOptions(rest);
  const query = isUsage(options) ? options : parseWorkload(options);
  return isUsage(query) ? query : { type: 'diagnose', query };
}

/** Verbs that a misspelt word may mean: the first English one of each request. */
const spelledVerbs: readonly string[] = Object.entries(verbs)
  .filter(([, parse], at, all) => all.findIndex(([, other]) => other === parse) === at)
  .flatMap(([verb]) => (/^[a-z]+$/u.test(verb) ? [verb] : []));

/**
 * A text that begins with no verb names a workload. `scna ml` names none, and `hepl` may name one: then the
 * request that it resembles is offered where no such workload exists.
 */
function diagnoseUnlessMisspelt(text: string, first: string, rest: readonly string[]): Command {
  const command = diagnose(text);
  const asked = command.type === 'usage' ? workloadInQuestion(text) : undefined;
  if (asked !== undefined) return diagnose(asked);
  const verb = nearestName(first, spelledVerbs);
  if (verb === undefined)
    return isForeignVerb(first, rest) ? usage('verb-unknown', { verb: first }) : command;
  const meant = [verb, ...rest].join(' ');
  if (parseCommand(meant).type === 'usage') return command;
  if (command.type === 'diagnose') return { ...command, meant };
  return command.type === 'usage' && command.problem.key === 'too-many-words'
    ? usage('verb-misspelt', { verb: first, meant })
    : command;
}

/** A first word in another script than that of names, before other words. */
function isForeignVerb(first: string, rest: readonly string[]): boolean {
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
function workloadInQuestion(text: string): string | undefined {
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

function explain(rest: string): Command {
  const sentence = trimCharacters(rest, `"' `, `"' `);
  return sentence === '' ? usage('sentence-missing', {}) : { type: 'explain', sentence };
}

function scan(rest: string): Command {
  const options = takeOptions(rest);
  if (isUsage(options)) return options;
  const [path, ...more] = options.words;
  if (more.length > 0) return usage('too-many-words', { words: more });
  const slash = path?.lastIndexOf('/') ?? -1;
  const named = path?.slice(slash + 1).toLowerCase();
  const cluster = options.cluster ?? (slash > 0 ? path?.slice(0, slash) : undefined);
  const namespace = options.namespace?.toLowerCase() ?? (named === '' ? undefined : named);
  if (namespace === undefined && !options.allNamespaces) return usage('namespace-missing', {});
  if (namespace !== undefined && named !== undefined && named !== '' && namespace !== named) {
    return usage('given-twice', { option: 'namespace', first: namespace, second: named });
  }
  if (namespace !== undefined && !isNamespaceName(namespace)) {
    return usage('namespace-invalid', { name: namespace });
  }
  if (cluster !== undefined && !isClusterName(cluster)) return usage('cluster-invalid', { name: cluster });
  return {
    type: 'scan',
    ...(namespace === undefined ? {} : { namespace }),
    ...(cluster === undefined ? {} : { cluster }),
  };
}

function incidents(rest: string): Command {
  return alone({ type: 'incidents' }, rest);
}

function history(rest: string): Command {
  const query = workloadIn(rest);
  return isUsage(query) ? query : { type: 'history', query };
}

function audit(rest: string): Command {
  if (rest === '') return { type: 'audit' };
  const query = workloadIn(rest);
  return isUsage(query) ? query : { type: 'audit', query };
}

/**
 * `silence ml/inference 2h [why]`: the words before the duration name the workload. `off` in the duration's
 * place ends it. A workload called `off` or `2h` is named with its namespace or kind.
 */
function silence(rest: string): Command {
  if (rest === '') return { type: 'silences' };
  const tokens = rest.split(' ').filter((token) => token !== '' && token.toLowerCase() !== 'for');
  const at = tokens.findIndex((token, place) => isDurationLike(token) || (place > 0 && isOff(token)));
  if (at > 0 && isOff(tokens[at] ?? '')) {
    const more = tokens.slice(at + 1);
    return more.length > 0
      ? usage('too-many-words', { words: more })
      : unsilence(tokens.slice(0, at).join(' '));
  }
  if (at < 0) {
    const query = workloadIn(rest);
    if (!isUsage(query)) return usage('duration-missing', {});
    const [unread] = query.problem.key === 'too-many-words' ? query.problem.values.words : [];
    return unread === undefined ? query : usage('duration-invalid', { text: unread });
  }
  const options = takeOptions(tokens.slice(0, at).join(' '));
  // The workload that owns a Pod is silenced.
  const query = isUsage(options) ? options : parseWorkload(options);
  if (isUsage(query)) return query;
  const text = tokens[at] ?? '';
  const seconds = secondsOf(text);
  if (seconds === undefined) return usage('duration-invalid', { text });
  return { type: 'silence', query, seconds, reason: tokens.slice(at + 1).join(' ') };
}

/**
 * `changes` shows the stop switch, `changes stop WHY` stops all changes, `changes allow` allows them again.
 */
function changes(rest: string): Command {
  const [word = '', ...more] = rest.split(' ');
  switch (word.toLowerCase()) {
    case '':
      return { type: 'changes' };
    case 'stop':
    case '중지':
      return more.length === 0
        ? usage('reason-missing', {})
        : { type: 'stop-changes', reason: more.join(' ') };
    case 'allow':
    case '허용':
      return alone({ type: 'allow-changes' }, more.join(' '));
    default:
      return usage('too-many-words', { words: [word, ...more] });
  }
}

function isOff(token: string): boolean {
  return ['off', '해제'].includes(token.toLowerCase());
}

function unsilence(rest: string): Command {
  const query = workloadIn(rest);
  return isUsage(query) ? query : { type: 'unsilence', query };
}

/** `restart ml/inference` and the like: a verb and a workload. */
function changeOf(kind: Exclude<RequestedChange['kind'], 'exclude-nodes'>): (rest: string) => Command {
  return (rest) => {
    const query = workloadIn(rest);
    return isUsage(query) ? query : { type: 'change', query, change: { kind } };
  };
}

function alone(command: Command, rest: string): Command {
  return rest === '' ? command : usage('too-many-words', { words: rest.split(' ') });
}

/** The workload that a request other than a diagnosis is about: its own name, not that of one of its pods. */
function workloadIn(text: string): NamedWorkload | Usage {
  const options: Words | Usage = takeOptions(text);
  return isUsage(options) ? options : withoutMember(parseWorkload(options));
}

function isUsage(value: object): value is Usage {
  return 'type' in value && value.type === 'usage';
}

/** A pasted `kubectl rollout status deployment/x -n y -w` names a workload too. */
function withoutKubectl(text: string): string {
  const pasted =
    /^(?:\$ )?kubectl (?:rollout (?:status|history|restart|undo|pause|resume)|get|describe)(?= |$)/u;
  const plugin =
    /^(?:\$ )?kubectl argo rollouts (?:(?:get|retry) (?:rollouts?|ro)|status|abort|promote|restart|undo)(?= |$)/u;
  if (!pasted.test(text) && !plugin.test(text)) return text;
  return text
    .replace(pasted, '')
    .replace(plugin, 'rollout')
    .replace(/ (?:-w|--watch|--watch=\w+|--full|--timeout=\w+|-o[ =]?\w+|--output[ =]\w+)(?= |$)/gu, '')
    .trim();
}

const unitSeconds: Readonly<Record<string, number>> = { m: 60, min: 60, h: 3_600, d: 86_400 };

function isDurationLike(token: string): boolean {
  return /^\d+[a-z]*$/iu.test(token);
}

function secondsOf(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,6})([a-z]+)$/u.exec(text.toLowerCase()) ?? [];
  const size = Object.hasOwn(unitSeconds, unit) ? unitSeconds[unit] : undefined;
  const seconds = size === undefined ? 0 : Number(digits) * size;
  return seconds > 0 ? seconds : undefined;
}

/**
 * `exclude ml/inference node-a node-b`: the workload in one word, or in two as `deploy inference`, then the
 * nodes. Commas between the nodes and `from` before them are understood. Names of nodes are lower-cased like
 * all others.
 */
function parseExclusion(rest: string): Command {
  const options = takeOptions(rest.replace(/,/gu, ' '));
  if ('type' in options) return options;
  const { words } = options;
  const [first = ''] = words;
  const size = workloadKindOf(first) === undefined && ownerKindOf(first) === undefined ? 1 : 2;
  const query = withoutMember(parseWorkload({ ...options, words: words.slice(0, size) }));
  if ('type' in query) return query;
  const named = words.slice(size).map((word) => word.toLowerCase());
  const nodes = [...new Set(named[0] === 'from' && named.length > 1 ? named.slice(1) : named)];
  if (nodes.length === 0) return usage('nodes-missing', {});
  if (nodes.length > maxExcludedNodes) return usage('nodes-too-many', { max: maxExcludedNodes });
  const invalid = nodes.find((name) => !isWorkloadName(name));
  if (invalid !== undefined) return usage('node-invalid', { name: invalid });
  return { type: 'change', query, change: { kind: 'exclude-nodes', nodes } };
}
