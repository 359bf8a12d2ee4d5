import { apiKindOf } from '../objects/cluster-objects.js';
import type {
  Application,
  FluxExclusion,
  HelmRelease,
  IgnoredDifference,
  Kustomization,
} from '../objects/gitops.js';
import { controllerOf, type ObjectMeta } from '../objects/metadata.js';
import { apiGroupOf } from '../objects/workload.js';
import {
  type ChangedField,
  type Declaration,
  declarationOf,
  entriesOf,
  isByHand,
  isStored,
  mergedManagers,
  ourManager,
  ownedBy,
} from './declaration.js';
import type { FieldDrift, Verdict } from './field-drift.js';
import { stepsOf } from './field-drift.js';
import { type OwnerObjects, objectOf } from './owner-objects.js';
import type { WrittenObject } from './writers.js';
import { type Writer, writersOf } from './writers.js';

/** The parts of a `Plan` that decide; a plan is one. */
export interface PlannedChange {
  readonly target: { readonly kind: string };
  readonly changes: readonly ChangedField[];
}

interface DriftCase {
  /** The live object before the change: the change itself moves the ownership of its fields. */
  readonly workload: WrittenObject;
  readonly plan: PlannedChange;
  readonly owners: OwnerObjects;
}

/**
 * What becomes of each field that the plan changes, in the order of the plan. Pods and ReplicaSets are made
 * by controllers: no tool declares their fields. With several owners, the worst verdict counts.
 */
export function predictDrift({ workload, plan, owners }: DriftCase): readonly FieldDrift[] {
  const { target, changes } = plan;
  if (target.kind !== workload.kind) {
    return changes.map(({ path }) => ({ path, verdict: { type: 'stays' }, restsOn: [] }));
  }
  const writers = writersOf(workload);
  const setsType = changes.find(({ path }) => path === 'spec.strategy.type');
  return changes.map((field) => {
    // What the strategy of another type lacks comes back by default with the type.
    const decides = setsType !== undefined && field.after === undefined ? setsType : field;
    const found = writers
      .map((writer) => ({ ...verdictOf(writer, decides, workload, owners), path: field.path }))
      .concat(otherWriters(field, workload, writers));
    const [worst] = worstFirst(found);
    return worst ?? { path: field.path, verdict: { type: 'stays' }, restsOn: [{ type: 'marks' }] };
  });
}

function verdictOf(
  writer: Writer,
  field: ChangedField,
  workload: WrittenObject,
  owners: OwnerObjects,
): Omit<FieldDrift, 'path'> {
  const { owner } = writer;
  if (writer.type === 'operator') {
    const verdict = operatorVerdict(owner.kind, field.path, workload);
    return { verdict, owner, restsOn: [{ type: 'owner-reference' }] };
  }
  const declaration = declarationOf(writer, field, workload);
  const { restsOn } = declaration;
  switch (writer.type) {
    case 'argo-cd': {
      const read = objectOf(owners.application, 'Application');
      const verdict = argoVerdict(declaration, field, workload, read.object);
      const unread = owners.application?.type === 'missing' ? asMissing(verdict) : verdict;
      return { verdict: unread, owner, restsOn: [...restsOn, read.restsOn] };
    }
    case 'kustomization': {
      const read = objectOf(owners.kustomization, 'Kustomization');
      const verdict = kustomizationVerdict(declaration, field.path, workload, read.object);
      return { verdict, owner, restsOn: [...restsOn, read.restsOn] };
    }
    case 'helm-release': {
      const read = objectOf(owners.helmRelease, 'HelmRelease');
      const verdict = helmReleaseVerdict(declaration, field.path, workload, read.object);
      const unread = owners.helmRelease?.type === 'missing' ? asMissing(verdict) : verdict;
      return { verdict: unread, owner, restsOn: [...restsOn, read.restsOn] };
    }
    case 'helm':
    case 'kubectl':
    case 'kubectl-server': {
      if (declaration.type === 'undeclared') return { verdict: { type: 'stays' }, owner, restsOn };
      if (declaration.type === 'unknown') {
        return { verdict: { type: 'unknown', because: declaration.because }, owner, restsOn };
      }
      const event = writer.type === 'helm' ? 'upgrade' : 'apply';
      const isServerSide = restsOn.some(
        (each) => each.type === 'managed-fields' && each.operation === 'Apply',
      );
      // No apply conflicts with what nobody owns.
      const type = isServerSide && isStored(field) ? 'next-upgrade-conflicts' : 'reverted-at-next';
      return { verdict: { type, event }, owner, restsOn };
    }
  }
}

function asMissing(verdict: Verdict): Verdict {
  return verdict.type === 'unknown' && verdict.because === 'owner-unread'
    ? { type: 'unknown', because: 'owner-missing' }
    : verdict;
}

