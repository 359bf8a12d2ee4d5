import type { V1Deployment } from '@kubernetes/client-node';
import { fieldAt } from '#src/doctor/fixes/field-at.js';
import { planRemediation } from '#src/doctor/fixes/remediation.js';
import { resourceKinds } from '#src/engine/objects/cluster-objects.js';
import { predictDrift } from '#src/engine/owners/predict-drift.js';
import { buildVerified } from '../../../support/authority.js';
import { buildApproval } from '../../../support/records.js';
import type { Cluster } from '../../harness/cluster.js';
import type { Program } from '../../harness/program.js';
import type { Kind } from '../../harness/resources.js';
import { type Change, remediationOf } from './changes.js';
import type { WorkloadOwner } from './owner.js';
import { openStage, type Stage } from './stage.js';
import type { Fate, FieldResult } from './tally.js';

/** One prediction to compare with what the owner does. */
export interface OwnerCase {
  readonly title: string;
  /** What the owner declares. */
  readonly declares: (namespace: string) => V1Deployment;
  /** What happens between the owner's first act and our change. */
  readonly before?: (stage: Stage, owner: WorkloadOwner) => Promise<void>;
  readonly change: Change;
  /** What happens between our change and the owner's next act. */
  readonly after?: (stage: Stage) => Promise<void>;
  /** What each field is after the owner's next act: all fields alike, or by the last step of its path. */
  readonly leaves: Fate | Readonly<Record<string, Fate>>;
}

export interface Played {
  readonly fields: readonly FieldResult[];
  /** What the owner reported, for the message of a failing test. */
  readonly report: string;
}

export interface PlayDeps {
  readonly cluster: Cluster;
  readonly program: Program;
}

let approvals = 0;

/**
 * Plans the change on what the shipped reader reads, predicts, and sends it with the rights of the shipped
 * patcher.
 */
async function change(stage: Stage, what: Change, owner: WorkloadOwner, program: Program) {
  const { workload } = stage;
  const { remediation, template } = await remediationOf(what, stage);
  const answer = await program.reader.snapshot(workload, new Set(resourceKinds));
  if (answer.type !== 'snapshot') throw new Error(JSON.stringify(answer));
  const { snapshot } = answer;
  const plan = planRemediation(remediation, snapshot);
  if (plan.type === 'refusal') throw new Error(JSON.stringify(plan));
  const predicted = predictDrift({
    workload: snapshot.workload,
    plan,
    owners: await owner.objects(stage),
  });
  approvals += 1;
  const approval = buildApproval({
    id: `survival-${approvals}`,
    workload,
    remediation,
    plan,
    expiresAt: new Date(Date.now() + 900_000).toISOString(),
    ...(template === undefined ? {} : { template }),
  });
  const outcome = await program.patcher.apply(buildVerified(approval));
  if (outcome.type !== 'accepted') throw new Error(`not accepted: ${JSON.stringify(outcome)}`);
  return { plan, predicted };
}

/** Lets the owner declare the workload, changes it as the product does, and lets the owner act again. */
export async function play(one: OwnerCase, owner: WorkloadOwner, deps: PlayDeps): Promise<Played> {
  const stage = await openStage(deps.cluster, one.declares);
  try {
    await owner.install(stage);
    await one.before?.(stage, owner);
    const { plan, predicted } = await change(stage, one.change, owner, deps.program);
    const { kind, namespace, name } = plan.target;
    const read = () => deps.cluster.read({ kind: kind as Kind, namespace, name });
    const changed = await read();
    await one.after?.(stage);
    const act = await owner.act(stage);
    const isRefused = act.conflicts.length > 0;
    if (isRefused) await owner.force?.(stage);
    const left = await read();
    const fields = plan.changes.map(({ path }): FieldResult => {
      const kept = JSON.stringify(fieldAt(left, path)) === JSON.stringify(fieldAt(changed, path));
      if (kept && act.conflicts.includes(normal(path))) throw new Error(`force left ${path}: ${act.report}`);
      const fate = kept ? 'kept' : isRefused ? 'conflict' : 'reverted';
      const verdict = predicted.find((each) => each.path === path)?.verdict;
      return { path, fate, verdict: verdict ?? { type: 'unknown', because: 'no-evidence' } };
    });
    return { fields, report: act.report };
  } finally {
    await owner.release?.(stage);
    await stage.end();
  }
}

/** A conflict writes the key of an annotation without brackets. */
function normal(path: string): string {
  return path.replace(/annotations\[([^\]]+)\]/u, 'annotations.$1');
}

/** The fates that a case expects of these fields. */
export function expectedFates({ leaves }: OwnerCase, fields: readonly FieldResult[]): Record<string, Fate> {
  return Object.fromEntries(
    fields.map(({ path }) => {
      const last = path.split('.').at(-1) ?? '';
      const fate = typeof leaves === 'string' ? leaves : leaves[last];
      if (fate === undefined) throw new Error(`the case expects nothing of ${path}`);
      return [path, fate];
    }),
  );
}
