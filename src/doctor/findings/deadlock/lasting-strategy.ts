import type { Statement } from '../../../engine/language/statement.js';
import { hasCanaryBounds } from '../../../engine/objects/argo-rollout.js';
import type { ObjectRef } from '../../../engine/objects/metadata.js';
import type { Workload } from '../../../engine/objects/workload.js';
import { hasDeploymentStrategy, hasGroups, hasSteps } from '../../../engine/objects/workload.js';
import { refusesRecreate } from '../../../engine/owners/declaration.js';
import { parentResourceOf } from '../../../engine/parents/parent-resource.js';
import type { StrategyField } from '../../../engine/parents/parent-resource-kinds.js';
import { dynamoStrategyAnnotations } from '../../../engine/workloads/revisioned/dynamo-targets.js';
import type { PatchStrategy } from '../../fixes/kinds/patch-strategy/forms.js';
import { patchStrategyForms } from '../../fixes/kinds/patch-strategy/forms.js';
import type { Remediation } from '../../fixes/remediation.js';
import type { Advice } from '../finding.js';
import { deadlock } from './text.js';

type Strategy = PatchStrategy['strategy'];

/**
 * How the strategy of the first `patch-strategy` that is offered lasts: in the manifest of the workload, or
 * in the field of the object above it whose controller writes the workload. `undefined` where none is
 * offered: a strategy that does not end this rollout would not end the next one either.
 */
export function lastingAdvice(workload: Workload, offered: readonly Remediation[]): Advice | undefined {
  const patch = offered.find((each) => each.kind === 'patch-strategy');
  if (patch === undefined) return undefined;
  const { namespace, name } = workload.metadata;
  const title = deadlock('advice-lasting-title');
  const owner = parentResourceOf(workload);
  const values = {
    workload: `${namespace}/${name}`,
    kind: owner?.object.kind ?? '',
    owner: owner?.object.name ?? '',
  };
  if (owner !== undefined && owner.strategyField === undefined) {
    return { title, text: deadlock('advice-no-owner-field', values) };
  }
  const snippet = strategySnippet(workload, patch.strategy);
  return owner === undefined
    ? { title, text: deadlock('advice-lasting', { workload: values.workload }), snippet }
    : { title, text: ownerText(owner.strategyField, values), snippet };
}

type OwnerValues = { readonly workload: string; readonly kind: string; readonly owner: string };

function ownerText(field: StrategyField | undefined, values: OwnerValues): Statement {
  return deadlock(adviceOf[field?.applies ?? 'at-once'], { ...values, field: fieldName(field) });
}

const adviceOf = {
  'at-once': 'advice-lasting-owner',
  'with-another-change': 'advice-lasting-owner-later',
  'in-next-revision': 'advice-lasting-owner-next',
} as const;

function fieldName(field: StrategyField | undefined): string {
  const path = field?.path.join('.') ?? '';
  return field?.form === 'type' ? `${path}.deploymentStrategy` : path;
}

/**
 * A strategy for the manifest of a workload, or of the object above it that declares it, in a form that can
 * be applied.
 */
export function strategySnippet(workload: Workload, strategy: Strategy): string {
  const owner = parentResourceOf(workload);
  if (owner?.strategyField !== undefined) {
    const { honours } = owner.strategyField;
    const form = honours === 'recreate' ? patchStrategyForms.recreate : strategy;
    return ownerSnippet(owner.object, owner.strategyField, form);
  }
  if (hasSteps(workload) && strategy.type === 'RollingUpdate') {
    const { maxSurge, maxUnavailable } = strategy;
    return nested(
      ['spec', 'strategy', 'canary'],
      [`maxSurge: ${maxSurge}`, `maxUnavailable: ${maxUnavailable}`],
    );
  }
  if (hasGroups(workload) && strategy.type === 'RollingUpdate') {
    const { maxSurge, maxUnavailable } = strategy;
    return nested(
      ['spec', 'rolloutStrategy', 'rollingUpdateConfiguration'],
      [`maxSurge: ${maxSurge}`, `maxUnavailable: ${maxUnavailable}`],
    );
  }
  const field = hasDeploymentStrategy(workload) ? 'strategy' : 'updateStrategy';
  const isRefused = strategy.type === 'Recreate' && refusesRecreate(workload);
  const form: Strategy = isRefused ? patchStrategyForms.allAtOnce : strategy;
  const lines =
    form.type === 'Recreate' ? ['type: Recreate', 'rollingUpdate: null'] : rollingUpdateLines(form);
  return nested(['spec', field], lines);
}

/**
 * The strategy under which old pods always stop first, for the manifest; `undefined` where the workload's
 * strategy starts all new pods beside the old ones.
 */
export function oldPodFirst(workload: Workload): string | undefined {
  if (!hasSteps(workload) && !hasGroups(workload)) {
    return strategySnippet(workload, patchStrategyForms.recreate);
  }
  const isUsed = hasGroups(workload) || hasCanaryBounds(workload);
  return isUsed ? strategySnippet(workload, patchStrategyForms.inPlace) : undefined;
}

/** The field of an owner with this strategy. */
export function ownerSnippet(
  { kind, namespace, name }: ObjectRef,
  { path, item, form }: StrategyField,
  strategy: Strategy,
): string {
  return `# ${kind} ${namespace}/${name}\n${nested(path, linesOf[form ?? 'strategy'](strategy), item)}`;
}

const linesOf = {
  strategy: (strategy: Strategy): readonly string[] =>
    strategy.type === 'Recreate' ? ['type: Recreate'] : rollingUpdateLines(strategy),
  bounds: (strategy: Strategy): readonly string[] =>
    strategy.type === 'Recreate'
      ? []
      : [`maxSurge: ${strategy.maxSurge}`, `maxUnavailable: ${strategy.maxUnavailable}`],
  type: ({ type }: Strategy): readonly string[] => [`deploymentStrategy: ${type}`],
  'dynamo-annotations': (strategy: Strategy): readonly string[] =>
    strategy.type === 'Recreate'
      ? [`${dynamoStrategyAnnotations.type}: Recreate`]
      : [
          `${dynamoStrategyAnnotations.maxSurge}: "${strategy.maxSurge}"`,
          `${dynamoStrategyAnnotations.maxUnavailable}: "${strategy.maxUnavailable}"`,
        ],
};

function rollingUpdateLines({
  maxSurge,
  maxUnavailable,
}: Extract<Strategy, { type: 'RollingUpdate' }>): readonly string[] {
  return [
    'type: RollingUpdate',
    'rollingUpdate:',
    `  maxSurge: ${maxSurge}`,
    `  maxUnavailable: ${maxUnavailable}`,
  ];
}

/** @param item the name of the item, where the second step is a list */
function nested(path: readonly string[], lines: readonly string[], item?: string): string {
  const [root = '', ...rest] = path;
  const keys = path.map((name) => `${name}:`);
  const steps =
    item === undefined ? keys : [`${root}:`, `${rest[0] ?? ''}:`, `- name: ${item}`, ...keys.slice(2)];
  const indent = (depth: number): string => '  '.repeat(depth);
  return [
    ...steps.map((step, depth) => `${indent(depth)}${step}\n`),
    ...lines.map((line) => `${indent(steps.length)}${line}\n`),
  ].join('');
}
