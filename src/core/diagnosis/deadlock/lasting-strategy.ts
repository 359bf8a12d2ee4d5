import type { Workload } from '../../cluster/workload.js';
import { patchStrategyForms } from '../../remediation/kinds/patch-strategy/forms.js';
import type { PatchStrategy } from '../../remediation/kinds/patch-strategy/plan.js';
import type { Remediation } from '../../remediation/remediation.js';
import { refusesRecreate } from '../../survival/refuses-recreate.js';
import { topOwnerOf } from '../../top-owner/top-owner.js';
import type { Advice } from '../finding.js';
import { deadlock } from './text.js';

type Strategy = PatchStrategy['strategy'];

/**
 * How the strategy of the first `patch-strategy` that is offered lasts: in the manifest of the workload, or in the field of
 * the object above it whose controller writes the workload. `undefined` where none is offered: a strategy that does not end
 * this rollout would not end the next one either.
 */
export function lastingAdvice(workload: Workload, offered: readonly Remediation[]): Advice | undefined {
  const patch = offered.find((each) => each.kind === 'patch-strategy');
  if (patch === undefined) return undefined;
  const { namespace, name } = workload.metadata;
  const title = deadlock('advice-lasting-title');
  const owner = topOwnerOf(workload);
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
    : {
        title,
        text: deadlock('advice-lasting-owner', {
          ...values,
          field: owner.strategyField?.path.join('.') ?? '',
        }),
        snippet,
      };
}

/** A strategy for the manifest of a workload, or of the object above it that declares it, in a form that can be applied. */
export function strategySnippet(workload: Workload, strategy: Strategy): string {
  const owner = topOwnerOf(workload);
  if (owner?.strategyField !== undefined) {
    const { path, honours } = owner.strategyField;
    const { kind, namespace, name } = owner.object;
    const form = honours === 'recreate' ? patchStrategyForms.recreate : strategy;
    const lines = form.type === 'Recreate' ? ['type: Recreate'] : rollingUpdateLines(form);
    return `# ${kind} ${namespace}/${name}\n${nested(path, lines)}`;
  }
  if (workload.kind === 'Rollout' && strategy.type === 'RollingUpdate') {
    const { maxSurge, maxUnavailable } = strategy;
    return nested(
      ['spec', 'strategy', 'canary'],
      [`maxSurge: ${maxSurge}`, `maxUnavailable: ${maxUnavailable}`],
    );
  }
  if (workload.kind === 'LeaderWorkerSet' && strategy.type === 'RollingUpdate') {
    const { maxSurge, maxUnavailable } = strategy;
    return nested(
      ['spec', 'rolloutStrategy', 'rollingUpdateConfiguration'],
      [`maxSurge: ${maxSurge}`, `maxUnavailable: ${maxUnavailable}`],
    );
  }
  const field = workload.kind === 'Deployment' ? 'strategy' : 'updateStrategy';
  const isRefused = strategy.type === 'Recreate' && refusesRecreate(workload);
  const form: Strategy = isRefused ? patchStrategyForms.allAtOnce : strategy;
  const lines =
    form.type === 'Recreate' ? ['type: Recreate', 'rollingUpdate: null'] : rollingUpdateLines(form);
  return nested(['spec', field], lines);
}

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

function nested(path: readonly string[], lines: readonly string[]): string {
  const indent = (depth: number): string => '  '.repeat(depth);
  return [
    ...path.map((name, depth) => `${indent(depth)}${name}:\n`),
    ...lines.map((line) => `${indent(path.length)}${line}\n`),
  ].join('');
}
