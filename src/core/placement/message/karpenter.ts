import { oneLine } from './recognise.js';
import { trimmed } from './scanning.js';
import type { MessageReason, MessageReasonId } from './scheduler-message.js';

const NOT_TOLERATED = 'did not tolerate ';

/** Words in a clause of Karpenter's `Failed to schedule pod, …` (`scheduling/nodeclaim.go`, `topology.go`). */
const words: readonly (readonly [words: string, reason: MessageReasonId])[] = [
  [NOT_TOLERATED, 'taint'],
  ['unsatisfiable topology constraint for topology spread', 'topology-spread'],
  ['unsatisfiable topology constraint for pod', 'pod-affinity'],
  ['incompatible requirements', 'node-affinity'],
  ['incompatible volume requirements', 'volume-affinity'],
  ['host port', 'host-port'],
];

/** One reason for each NodePool that was tried; `detail` is the taint, else the NodePool's name where it is said. */
export function parseKarpenter(body: string): readonly MessageReason[] {
  return body
    .split('; ')
    .map(trimmed)
    .filter((clause) => clause !== '')
    .map((text) => {
      const said = oneLine(text);
      const found = words.find(([each]) => said.includes(each));
      const detail = found?.[1] === 'taint' ? taintIn(said) : nodePoolOf(said);
      return { reason: found?.[1] ?? 'unknown', text, ...(detail === undefined ? {} : { detail }) };
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

function taintIn(clause: string): string | undefined {
  const rest = clause.slice(clause.indexOf(NOT_TOLERATED) + NOT_TOLERATED.length);
  const end = rest.search(/[,;]/);
  const taint = (end < 0 ? rest : rest.slice(0, end)).trim();
  return taint === '' ? undefined : taint;
}
