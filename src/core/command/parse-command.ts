import { cleanText } from './clean-text.js';
import type { Command, NamedWorkload, Usage } from './command.js';
import { isClusterName, isNamespaceName } from './object-name.js';
import { takeOptions, type Words } from './options.js';
import { parseWorkload } from './parse-workload.js';
import { usage } from './usage.js';

/**
 * Reads the text of `/rollout-doctor` or of a mention. Forgiving in spelling, strict in meaning: what cannot be told
 * is asked back as usage. Never throws.
 *
 * A first word that is one of ours (`help`, `scan`, `audit`, …) is taken as the request; a workload of that name is
 * reached as `deploy/help`.
 */
export function parseCommand(text: string): Command {
  const cleaned = withoutKubectl(cleanText(text));
  if (cleaned === '') return { type: 'bare' };
  const [first = '', ...rest] = cleaned.split(' ');
  const verb = verbs[first.toLowerCase()];
  if (verb === undefined || Object.hasOwn(verbs, first.toLowerCase()) === false) return diagnose(cleaned);
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
  incidents: (rest) => alone({ type: 'incidents' }, rest),
  history: (rest) => {
    const query = workloadIn(rest);
    return isUsage(query) ? query : { type: 'history', query };
  },
  audit: (rest) => alone({ type: 'audit' }, rest),
  silence,
};

function help(): Command {
  return { type: 'help' };
}

function diagnose(rest: string): Command {
  const query = workloadIn(rest);
  return isUsage(query) ? query : { type: 'diagnose', query };
}

function explain(rest: string): Command {
  const sentence = rest.replace(/^["' ]+|["' ]+$/gu, '');
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
    return usage('said-twice', { option: 'namespace', first: namespace, second: named });
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

/** `silence ml/inference 2h [why]`: the words before the duration name the workload. */
function silence(rest: string): Command {
  const tokens = rest.split(' ').filter((token) => token !== '' && token.toLowerCase() !== 'for');
  const at = tokens.findIndex((token) => looksLikeDuration(token));
  if (at < 0) {
    const query = workloadIn(rest);
    return isUsage(query) ? query : usage('duration-missing', {});
  }
  const query = workloadIn(tokens.slice(0, at).join(' '));
  if (isUsage(query)) return query;
  const text = tokens[at] ?? '';
  const seconds = secondsOf(text);
  if (seconds === undefined) return usage('duration-invalid', { text });
  return { type: 'silence', query, seconds, reason: tokens.slice(at + 1).join(' ') };
}

function alone(command: Command, rest: string): Command {
  return rest === '' ? command : usage('too-many-words', { words: rest.split(' ') });
}

function workloadIn(text: string): NamedWorkload | Usage {
  const options: Words | Usage = takeOptions(text);
  return isUsage(options) ? options : parseWorkload(options);
}

function isUsage(value: object): value is Usage {
  return 'type' in value && value.type === 'usage';
}

/** A pasted `kubectl rollout status deployment/x -n y -w` names a workload too. */
function withoutKubectl(text: string): string {
  const pasted =
    /^(?:\$ )?kubectl (?:rollout (?:status|history|restart|undo|pause|resume)|get|describe)(?= |$)/u;
  if (!pasted.test(text)) return text;
  return text
    .replace(pasted, '')
    .replace(/ (?:-w|--watch|--watch=\w+|--timeout=\w+|-o[ =]?\w+|--output[ =]\w+)(?= |$)/gu, '')
    .trim();
}

const unitSeconds: Readonly<Record<string, number>> = { m: 60, min: 60, h: 3_600, d: 86_400 };
const longestSilence = 30 * 86_400;

function looksLikeDuration(token: string): boolean {
  return /^\d+[a-z]*$/iu.test(token);
}

function secondsOf(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,6})([a-z]+)$/u.exec(text.toLowerCase()) ?? [];
  const size = Object.hasOwn(unitSeconds, unit) ? unitSeconds[unit] : undefined;
  const seconds = size === undefined ? 0 : Number(digits) * size;
  return seconds > 0 && seconds <= longestSilence ? seconds : undefined;
}
