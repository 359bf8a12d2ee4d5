import type { Labels } from '../objects/label-selector.js';
import type { Node, Taint } from '../objects/node.js';
import type {
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodSpec,
  Toleration,
} from '../objects/pod-spec.js';
import type { UnmetRequirement } from './reason.js';

/**
 * `api core/v1 toleration.go: ToleratesTaint`. The comparison operators Lt and Gt, off by default in 1.36,
 * tolerate nothing.
 */
export function tolerates(toleration: Toleration, taint: Pick<Taint, 'key' | 'value' | 'effect'>): boolean {
  if (toleration.effect !== '' && toleration.effect !== taint.effect) return false;
  if (toleration.key !== '' && toleration.key !== taint.key) return false;
  if (toleration.operator === 'Exists') return true;
  return (toleration.operator === 'Equal' || toleration.operator === '') && toleration.value === taint.value;
}

/** Taints that keep a new pod away and that none of the tolerations covers. */
export function untoleratedTaints(
  taints: readonly Taint[],
  tolerations: readonly Toleration[],
): readonly Taint[] {
  if (taints.length === 0) return taints;
  return taints.filter(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

const INTEGER = /^[+-]?\d+$/;
const MAX_INT64 = 2n ** 63n - 1n;
const NAME_FIELD = 'metadata.name';

/**
 * True when any term matches. Terms are alternatives, requirements inside a term all hold; an empty term and
 * a term with an invalid requirement match nothing (`component-helpers nodeaffinity: LazyErrorNodeSelector`).
 * Without `name`, as for a volume's affinity, requirements on fields are not looked at.
 */
export function matchesNodeSelector(
  selector: NodeSelector,
  labels: Labels,
  name: string | undefined,
): boolean {
  return selector.nodeSelectorTerms.some((term) => matchesTerm(term, labels, name));
}

/** True when the node has every `nodeSelector` label and the required node affinity matches. */
export function matchesRequiredNodeAffinity(spec: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels;
  for (const key in spec.nodeSelector) {
    if (labels[key] !== spec.nodeSelector[key]) return false;
  }
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return required === undefined || matchesNodeSelector(required, labels, node.metadata.name);
}

/** What the node lacks: missing `nodeSelector` labels and the unmet part of the term that comes nearest. */
export function unmetRequirements(spec: PodSpec, node: Node): readonly UnmetRequirement[] {
  const labels = node.metadata.labels;
  const selectors = Object.entries(spec.nodeSelector)
    .filter(([key, value]) => labels[key] !== value)
    .map(([key, value]) => ({ requirement: { key, operator: 'In', values: [value] }, found: labels[key] }));
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined || matchesNodeSelector(required, labels, node.metadata.name)) return selectors;
  const perTerm = required.nodeSelectorTerms
    .filter((term) => !isEmpty(term))
    .map((term) => unmetOfTerm(term, labels, node.metadata.name))
    .sort((a, b) => a.length - b.length);
  return [...selectors, ...(perTerm[0] ?? [])];
}

/**
 * Node names that PreFilter narrows the search to: every term names its nodes
 * (`node_affinity.go: PreFilter`).
 */
export function namedNodes(spec: PodSpec): ReadonlySet<string> | undefined {
  const required = spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined || required.nodeSelectorTerms.length === 0) return undefined;
  const names = new Set<string>();
  for (const term of required.nodeSelectorTerms) {
    const lists = term.matchFields
      .filter(({ key, operator }) => key === NAME_FIELD && operator === 'In')
      .map(({ values }) => values);
    const [first, ...rest] = lists;
    if (first === undefined) return undefined;
    for (const name of first) {
      if (rest.every((values) => values.includes(name))) names.add(name);
    }
  }
  return names;
}

function isEmpty(term: NodeSelectorTerm): boolean {
  return term.matchExpressions.length === 0 && term.matchFields.length === 0;
}

function matchesTerm(term: NodeSelectorTerm, labels: Labels, name: string | undefined): boolean {
  if (isEmpty(term)) return false;
  for (const requirement of term.matchExpressions) {
    if (!matchesLabel(requirement, labels)) return false;
  }
  for (const requirement of term.matchFields) {
    if (!matchesField(requirement, name)) return false;
  }
  return true;
}

function unmetOfTerm(term: NodeSelectorTerm, labels: Labels, name: string): readonly UnmetRequirement[] {
  return [
    ...term.matchExpressions
      .filter((requirement) => !matchesLabel(requirement, labels))
      .map((requirement) => ({ requirement, found: labels[requirement.key] })),
    ...term.matchFields
      .filter((requirement) => !matchesField(requirement, name))
      .map((requirement) => ({ requirement, found: requirement.key === NAME_FIELD ? name : undefined })),
  ];
}

/**
 * An invalid requirement matches nothing; since all requirements of a term must hold, that is the same as the
 * whole term not matching. Operators: `apimachinery labels/selector.go: NewRequirement, Matches`.
 */
function matchesLabel({ key, operator, values }: NodeSelectorRequirement, labels: Labels): boolean {
  const found = labels[key];
  switch (operator) {
    case 'In':
      return found !== undefined && values.includes(found);
    case 'NotIn':
      return values.length > 0 && (found === undefined || !values.includes(found));
    case 'Exists':
      return values.length === 0 && found !== undefined;
    case 'DoesNotExist':
      return values.length === 0 && found === undefined;
    case 'Gt':
    case 'Lt':
      return matchesNumber(operator, values, found);
    default:
      return false;
  }
}

function matchesNumber(operator: 'Gt' | 'Lt', values: readonly string[], found: string | undefined): boolean {
  const bound = values.length === 1 ? int64(values[0]) : undefined;
  const number = int64(found);
  if (bound === undefined || number === undefined) return false;
  return operator === 'Gt' ? number > bound : number < bound;
}

function int64(text: string | undefined): bigint | undefined {
  if (text === undefined || !INTEGER.test(text)) return undefined;
  const number = BigInt(text.replace(/^\+/, ''));
  return number > MAX_INT64 || number < -MAX_INT64 - 1n ? undefined : number;
}

function matchesField({ key, operator, values }: NodeSelectorRequirement, name: string | undefined): boolean {
  if (values.length !== 1) return false;
  if (name === undefined) return operator === 'In' || operator === 'NotIn';
  const found = key === NAME_FIELD ? name : '';
  if (operator === 'In') return found === values[0];
  return operator === 'NotIn' && found !== values[0];
}