/** Managers that write no field that a plan changes, or none that they put back. */
const harmless: ReadonlySet<string> = new Set(['kube-controller-manager', 'kubectl-create', '']);

/** Managers of the field that belong to none of the writers. */
function otherWriters(
  { path }: ChangedField,
  workload: WrittenObject,
  writers: readonly Writer[],
): readonly FieldDrift[] {
  const owning = entriesOf(workload).filter((entry) => ownedBy(entry, path) !== 'none');
  if (writers.length === 0) {
    const entry = owning.find(({ manager }) => mergedManagers.has(manager));
    if (entry !== undefined) {
      const { manager, operation } = entry;
      const restsOn = [{ type: 'managed-fields', manager, operation } as const];
      return [{ path, verdict: { type: 'unknown', because: 'merged-managers' }, restsOn }];
    }
  }
  const own = new Set(writers.map(({ manager }) => manager));
  const others = owning.filter(
    ({ manager }) =>
      !own.has(manager) && !harmless.has(manager) && !mergedManagers.has(manager) && !isKubectl(manager),
  );
  if (others.length === 0) return [];
  const name = [...new Set(others.map(({ manager }) => manager))].join(', ');
  return [
    {
      path,
      verdict: { type: 'unknown', because: 'other-manager' },
      owner: { by: 'other', kind: '', namespace: '', name },
      restsOn: others.map(({ manager, operation }) => ({ type: 'managed-fields', manager, operation })),
    },
  ];
}

function isKubectl(manager: string): boolean {
  return isByHand(manager) || manager.startsWith('kubectl');
}

/** Operators that compare the whole spec, or apply it with force, at each event of the workload. */
const restoreAll: ReadonlySet<string> = new Set([
  'serving.kserve.io InferenceService',
  'leaderworkerset.x-k8s.io LeaderWorkerSet',
]);

/**
 * What the controller above a workload does to a change (kserve `deployment_reconciler.go`, lws
 * `leaderworkerset_controller.go`, kserve `workload_single_node.go`, Knative `revision/cruds.go`, dynamo
 * `controller_common/resource.go: GetSpecChangeResult`, production-stack
 * `vllmruntime_controller.go: deploymentNeedsUpdate`). Others may restore their fields at once, or may not.
 */
function operatorVerdict(kind: string, path: string, { metadata }: Pick<WrittenObject, 'metadata'>): Verdict {
  const group = controllerOf({ metadata })?.apiVersion.split('/')[0] ?? '';
  const known = `${group} ${kind}`;
  if (restoreAll.has(known)) return { type: 'operator-reverts' };
  // An annotation of the pods stays until its next write, which removes it (seen with 0.20).
  if (known === 'serving.kserve.io LLMInferenceService' && !path.startsWith('spec.template.metadata.'))
    return { type: 'operator-reverts' };
  // Knative 1.22 and newer writes only when this hash of its own wish changes.
  if (known === 'serving.knative.dev Revision' && 'serving.knative.dev/deployment-hash' in metadata.labels)
    return { type: 'stays' };
  // Releases that mark the generation find every change that is not theirs.
  if (known === 'nvidia.com DynamoComponentDeployment' && appliedGeneration in metadata.annotations)
    return { type: 'operator-reverts' };
  if (known === 'production-stack.vllm.ai VLLMRuntime') {
    return { type: isComparedByVllm(path) ? 'operator-reverts' : 'stays' };
  }
  return { type: 'unknown', because: 'operator' };
}

const appliedGeneration = 'nvidia.com/last-applied-generation';

/** It compares neither the strategy nor annotations that it has not set. */
function isComparedByVllm(path: string): boolean {
  return !path.startsWith('spec.strategy') && !path.startsWith('spec.template.metadata.');
}

/**
 * When kustomize-controller writes the field next: within its interval, by a forced server-side apply of what
 * it declares (fluxcd/kustomize-controller `kustomization_controller.go: apply`).
 */
function kustomizationVerdict(
  declaration: Declaration,
  path: string,
  workload: WrittenObject,
  kustomization: Kustomization | undefined,
): Verdict {
  const { metadata } = workload;
  const group = 'kustomize.toolkit.fluxcd.io';
  if (declaration.type === 'undeclared') return { type: 'stays' };
  if (isMarked(metadata, `${group}/reconcile`, 'disabled'))
    return { type: 'stays', while: 'reconcile-disabled' };
  const apply = `${group}/ssa`;
  if (isMarked(metadata, apply, 'Ignore') || isMarked(metadata, apply, 'IfNotPresent')) {
    return { type: 'stays', while: 'not-applied' };
  }
  if (kustomization?.spec.suspend) return { type: 'stays', while: 'suspended' };
  if (declaration.type === 'unknown') return { type: 'unknown', because: declaration.because };
  const excluded = exclusionOf(kustomization?.spec.ignore ?? [], path, workload);
  return excluded ?? revertedWithin(kustomization?.spec.interval);
}

