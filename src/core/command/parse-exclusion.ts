import { maxExcludedNodes } from '../remediation/requested-change.js';
import type { Command } from './command.js';
import { isWorkloadName } from './object-name.js';
import { takeOptions } from './options.js';
import { parseWorkload, withoutMember } from './parse-workload.js';
import { usage } from './usage.js';
import { ownerKindOf, workloadKindOf } from './workload-kind.js';

/**
 * `exclude ml/inference node-a node-b`: the workload in one word, or in two as `deploy inference`, then the
 * nodes. Commas between the nodes and `from` before them are understood. Names of nodes are lower-cased like
 * all others.
 */
export function parseExclusion(rest: string): Command {
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
