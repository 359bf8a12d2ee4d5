import type { Helpfulness } from './known-reason.js';
import type { ReasonKey } from './reason-clauses-en.js';
import { isDigit } from './scanning.js';

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
export function hamiWords(text: string): DeviceWords | undefined {
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
