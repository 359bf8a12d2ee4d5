import { nearestName } from '../../engine/language/nearest-name.js';
import { trimCharacters } from '../../engine/language/text-scanning.js';
import { maxExcludedNodes, type RequestedChange } from '../fixes/requested-change.js';
import type { Command, NamedWorkload, Usage } from './command.js';
import { isClusterName, isNamespaceName, isWorkloadName } from './command.js';
import { isForeignVerb, requestInMessage, withVerbFirst, workloadInQuestion } from './loose-wording.js';
import { parseWorkload, takeOptions, unmarked, usage, type Words, withoutMember } from './parse-workload.js';
import { isAnyKind, ownerKindOf, workloadKindOf } from './workload-kind.js';

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
  const given = withoutKubectl(cleanText(text));
  if (given === '') return { type: 'bare' };
  const cleaned = verbOf(given.split(' ')[0] ?? '') === undefined ? withVerbFirst(given, koreanVerbs) : given;
  const [first = '', ...rest] = cleaned.split(' ');
  const verb = verbOf(first);
  if (verb === undefined) return diagnoseUnlessMisspelt(cleaned, first, rest);
  const command = verb(rest.join(' '));
  if (!isUsage(command) || command.problem.key !== 'further-words') return command;
  const { words, meant } = command.problem.values;
  return usage('further-words', { words, meant: `${unmarked(first)} ${meant}`.trim() });
}

/** `help!` means `help`; the question mark alone is a verb of its own. */
function verbOf(word: string): ((rest: string) => Command) | undefined {
  const spelt = [word, unmarked(word)].map((each) => each.toLowerCase());
  const verb = spelt.find((each) => Object.hasOwn(verbs, each));
  return verb === undefined ? undefined : verbs[verb];
}

const verbs: Readonly<Record<string, (rest: string) => Command>> = {
  help,
  '?': help,
  '-h': help,
  '--help': help,
  도움말: help,
  도움: help,
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
  const message = requestInMessage(text);
  if (message !== undefined && 'type' in message) return message;
  const asked = command.type === 'usage' ? workloadInQuestion(text) : undefined;
  if (asked !== undefined) return diagnose(asked);
  if (message !== undefined && command.type === 'diagnose') return { ...command, ...message };
  const verb = nearestName(first, spelledVerbs);
  if (verb === undefined) {
    const [only = '', ...more] = rest;
    const isVerb = !first.includes('/') && only.includes('/') && more.length === 0;
    if (isVerb && command.type === 'usage' && command.problem.key === 'further-words') {
      return usage('verb-misspelt', { verb: first, meant: command.problem.values.meant });
    }
    return isForeignVerb(first, rest) ? usage('verb-unknown', { verb: first }) : command;
  }
  const meant = [verb, ...rest].join(' ');
  if (parseCommand(meant).type === 'usage') return command;
  if (command.type === 'diagnose') return { ...command, meant };
  return command.type === 'usage' && hasFurtherWords(command)
    ? usage('verb-misspelt', { verb: first, meant })
    : command;
}

/** Whether more than a workload was given. */
function hasFurtherWords({ problem: { key } }: Usage): boolean {
  return key === 'too-many-words' || key === 'further-words';
}

function explain(rest: string): Command {
  const sentence = trimCharacters(rest, `"' `, `"' `);
  return sentence === '' ? usage('sentence-missing', {}) : { type: 'explain', sentence };
}

function scan(rest: string): Command {
  const options = takeOptions(rest);
  if (isUsage(options)) return options;
  const [path, ...more] = options.words;
  if (path !== undefined && more.length > 0) return usage('further-words', { words: more, meant: path });
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
  const given = rest.split(' ').filter((token) => token !== '' && token.toLowerCase() !== 'for');
  const [duration = '', named, ...reason] = given;
  const isTurned = isDurationLike(duration) && named !== undefined;
  const tokens = isTurned ? [named, duration, ...reason] : given;
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
    const unread = hasFurtherWords(query) ? tokens[1] : undefined;
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
      return alone({ type: 'allow-changes' }, more.join(' '), word);
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

/** @param meant what may follow the verb */
function alone(command: Command, rest: string, meant = ''): Command {
  return rest === '' ? command : usage('further-words', { words: rest.split(' '), meant });
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
    /^(?:\$ )?(?:kubectl|oc|k) (?:rollout (?:status|history|restart|undo|pause|resume)|get|describe)(?= |$)/u;
  const plugin =
    /^(?:\$ )?kubectl argo rollouts (?:(?:get|retry) (?:rollouts?|ro)|status|abort|promote|restart|undo)(?= |$)/u;
  if (!pasted.test(text) && !plugin.test(text)) return text;
  const named = text
    .replace(pasted, '')
    .replace(plugin, 'rollout')
    .replace(/ (?:-w|--watch|--watch=\w+|--full|--timeout=\w+|-o[ =]?\w+|--output[ =]\w+)(?= |$)/gu, '')
    .trim();
  const options = takeOptions(named);
  const listed = named.split(' ').find((word) => word.split(',').every(isAnyKind));
  // `kubectl get pods -n ml` lists a namespace.
  const isList = !isUsage(options) && options.words.length === listed?.split(',').length;
  return isList ? `scan ${named.replace(listed ?? '', '').trim()}` : named;
}

const units: readonly (readonly [seconds: number, words: string])[] = [
  [60, 'm min mins minute minutes 분'],
  [3_600, 'h hr hour hours 시간'],
  [86_400, 'd day days 일'],
];

function isDurationLike(token: string): boolean {
  return /^\d+(?:[a-z]*|분|시간|일)[,.:;]?$/iu.test(token);
}

function secondsOf(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,6})([a-z가-힣]{1,9})$/u.exec(unmarked(text).toLowerCase()) ?? [];
  const [size = 0] = units.find(([, words]) => words.split(' ').includes(unit)) ?? [];
  const seconds = Number(digits) * size;
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