/**
 * When helm-controller writes the field next: at an upgrade of the release, or within its interval where it
 * corrects drift, which is off by default. It always forces conflicts.
 */
function helmReleaseVerdict(
  declaration: Declaration,
  path: string,
  workload: WrittenObject,
  release: HelmRelease | undefined,
): Verdict {
  if (declaration.type === 'undeclared') return { type: 'stays' };
  if (release?.spec.suspend) return { type: 'stays', while: 'suspended' };
  if (declaration.type === 'unknown') return { type: 'unknown', because: declaration.because };
  if (release === undefined) return { type: 'unknown', because: 'owner-unread' };
  const { driftDetection, interval } = release.spec;
  const corrects =
    driftDetection?.mode === 'enabled' &&
    !isMarked(workload.metadata, 'helm.toolkit.fluxcd.io/driftDetection', 'disabled');
  if (!corrects) return { type: 'reverted-at-next', event: 'upgrade' };
  const excluded = exclusionOf(driftDetection.ignore, path, workload);
  if (excluded?.type === 'unknown') return excluded;
  // An upgrade writes what only the detection of drift leaves out.
  return excluded === undefined ? revertedWithin(interval) : { type: 'reverted-at-next', event: 'upgrade' };
}

function revertedWithin(interval: string | undefined): Verdict {
  const seconds = interval === undefined ? undefined : goDurationSeconds(interval);
  return { type: 'reverted-within', ...(seconds === undefined ? {} : { seconds }) };
}

/** Flux reads its marks from labels and annotations alike. */
function isMarked({ labels, annotations }: ObjectMeta, key: string, value: string): boolean {
  return annotations[key] === value || labels[key] === value;
}

function exclusionOf(
  exclusions: readonly FluxExclusion[],
  path: string,
  { kind, metadata }: WrittenObject,
): Verdict | undefined {
  const steps = stepsOf(path);
  let isUncertain = false;
  for (const { paths, target } of exclusions) {
    const covers = paths.some((pointer) => pointerSteps(pointer).every((step, at) => steps[at] === step));
    if (!covers) continue;
    if (target === undefined) return { type: 'stays', while: 'drift-ignored' };
    const wanted = [target.group, target.version, target.kind, target.name, target.namespace];
    const own = [...apiGroupOf(kind), apiKindOf(kind), metadata.name, metadata.namespace];
    const selects = target.labelSelector !== '' || target.annotationSelector !== '';
    const isSame = wanted.every((each, at) => each === '' || each === own[at]);
    if (isSame && !selects) return { type: 'stays', while: 'drift-ignored' };
    // Targets are regular expressions and selectors: only plain names are compared here.
    isUncertain ||= isSame || wanted.some((each) => !/^[\w-]*$/u.test(each));
  }
  return isUncertain ? { type: 'unknown', because: 'ignore-rule' } : undefined;
}

const unitSeconds: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 0.001 };

/** A duration as Go writes it (`10m0s`, `1h30m`); `undefined` for anything else. */
function goDurationSeconds(text: string): number | undefined {
  if (!/^(?:\d{1,9}(?:\.\d{1,9})?(?:h|ms|m|s)){1,4}$/u.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d{1,9}(?:\.\d{1,9})?)(h|ms|m|s)/gu)];
  return Math.round(
    parts.reduce((sum, [, count = '0', unit = '']) => sum + Number(count) * (unitSeconds[unit] ?? 0), 0),
  );
}

/**
 * When Argo CD writes the field next (argo-cd `controller/appcontroller.go: autoSync`, `controller/sync.go`).
 * Self-heal starts at once by default. Without it only a new revision or a person starts a sync.
 * `Replace=true` makes the live object Git's own, undeclared fields included.
 */
function argoVerdict(
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
function pointerSteps(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Worst first, as fields with several owners and plans with several fields are judged. */
const order: readonly Verdict['type'][] = [
  'operator-reverts',
  'reverted-at-once',
  'reverted-within',
  'next-upgrade-conflicts',
  'reverted-at-next',
  'unknown',
  'stays',
];

export function worstFirst(fields: readonly FieldDrift[]): readonly FieldDrift[] {
  return [...fields].sort((a, b) => rank(a.verdict) - rank(b.verdict));
}

function rank(verdict: Verdict): number {
  // A change that stays only under a condition comes before one that always stays.
  return order.indexOf(verdict.type) + (verdict.type === 'stays' && verdict.while === undefined ? 1 : 0);
}
