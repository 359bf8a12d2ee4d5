import type { JsonObject } from '../../core/cluster/wire.js';
import { apiVersionOf, type Workload } from '../../core/cluster/workload.js';
import { restoresTemplate } from '../../core/git-change/declared-template.js';
import type { GitTarget } from '../../core/git-change/git-target.js';
import { gitRefusal } from '../../core/git-change/refusal.js';
import type { AuthenticApproval } from '../../core/incident/approval.js';
import { templateFrom } from '../../core/remediation/template-source.js';
import { rolloutStateOf } from '../../core/rollout/rollout-state.js';
import type { ClusterReader } from '../diagnose/cluster-reader.js';
import { nameOf } from '../diagnose/diagnose-again.js';
import type { DiagnosisEngine } from '../diagnose/doctor.js';
import { type GitSubject, type NotEdited, refusedTree } from './edit-in-git.js';
import { gitStatement } from './git-text.js';

/**
 * What is edited for an approval. The pod template that a plan puts back, and a workload that a chart
 * renders, are read from the cluster each time: they may hold secrets, so no record carries one.
 */
export async function gitSubjectOf(
  {
    cluster,
    engine,
  }: { readonly cluster: Pick<ClusterReader, 'snapshot'>; readonly engine: Pick<DiagnosisEngine, 'needs'> },
  approval: AuthenticApproval & { readonly gitTarget: GitTarget },
): Promise<({ readonly type: 'subject' } & GitSubject) | NotEdited> {
  const { plan, workload, gitTarget } = approval;
  const { request } = plan;
  const isRestored = restoresTemplate(plan) && request.verb === 'restore-template';
  const isRendered = [gitTarget, ...(gitTarget.others ?? [])].some(({ chart }) => chart !== undefined);
  if (!isRestored && !isRendered) return { type: 'subject', plan, workload };
  const read = await cluster.snapshot(workload, engine.needs);
  if (read.type !== 'snapshot') {
    const because = gitStatement('unreadable', { workload: nameOf(approval), cluster: workload.cluster });
    return { type: 'refused', because };
  }
  const live = manifestOf(read.snapshot.workload);
  if (!isRestored) return { type: 'subject', plan, workload, live };
  const template = templateFrom(rolloutStateOf(read.snapshot), request.from);
  return template === undefined
    ? refusedTree(gitRefusal('no-earlier-template'), gitTarget, approval)
    : { type: 'subject', plan, workload, template: template.raw, live };
}

/** What the cluster has, in the form of a manifest: no chart is rendered. */
function manifestOf({ kind, metadata, spec }: Workload): JsonObject {
  const { namespace, name, labels } = metadata;
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: { namespace, name, labels },
    spec: { ...spec, template: spec.template.raw },
  };
}
