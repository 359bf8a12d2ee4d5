import type { Helpfulness, Recognised } from './known-reason.js';
import type { ReasonKey } from './reason-clauses-en.js';
import { isDigit, match, pattern, trimmed } from './scanning.js';
import type { MessageReasonId } from './scheduler-message.js';

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

interface DeviceWords {
  readonly says: ReasonKey;
  readonly help: Helpfulness;
}

const full: DeviceWords = { says: 'device-full', help: 'could-free' };
const mismatch: DeviceWords = { says: 'device-mismatch', help: 'never' };
const unhealthy: DeviceWords = { says: 'device-unhealthy', help: 'never' };
const unfit: DeviceWords = { says: 'device-unfit', help: 'unknown' };
const unregistered: DeviceWords = { says: 'device-unregistered', help: 'never' };

/**
 * HAMi's words for a node or a card that it refuses (`pkg/device/common/common.go`,
 * `pkg/scheduler/scheduler.go`).
 */
const wordsOfHami: ReadonlyMap<string, DeviceWords> = new Map([
  ['CardTypeMismatch', mismatch],
  ['CardUuidMismatch', mismatch],
  ['CardTimeSlicingExhausted', full],
  ['CardComputeUnitsExhausted', full],
  ['CardInsufficientMemory', full],
  ['CardInsufficientCore', full],
  ['CardNotHealth', unhealthy],
  ['CardCordoned', unhealthy],
  ['NumaNotFit', mismatch],
  ['ExclusiveDeviceAllocateConflict', full],
  ['CardNotFoundCustomFilterRule', mismatch],
  ['CardMigTopologyInfeasible', mismatch],
  ['NodeInsufficientDevice', { says: 'device-full', help: 'never' }],
  ['AllocatedCardsInsufficientRequest', { says: 'device-full', help: 'unknown' }],
  ['NodeUnfitPod', unfit],
  ['ModeNotFit', mismatch],
  ['ResourceQuotaNotFit', { says: 'queue-closed', help: 'pod-level' }],
  ['calcScore:node not fit pod', unfit],
  ['node unregistered', unregistered],
  ['node unregisterd', unregistered],
  ['node usage unavailable', unregistered],
  ['no available node, all node scores do not meet', unfit],
]);

const REASON = ' reason="';

/** Cards' reasons in one node's list; more is no list of HAMi's. */
const MOST_WORDS = 30;

/**
 * `CardTypeMismatch`, `2/8 CardInsufficientMemory, 6/8 CardTypeMismatch`,
 * `nodes CardInsufficientMemory(gpu-a,gpu-b)`, `nodes failed: CardTypeMismatch (gpu-a)`.
 *
 * @returns undefined for what HAMi does not say; of several reasons, the first
 */
function hamiWords(text: string): DeviceWords | undefined {
  const whole = wordsOfHami.get(text) ?? logged(text);
  if (whole !== undefined) return whole;
  if (text.startsWith('no available node, ') && text.endsWith(' nodes do not meet')) return unfit;
  if (text.startsWith('nodes ') && text.endsWith(')'))
    return wordsOfHami.get(
      text
        .slice(6, text.indexOf('('))
        .replace(/^failed: /, '')
        .trimEnd(),
    );
  if (!isDigit(text[0]) || !text.includes('/')) return undefined;
  const parts = text.split(', ', MOST_WORDS).map((part) => wordsOfHami.get(withoutRatio(part)));
  return parts.every((part) => part !== undefined) ? parts[0] : undefined;
}

/**
 * A line of HAMi's log: `"calcScore:node not fit pod" pod="shop/web-1" node="gpu-a"`, whose
 * `reason="3/8 CardNotHealth"` decides where it has one.
 */
function logged(text: string): DeviceWords | undefined {
  const at = text.indexOf(' pod="');
  if (at < 0) return undefined;
  const message = text.slice(text.lastIndexOf('] ', at) < 0 ? 0 : text.lastIndexOf('] ', at) + 2, at);
  const words = wordsOfHami.get(message.startsWith('"') ? message.slice(1, -1) : message);
  if (words === undefined) return undefined;
  const from = text.indexOf(REASON, at);
  if (from < 0) return words;
  const reason = text.slice(from + REASON.length, text.indexOf('"', from + REASON.length));
  return hamiWords(reason) ?? words;
}

/** `2/8 CardTypeMismatch` without its share of the node's cards. */
function withoutRatio(text: string): string {
  const space = text.indexOf(' ');
  return /^\d{1,4}\/\d{1,4}$/.test(text.slice(0, Math.max(0, space))) ? text.slice(space + 1) : '';
}

/** What NodeResourcesFit says before a resource's name (`fit.go: fitsRequest`). */
export const insufficient = 'Insufficient ';

const own: Readonly<Record<string, MessageReasonId>> = {
  cpu: 'cpu',
  memory: 'memory',
  'ephemeral-storage': 'ephemeral-storage',
  pods: 'pods',
};

/** Letters that tell the beginning of a name of the scheduler's own from another name. */
const FEWEST_LETTERS = 2;

/** Devices' resources whose beginning cannot be a name of its own. */
const devices = ['nvidia.com/gpu', 'amd.com/gpu', 'hugepages-2Mi', 'hugepages-1Gi'];

/**
 * @param name what follows `Insufficient`; `cut` when the sentence may end within it
 * @returns undefined for what is no resource name (other schedulers say `Insufficient reservations left`)
 */
export function resourceReason(name: string, cut: boolean): MessageReasonId | undefined {
  if (Object.hasOwn(own, name)) return own[name];
  if (name.length > 400 || !/^[a-z0-9][A-Za-z0-9._/-]*$/.test(name)) return undefined;
  if (name.startsWith('attachable-volumes-')) return 'max-volumes';
  if (!cut) return 'extended-resource';
  const begun = ownBegunBy(name);
  if (begun !== undefined) return begun;
  return /[/.]/.test(name) || name.startsWith('hugepages-') ? 'extended-resource' : undefined;
}

/** Whether what follows `Insufficient` can only be the beginning of a name. */
export function beginsResource(name: string): boolean {
  if (name === '' || Object.hasOwn(own, name)) return name === '';
  if (ownBegunBy(name) !== undefined || /^[a-z0-9-]{1,63}\.[a-z0-9.-]{0,253}$/.test(name)) return true;
  return /^[a-z0-9.-]{1,253}\/$/.test(name) || devices.some((each) => each !== name && begins(each, name));
}

function ownBegunBy(name: string): MessageReasonId | undefined {
  if (name.length < FEWEST_LETTERS) return undefined;
  const found = Object.keys(own).find((each) => each.startsWith(name));
  return found === undefined ? undefined : own[found];
}

function begins(whole: string, name: string): boolean {
  return name.length > FEWEST_LETTERS && whole.startsWith(name);
}
