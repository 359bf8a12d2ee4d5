import { hamiWords } from './hami.js';
import type { Recognised } from './known-reason.js';
import { match, pattern } from './pattern.js';
import { insufficient, resourceReason } from './resource-reason.js';
import { trimmed } from './scanning.js';

/** What a longer form of words says around one reason. The last hole is the reason. */
const wrappings = [
  'running "*" filter plugin for pod "*": *',
  'running "*" filter plugin: *',
  'running PreFilter plugin "*": *',
  'error while running "*" filter plugin for pod "*": *',
  'error while running "*" prefilter plugin for pod "*": *',
  'pod "*" rejected while waiting on permit: *',
  'waiting on permit for pod: *',
  'Resources were not found for pod * due to: *',
  'PodSchedulingErrors: *',
  'Error scheduling *: *; retrying',
  'error selecting node for pod: *',
  'plugin * predicates failed *',
  'plugin * pre-predicates failed *',
  'SchedulerPredicates failed due to *, which is unexpected',
  'Pod was rejected: *',
  'Cannot schedule pods: *',
  'Pod Cannot be scheduled: *',
  // FitError, until 1.1.
  'Failed for reason * and possibly others',
].map(pattern);

/**
 * What other schedulers and the kubelet say around the name of a resource that is short. The first hole is
 * the name.
 */
const shortages = [
  'Insufficient * by node',
  'Insufficient * by reservation',
  'Insufficient * devices',
  'Insufficient * VirtualFunctions',
  "node(s) didn't have enough resources: *",
  "Node didn't have enough resources: *, requested: *",
  "Node didn't have enough resources: *, taking all considerations into account",
  "Node didn't have enough resource: *, requested: *",
  "node(s) didn't have enough of mig profile: *",
  "node-group(s) didn't have enough resources: *",
  'Allocate failed due to requested number of devices unavailable for *. Requested: *',
].map(pattern);

/** Names that KAI-Scheduler and schedulers before 1.5 give to resources. */
const otherNames: Readonly<Record<string, string>> = {
  'CPU cores': 'cpu',
  CPU: 'cpu',
  Memory: 'memory',
  PodCount: 'pods',
};

/** Reasons made of a known form and a name or another reason. */
export function composedReason(
  text: string,
  recogniseInner: (text: string) => Recognised,
): Recognised | undefined {
  const device = hamiWords(text);
  if (device !== undefined) return { reason: 'plugin', detail: 'HAMi', ...device };
  return shortage(text) ?? wrapped(text, recogniseInner);
}

function shortage(text: string): Recognised | undefined {
  const other = text.startsWith(insufficient) ? text.slice(insufficient.length) : '';
  if (Object.hasOwn(otherNames, other)) return shortOf(otherNames[other] ?? other);
  for (const form of shortages) {
    const name = match(form, text)?.[0]?.trim();
    if (name === undefined || name === '' || name.length > 300) continue;
    const ours = Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name;
    const isName =
      resourceReason(ours, false) ?? (/^(?:GPUs|GPU memory)$/.test(name) ? 'extended-resource' : undefined);
    if (isName !== undefined) return shortOf(ours, isName);
  }
  return undefined;
}

function shortOf(name: string, reason = resourceReason(name, false) ?? 'extended-resource'): Recognised {
  return { reason, detail: name, says: reason === 'pods' ? 'pod-slots' : 'resource', help: 'could-free' };
}

function wrapped(text: string, recogniseInner: (text: string) => Recognised): Recognised | undefined {
  if (text.startsWith(insufficient)) return undefined;
  for (const form of wrappings) {
    const inner = match(form, text)?.at(-1);
    if (inner === undefined) continue;
    const found = recogniseInner(trimmed(inner));
    if (found.says !== 'unknown') return found;
  }
  return undefined;
}
