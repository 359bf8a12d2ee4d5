import type { Language } from '../../engine/language/language.js';
import { type Prose, word } from '../../engine/language/prose.js';
import type { ResourceKind } from '../../engine/objects/cluster-objects.js';
import type { Snapshot } from '../../engine/objects/snapshot.js';
import { ownerObjectsOf } from '../../engine/owners/owner-objects.js';
import { predictDrift } from '../../engine/owners/predict-drift.js';
import type { WrittenObject } from '../../engine/owners/writers.js';
import type { Kind } from './kind.js';
import { kinds } from './kinds/kinds.js';
import type { OfferedRemediation } from './offered-fields.js';
import { ownerObjectOf } from './owner-target.js';
import type { Plan, Refusal } from './plan.js';
import { refusal } from './refusals.js';

/** What planning needs to see, over all kinds. */
export const planningNeeds: readonly ResourceKind[] = (kinds as unknown as readonly Kind[]).flatMap(
  ({ needs = [] }) => needs,
);

/** Works a remediation out against the object as it is in the snapshot. */
export function planRemediation(remediation: OfferedRemediation, snapshot: Snapshot): Plan | Refusal {
  const kind = kindOf(remediation);
  if (kind === undefined) {
    const { namespace, name } = snapshot.workload.metadata;
    const values = { workload: `${namespace}/${name}`, kind: remediation.kind };
    return refusal('not-applicable', 'not-applicable', values);
  }
  const plan = kind.plan(remediation, snapshot);
  if (plan.type === 'refusal') return plan;
  const object = changedObject(plan, snapshot);
  const owners = ownerObjectsOf(snapshot, object);
  const drift = [...predictDrift({ workload: object, plan, owners })];
  const isOurs = drift.every(({ owner, verdict }) => owner === undefined && verdict.type === 'stays');
  return isOurs ? plan : { ...plan, survival: drift };
}

/** The object that the plan changes, or the workload where the plan changes its pods or ReplicaSets. */
function changedObject({ target }: Plan, snapshot: Snapshot): WrittenObject {
  return ownerObjectOf(snapshot, target) ?? snapshot.workload;
}

/** The kind of this name; `undefined` for one of another version. */
export function kindOf({ kind: name }: Pick<OfferedRemediation, 'kind'>): Kind | undefined {
  return (kinds as unknown as readonly Kind[]).find(({ kind }) => kind === name);
}

/** What the kind is called; its id for one of another version. */
export function kindName(kind: string, language: Language): Prose {
  return kindOf({ kind })?.text[language].name() ?? [word(kind)];
}
