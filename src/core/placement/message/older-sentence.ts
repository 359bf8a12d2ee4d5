import { reasonOf } from './parse-list.js';
import { recognise } from './recognise.js';
import { trimmed } from './scanning.js';
import type { MessageReason } from './scheduler-message.js';

/** `predicates:: Insufficient cpu (9), MatchNodeSelector (18).` of schedulers before 1.8. */
export function parsePredicates(body: string): readonly MessageReason[] {
  return parseCountedAfter(afterColons(body), ', ', /^\d{1,15}$/);
}

/** Schedulers before 1.8 wrote two colons. */
function afterColons(body: string): string {
  const list = body.slice(body.indexOf(':') + 1);
  return list.startsWith(':') ? list.slice(1) : list;
}

/** `Insufficient cpu (12x); node(s) were unschedulable (2x); ` of YuniKorn, after the request's name. */
export function parseYunikorn(body: string): readonly MessageReason[] {
  const start = body.indexOf("': ");
  return parseCountedAfter(start < 0 ? body : body.slice(start + 2), '; ', /^\d{1,15}x$/);
}

function parseCountedAfter(list: string, between: string, count: RegExp): readonly MessageReason[] {
  return list
    .split(between)
    .map((part) => trimmed(part.endsWith(';') ? part.slice(0, -1) : part))
    .filter((part) => part !== '')
    .map((part) => {
      const open = part.lastIndexOf(' (');
      const written = open > 0 && part.endsWith(')') ? part.slice(open + 2, -1) : '';
      return reasonOf(count.test(written) ? `${Number.parseInt(written, 10)} ${part.slice(0, open)}` : part);
    });
}

const FIT_FAILURE = 'fit failure on node (';
const TASK = 'task ';
const OLDEST_NODE = 'Node ';
const SUMMARY = 'fit failure summary on nodes : ';

/**
 * `failed to find fit for pod: web-1Node n1: PodExceedsFreeCPU,MatchNodeSelectorNode n2: …` of 1.0, without a
 * space or a line break between the nodes; names of predicates have neither.
 */
export function parseOldestFitFailures(body: string): readonly MessageReason[] {
  const nodes = reasonLists(body, OLDEST_NODE, ': ').map((list) => list.replaceAll(',', ', '));
  return countedByNode(nodes);
}

/**
 * `pod (web-1) failed to fit in any node`, then in 1.5
 * `fit failure summary on nodes : Insufficient pods (2)`, and before
 * `fit failure on node (n1): Insufficient cpu` for every node; in Volcano's log
 * `task shop/web-1 on node n1 fit failed: Insufficient cpu`. Each reason is counted once for a node.
 */
export function parseFitFailures(body: string): readonly MessageReason[] {
  const summary = body.indexOf(SUMMARY);
  if (summary >= 0) return parsePredicates(`:${body.slice(summary + SUMMARY.length)}`);
  return countedByNode([
    ...reasonLists(body, FIT_FAILURE, '): '),
    ...reasonLists(body, TASK, ' fit failed: '),
  ]);
}

/** Each reason once for a node. */
function countedByNode(nodes: readonly string[]): readonly MessageReason[] {
  const counts = new Map<string, number>();
  for (const node of nodes) {
    for (const words of new Set(reasonsOfNode(trimmed(node))))
      counts.set(words, (counts.get(words) ?? 0) + 1);
  }
  return [...counts].map(([words, count]) => ({ ...reasonOf(words), count }));
}

/** What follows `end` in every stretch that starts with `start`. */
function reasonLists(text: string, start: string, end: string): readonly string[] {
  return text
    .split(start)
    .slice(1)
    .flatMap((stretch) => {
      const at = stretch.indexOf(end);
      return at < 0 ? [] : [stretch.slice(at + end.length)];
    });
}

/** Only what is known is split at its commas: errors have commas within. */
function reasonsOfNode(text: string): readonly string[] {
  const parts = text.split(', ').map(trimmed);
  const known = parts.every((part) => recognise(part).says !== 'unknown');
  return known ? parts.filter((part) => part !== '') : [text];
}

const ERROR = 'SchedulerPredicates failed due to ';
const ERROR_END = ', which is unexpected.';

/**
 * `[SchedulerPredicates failed due to …, which is unexpected., SchedulerPredicates failed due to …]`, each
 * once.
 */
export function parsePredicateErrors(text: string): readonly MessageReason[] {
  const errors = text
    .split(ERROR)
    .slice(1)
    .map((error) => {
      const end = error.indexOf(ERROR_END);
      return trimmed(end < 0 ? error : error.slice(0, end));
    });
  return [...new Set(errors)].filter((error) => error !== '').map((error) => reasonOf(error));
}

/** `: 1 node(s) didn't have enough resources: GPUs. \n2 node(s) were unschedulable.` of KAI-Scheduler. */
export function parseKai(body: string): readonly MessageReason[] {
  return body
    .slice(body.indexOf(':') + 1)
    .split(/\.[ \n]{1,3}(?=\d)/)
    .map((piece) => reasonOf(piece))
    .filter(({ text }) => text !== '');
}
