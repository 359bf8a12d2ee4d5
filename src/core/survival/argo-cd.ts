import { apiKindOf } from '../cluster/cluster-objects.js';
import type { Application, IgnoredDifference } from '../cluster/gitops.js';
import { apiGroupOf } from '../cluster/workload.js';
import { type ChangedField, type Declaration, isStored, ourManager } from './declaration.js';
import { stepsOf } from './field-path.js';
import type { Verdict } from './field-survival.js';
import type { WrittenObject } from './written-object.js';

/**
 * When Argo CD writes the field next (argo-cd `controller/appcontroller.go: autoSync`, `controller/sync.go`).
 * Self-heal starts at once by default. Without it only a new revision or a person starts a sync.
 * `Replace=true` makes the live object Git's own, undeclared fields included.
 */
export function argoVerdict(
  declaration: Declaration,
  field: ChangedField,
  workload: WrittenObject,
  application: Application | undefined,
): Verdict {
  if (application?.metadata.annotations['argocd.argoproj.io/skip-reconcile'] === 'true') {
    return declaration.type === 'undeclared' && !replaces(workload, application)
      ? { type: 'stays' }
      : { type: 'stays', while: 'suspended' };
  }
  if (declaration.type === 'undeclared') {
    return replaces(workload, application) ? { type: 'reverted-at-next', event: 'sync' } : { type: 'stays' };
  }
  if (declaration.type === 'unknown') {
    return replaces(workload, application) && isStored(field)
      ? { type: 'reverted-at-next', event: 'sync' }
      : { type: 'unknown', because: declaration.because };
  }
  if (application === undefined) return { type: 'unknown', because: 'owner-unread' };
  const { syncPolicy, ignoreDifferences } = application.spec;
  const ignored = ignoreDifferences
    .filter((each) => concerns(each, workload))
    .map((each) => coverageOf(each, declaration, field));
  const automated = syncPolicy?.automated;
  const heals = automated !== undefined && automated.enabled !== false && automated.selfHeal;
  if (ignored.includes('covered')) {
    return syncPolicy?.syncOptions.includes('RespectIgnoreDifferences=true')
      ? { type: 'stays', while: 'difference-ignored' }
      : { type: 'reverted-at-next', event: 'sync' };
  }
  if (ignored.includes('unknown')) return { type: 'unknown', because: 'ignore-rule' };
  return heals ? { type: 'reverted-at-once' } : { type: 'reverted-at-next', event: 'sync' };
}

function replaces({ metadata }: WrittenObject, application: Application | undefined): boolean {
  const own = metadata.annotations['argocd.argoproj.io/sync-options']?.split(',') ?? [];
  const options = [...own, ...(application?.spec.syncPolicy?.syncOptions ?? [])];
  return options.some((option) => option.trim() === 'Replace=true');
}

function concerns(
  { group, kind, name, namespace }: IgnoredDifference,
  { kind: own, metadata }: WrittenObject,
): boolean {
  return (
    [apiGroupOf(own)[0], '*'].includes(group) &&
    [apiKindOf(own), '*'].includes(kind) &&
    ['', metadata.name].includes(name) &&
    ['', metadata.namespace].includes(namespace)
  );
}

/** A plain path of jq, such as `.spec.strategy.rollingUpdate`. */
const plainJqPath = /^(?:\.[A-Za-z]\w*)+$/u;

type Coverage = 'covered' | 'unknown' | 'not-covered';

function coverageOf(
  { jsonPointers, jqPathExpressions, managedFieldsManagers }: IgnoredDifference,
  declaration: Declaration,
  field: ChangedField,
): Coverage {
  if (managedFieldsManagers.includes(ourManager)) return coverageOfOurs(declaration, field);
  const { path } = field;
  const steps = stepsOf(path);
  const isAbove = (above: readonly string[]): boolean => above.every((step, at) => steps[at] === step);
  if (jsonPointers.some((pointer) => isAbove(pointerSteps(pointer)))) return 'covered';
  if (jqPathExpressions.some((each) => plainJqPath.test(each) && isAbove(stepsOf(each)))) return 'covered';
  return jqPathExpressions.every((each) => plainJqPath.test(each)) ? 'not-covered' : 'unknown';
}

/**
 * Fields that this program owns are ignored. It owns nothing that is not stored, and a client-side sync takes
 * away what a declared key beside it clears. A sync of a strategy with another type than ours may be refused
 * as a whole, since the type stays and the declared percentages are sent. Compared with argo-cd 3.2.11.
 */
function coverageOfOurs(declaration: Declaration, field: ChangedField): Coverage {
  if (!isStored(field) || (declaration.type === 'declared' && declaration.isCleared === true)) {
    return 'not-covered';
  }
  return field.path === 'spec.strategy.type' ? 'unknown' : 'covered';
}

/** Steps of a JSON pointer (RFC 6901). */
export function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}
