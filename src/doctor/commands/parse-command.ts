import { nearestName } from '../../engine/language/nearest-name.js';
import { trimCharacters } from '../../engine/language/text-scanning.js';
import { maxExcludedNodes, type RequestedChange } from '../fixes/requested-change.js';
import { cleanText } from './clean-text.js';
import type { Command, NamedWorkload, Usage, UsageProblem } from './command.js';
import { isClusterName, isNamespaceName, isWorkloadName } from './command.js';
import {
  isForeignVerb,
  namedIn,
  otherVerbs,
  requestInMessage,
  verbsOnCards,
  withoutEnding,
  withVerbFirst,
  workloadInQuestion,
} from './loose-wording.js';
import { silence, unsilence } from './parse-silence.js';
import {
  hasFurtherWords,
  isUsage,
  parseWorkload,
  takeOptions,
  unmarked,
  usage,
  type Words,
  withoutMember,
  workloadIn,
} from './parse-workload.js';
import { pastedRequest } from './pasted-request.js';
import { kindLike, ownerKindOf, workloadKindOf } from './workload-kind.js';

/**
 * Reads the text of `/rollout-doctor` or of a mention. Forgiving in spelling, strict in meaning: what cannot
 * be told is asked back as usage. Never throws.
 *
 * A first word that is one of ours (`help`, `scan`, `audit`, …) is taken as the request; a workload of that
 * name is reached as `deploy/help`.
 */
export function parseCommand(text: string): Command {
  const given = cleanText(text).replace(/^[/@]?rollout-doctor (?=.)/u, '');
  if (given === '') return { type: 'bare' };
  const pasted = pastedRequest(given);
  if (pasted !== undefined) {
    const { request, unread } = pasted;
    return unread.length === 0
      ? parseCommand(request)
      : usage('further-words', { words: unread, meant: request });
  }
  const cleaned = verbOf(given.split(' ')[0] ?? '') === undefined ? withVerbFirst(given, koreanVerbs) : given;
  const [first = '', ...rest] = cleaned.replace(/^(?:roll back|roll-back) /iu, 'rollback ').split(' ');
  const verb = verbOf(first);
  if (verb === undefined) return diagnoseUnlessMisspelt(cleaned, first, rest);
  const command = verb(rest.join(' '));
  return isUsage(command) ? withVerb(unmarked(first), command) : command;
}

/** What is meant after a verb, with that verb. */
function withVerb(verb: string, given: Usage): Usage {
  const { problem } = given;
  switch (problem.key) {
    case 'further-words':
    case 'kind-misspelt': {
      const meant = `${verb} ${problem.values.meant}`.trim();
      return { ...given, problem: { ...problem, values: { ...problem.values, meant } } as UsageProblem };
    }
    default:
      return given;
  }
}

/** `help!` means `help`; the question mark alone is a verb of its own. */
function verbOf(word: string): ((rest: string) => Command) | undefined {
  const spelt = [word, unmarked(word), withoutEnding(unmarked(word))].map((each) => each.toLowerCase());
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
  설명: explain,
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
  const other = requestByOtherVerb(first, rest);
  if (other !== undefined) return other;
  const verb = nearestName(first, spelledVerbs);
  if (verb === undefined) {
    const turned = command.type === 'usage' && hasFurtherWords(command) ? verbAtEnd(first, rest) : undefined;
    if (turned !== undefined) return turned;
    if (command.type === 'diagnose') return { ...command, ...requestForKind(command.query) };
    const [only = '', ...more] = rest;
    const isVerb = !first.includes('/') && only.includes('/') && more.length === 0;
    if (isVerb && command.type === 'usage' && command.problem.key === 'further-words') {
      return usage('verb-misspelt', { verb: first, meant: command.problem.values.meant });
    }
    if (isForeignVerb(first, rest)) return usage('verb-unknown', { verb: first });
    return command.type === 'usage' && command.problem.key === 'too-many-words'
      ? (onlyNameIn(text) ?? command)
      : command;
  }
  const meant = [verb, ...rest].join(' ');
  const resembled = parseCommand(meant);
  if (resembled.type === 'usage') return command;
  if (resembled.type === 'help') return resemblesHelp(text, command);
  if (command.type === 'diagnose') return { ...command, meant };
  return command.type === 'usage' && hasFurtherWords(command)
    ? usage('verb-misspelt', { verb: first, meant })
    : command;
}

/** Help takes no further words, so that a sentence is none of its requests. */
function resemblesHelp(text: string, command: Command): Command {
  if (command.type === 'diagnose') return { ...command, meant: 'help' };
  return command.type === 'usage' && command.problem.key === 'too-many-words'
    ? (onlyNameIn(text) ?? command)
    : command;
}

