import { argoVerdict } from './argo-cd.js';
import {
  type ChangedField,
  declarationOf,
  entriesOf,
  isByHand,
  isStored,
  mergedManagers,
  ownedBy,
} from './declaration.js';
import type { FieldDrift, Verdict } from './field-survival.js';
import { helmReleaseVerdict, kustomizationVerdict } from './flux.js';
import { operatorVerdict } from './operator.js';
import { type OwnerObjects, objectOf } from './owner-objects.js';
import { worstFirst } from './worst-verdict.js';
import { type Writer, writersOf } from './writers.js';
import type { WrittenObject } from './written-object.js';

/** The parts of a `Plan` that decide; a plan is one. */
export interface PlannedChange {
  readonly target: { readonly kind: string };
  readonly changes: readonly ChangedField[];
}

export interface DriftCase {
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
