import type { WorkloadKind } from '../cluster/workload.js';
import type { NamedWorkload, Usage } from './command.js';
import { isClusterName, isNamespaceName, isWorkloadName } from './object-name.js';
import type { Words } from './options.js';
import { usage } from './usage.js';
import { isOwnedKind, workloadKindOf } from './workload-kind.js';

interface Parts {
  readonly cluster?: string;
  readonly kind?: WorkloadKind;
  readonly namespace?: string;
  readonly name: string;
}

/**
 * One workload from the words that are left: `ml/inference`, `cluster/ml/inference`, `deploy/inference`,
 * `deploy inference`, `ml/deploy/inference`, `inference`. Names are lower-cased, since Kubernetes has no others and
 * phones write the first letter large; cluster names are kept as they are.
 */
export function parseWorkload({ words, ...options }: Words): NamedWorkload | Usage {
  const parts = partsOf(words);
  if ('type' in parts) return parts;
  const cluster = agreed('cluster', options.cluster, parts.cluster);
  const namespace = agreed('namespace', options.namespace?.toLowerCase(), parts.namespace);
  if (typeof cluster === 'object') return cluster;
  if (typeof namespace === 'object') return namespace;
  const { kind, name } = parts;
  if (cluster !== undefined && !isClusterName(cluster)) return usage('cluster-invalid', { name: cluster });
  if (namespace !== undefined && !isNamespaceName(namespace)) {
    return usage('namespace-invalid', { name: namespace });
  }
  if (!isWorkloadName(name)) return usage('name-invalid', { name });
  return {
    name,
    ...(cluster === undefined ? {} : { cluster }),
    ...(kind === undefined ? {} : { kind }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

function partsOf(words: readonly string[]): Parts | Usage {
  const [first, second, ...more] = words;
  if (first === undefined) return usage('name-missing', {});
  if (second === undefined) return partsOfPath(first);
  const kind = workloadKindOf(first);
  if (kind === undefined && isOwnedKind(first)) return usage('kind-not-diagnosed', { kind: first });
  if (kind === undefined || more.length > 0) return usage('too-many-words', { words: words.slice(1) });
  const parts = partsOfPath(second);
  return 'type' in parts ? parts : { ...parts, kind };
}

function partsOfPath(path: string): Parts | Usage {
  const segments = path.split('/').filter(Boolean);
  const name = segments.at(-1)?.toLowerCase();
  const before = segments.at(-2);
  if (name === undefined) return usage('name-missing', {});
  if (before === undefined) return { name };
  if (isOwnedKind(before)) return usage('kind-not-diagnosed', { kind: before });
  const kind = workloadKindOf(before);
  const namespace = (kind === undefined ? before : segments.at(-3))?.toLowerCase();
  const cluster = segments.slice(0, kind === undefined ? -2 : -3).join('/');
  return {
    name,
    ...(kind === undefined ? {} : { kind }),
    ...(namespace === undefined ? {} : { namespace }),
    ...(cluster === '' ? {} : { cluster }),
  };
}

function agreed(
  option: string,
  first: string | undefined,
  second: string | undefined,
): string | undefined | Usage {
  if (first !== undefined && second !== undefined && first !== second) {
    return usage('given-twice', { option, first, second });
  }
  return first ?? second;
}