/** A verb of another program, or the name of a button. */
function requestByOtherVerb(first: string, rest: readonly string[]): Command | undefined {
  const word = unmarked(first).toLowerCase();
  if (verbsOnCards.has(word) && rest.length === 0) return usage('verb-on-card', { verb: word });
  const verb = rest.length === 0 ? undefined : otherVerbs.get(word);
  const meant = [verb, ...rest].join(' ');
  return verb === undefined || parseCommand(meant).type === 'usage'
    ? undefined
    : usage('verb-misspelt', { verb: word, meant });
}

/** `ml scan` is `scan ml`. A stop of all changes is not offered without a reason that somebody gave. */
function verbAtEnd(first: string, rest: readonly string[]): Command | undefined {
  const last = unmarked(rest.at(-1) ?? '').toLowerCase();
  if (!/^[a-z]+$/u.test(last) || last === 'help' || verbOf(last) === undefined) return undefined;
  const meant = [last, first, ...rest.slice(0, -1)].join(' ');
  const command = parseCommand(meant);
  if (isUsage(command)) return command.problem.key === 'reason-missing' ? command : undefined;
  return command.type === 'stop-changes'
    ? usage('reason-missing', {})
    : usage('further-words', { words: [], meant });
}

/** `depolyment/web` may be a namespace, and may mean `deployment/web`. */
function requestForKind({ kind, namespace, name, cluster }: NamedWorkload): { readonly meant?: string } {
  const like = kind === undefined && cluster === undefined ? kindLike(namespace) : undefined;
  return like === undefined ? {} : { meant: `${like}/${name}` };
}

/** The one word of a sentence that may be a name. */
function onlyNameIn(text: string): Command | undefined {
  const { meant, others } = namedIn(text);
  if (meant === undefined || isUsage(diagnose(meant))) return undefined;
  return usage('further-words', { words: others, meant });
}

function explain(rest: string): Command {
  const sentence = trimCharacters(rest, `"' `, `"' `);
  return sentence === '' ? usage('sentence-missing', {}) : { type: 'explain', sentence };
}

const wordsForNamespace: ReadonlySet<string> = new Set(['namespace', 'ns', '네임스페이스']);
const wordsForAll: ReadonlySet<string> = new Set(['all', 'everything', '전체', '모두']);

function scan(rest: string): Command {
  const given = takeOptions(rest);
  if (isUsage(given)) return given;
  const isAll = given.words.length === 1 && wordsForAll.has(given.words[0]?.toLowerCase() ?? '');
  const words = given.words.filter((word) => !wordsForNamespace.has(word.toLowerCase()) && !isAll);
  const options = { ...given, allNamespaces: given.allNamespaces || isAll };
  const [path, ...more] = words.length > 0 || isAll ? withoutNamespaceKind(words) : given.words;
  const { kind, name } = pathOf(path ?? '');
  if (kind !== undefined && options.namespace !== undefined) {
    return usage('scan-of-workload', { meant: `${kind}/${name} -n ${options.namespace}` });
  }
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

/** `ns/ml` is `ml`. */
function withoutNamespaceKind([path = '', ...more]: readonly string[]): readonly string[] {
  const [word = '', name] = path.split('/');
  if (path === '') return more;
  return [name !== undefined && wordsForNamespace.has(word.toLowerCase()) ? name : path, ...more];
}

function pathOf(path: string): { readonly kind: string | undefined; readonly name: string } {
  const [word = '', name = '', ...more] = path.split('/');
  const isKind = name !== '' && more.length === 0 && workloadKindOf(word) !== undefined;
  return { kind: isKind ? word.toLowerCase() : undefined, name };
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

/**
 * `exclude ml/inference node-a node-b`: the workload in one word, or in two as `deploy inference`, then the
 * nodes. Commas between the nodes and `from` before them are understood. Names of nodes are lower-cased like
 * all others.
 */
function parseExclusion(rest: string): Command {
  const options = takeOptions(rest.replace(/,/gu, ' '));
  if ('type' in options) return options;
  const { words } = options;
  const [first = '', ...others] = words;
  const paths = words.filter((word) => word.includes('/'));
  if (paths.length === 1 && !first.includes('/') && workloadKindOf(first) === undefined) {
    const nodes = others.filter((word) => !word.includes('/') && word.toLowerCase() !== 'from');
    return usage('further-words', { words: [], meant: [...paths, first, ...nodes].join(' ') });
  }
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
