import type { Snapshot } from '../cluster/snapshot.js';
import { effect } from './effects-text.js';
import { planRemediation } from './plan-remediation.js';
import type { NotRecommended, Remediation } from './remediation.js';

/**
 * Leaves out fixes that write into a field that was not recorded: what the object has there is not known, and
 * the change would replace it.
 *
 * @param unseen of the whole recording
 */
export function withoutUnrecorded(
  remediations: readonly Remediation[],
  snapshot: Snapshot,
  unseen: Snapshot['unseen'],
): { readonly remediations: readonly Remediation[]; readonly withheld: readonly NotRecommended[] } {
  const unrecorded = unseen.filter(({ fields = [] }) => fields.length > 0);
  if (unrecorded.length === 0) return { remediations, withheld: [] };
  const kept: Remediation[] = [];
  const withheld: NotRecommended[] = [];
  for (const remediation of remediations) {
    const plan = planRemediation(remediation, snapshot);
    // A template that is restored comes from the cluster, whole.
    const written = plan.type === 'plan' && plan.request.verb === 'patch' ? plan.changes : [];
    const fields = unrecorded.flatMap(({ what, fields: paths = [] }) =>
      plan.type === 'plan' && what === plan.target.kind ? paths : [],
    );
    const field = fields.find((path) => written.some((change) => isWithin(change.path, path)));
    if (field === undefined) kept.push(remediation);
    else withheld.push({ kind: remediation.kind, because: effect('withheld-unrecorded', { field }) });
  }
  return { remediations: kept, withheld };
}

/**
 * One is the other, or a part of it. Items of lists have names in paths of changes, and none in what is not
 * recorded.
 */
function isWithin(path: string, of: string): boolean {
  const plain = path.replace(/\[[^[\]]*\]/gu, '[]');
  return (
    plain === of || plain.startsWith(`${of}.`) || plain.startsWith(`${of}[`) || of.startsWith(`${plain}.`)
  );
}
