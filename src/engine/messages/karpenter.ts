import type { ReasonKey } from './reason-clauses-en.js';
import { oneLine } from './recognise.js';
import { trimmed } from './scanning.js';
import type { MessageReason, MessageReasonId } from './scheduler-message.js';

const NOT_TOLERATED = 'did not tolerate ';

/**
 * Words in a clause of Karpenter's `Failed to schedule pod, …` (`scheduling/nodeclaim.go`, `topology.go`).
 */
const words: readonly (readonly [words: string, reason: MessageReasonId, says: ReasonKey])[] = [
  [NOT_TOLERATED, 'taint', 'taint'],
  ['unsatisfiable topology constraint for topology spread', 'topology-spread', 'topology-spread'],
  ['unsatisfiable topology constraint for pod', 'pod-affinity', 'pod-affinity-either'],
  ['incompatible requirements', 'node-affinity', 'node-affinity'],
  ['incompatible volume requirements', 'volume-affinity', 'volume-affinity'],
  ['host port', 'host-port', 'host-port'],
  ['Dynamic Resource Allocation requirements', 'dra', 'devices'],
  ['allocating dynamic resources', 'dra', 'devices'],
  ['incompatible dynamic resource requirements', 'dra', 'devices'],
  ['exceed limits for nodepool', 'unknown', 'group-limit'],
  ['node limits have been exhausted', 'unknown', 'group-limit'],
  ['exceed limits for provisioner', 'unknown', 'group-limit'],
  ['filtered out all available instance types', 'unknown', 'instance-types'],
  ['no instance type ', 'unknown', 'instance-types'],
  ['minValues requirement', 'unknown', 'instance-types'],
];

/** The sentence that tells a clause of Karpenter's. */
export function karpenterSays(clause: string): ReasonKey {
  return found(clause)?.[2] ?? 'unknown';
}

function found(clause: string): (typeof words)[number] | undefined {
  const said = oneLine(clause);
  return words.find(([each]) => said.includes(each));
}

/**
 * One reason for each NodePool that was tried; `detail` is the taint, else the NodePool's name where it is
 * said.
 */
export function parseKarpenter(body: string): readonly MessageReason[] {
  return body
    .split('; ')
    .map(trimmed)
    .filter((clause) => clause !== '')
    .map((text) => {
      const said = oneLine(text);
      const reason = found(text)?.[1] ?? 'unknown';
      const detail = reason === 'taint' ? taintIn(said) : nodePoolOf(said);
      return { reason, text, ...(detail === undefined ? {} : { detail }) };
    });
}

/** The NodePool (once: Provisioner) that a clause speaks of. */
export function nodePoolOf(clause: string): string | undefined {
  for (const start of ['nodepool "', 'provisioner "', 'nodepool: "', 'NodePool=']) {
    const at = clause.indexOf(start);
    if (at < 0) continue;
    const rest = clause.slice(at + start.length);
    const end = rest.search(start.endsWith('"') ? /"/ : /[\s,)]/);
    if (end > 0) return rest.slice(0, end);
  }
  return undefined;
}

/**
 * `did not tolerate dedicated=gpu:NoSchedule`, and since 1.4
 * `did not tolerate taint (taint=dedicated=gpu:NoSchedule)`
 */
function taintIn(clause: string): string | undefined {
  const rest = clause.slice(clause.indexOf(NOT_TOLERATED) + NOT_TOLERATED.length);
  const named = rest.indexOf('taint=');
  const start = rest.startsWith('taint (') && named >= 0 ? named + 'taint='.length : 0;
  const end = rest.slice(start).search(start === 0 ? /[,;]/ : /[,;)]/);
  const taint = (end < 0 ? rest.slice(start) : rest.slice(start, start + end)).trim();
  return taint === '' ? undefined : taint;
}
