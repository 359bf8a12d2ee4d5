import type { DeviceCapacity, DeviceConstraint, DeviceTaint, DeviceToleration } from '../objects/device.js';
import type { JsonObject } from '../objects/wire.js';
import type { Amounts } from './amounts.js';
import type { CounterConsumer, DevicePool, PooledDevice } from './device-pool.js';
import { compareQuantities, NANO, parseQuantity, value } from './quantity.js';
import type { NotSimulatedWhy } from './reason.js';

/** What a selector is asked about. Names without a domain belong to the driver's. */
interface SelectableDevice {
  readonly driver: string;
  readonly attributes: JsonObject;
  readonly capacity: Readonly<Record<string, { readonly value: string }>>;
}

/** `undefined`: the expression is more than this reads, or the device lacks what it compares. */
type Answer = boolean | undefined;

/** Parentheses and negations in each other. */
const maxDepth = 8;

const DRIVER = /^device\.driver\s*(==|!=)\s*(?:"([^"\\]*)"|'([^'\\]*)')$/;
const ATTRIBUTE =
  /^device\.attributes\[(?:"([^"\\]+)"|'([^'\\]+)')\]\.([A-Za-z_]\w*)(?:\s*(==|!=|<=|>=|<|>)\s*(?:"([^"\\]*)"|'([^'\\]*)'|(-?\d+)|(true|false)))?$/;
const CAPACITY =
  /^device\.capacity\[(?:"([^"\\]+)"|'([^'\\]+)')\]\.([A-Za-z_]\w*)\.compareTo\(quantity\((?:"([^"\\]*)"|'([^'\\]*)')\)\)\s*(==|!=|<=|>=|<|>)\s*(-?\d+)$/;

/**
 * Answers the part of CEL that device classes are mostly made of: comparisons of the driver, of attributes
 * and of capacities with literals, joined by `&&`, `||`, `!` and parentheses. Everything else stays
 * unanswered, but one part decides where it does so in CEL.
 */
export function matchesDeviceSelector(expression: string, device: SelectableDevice): Answer {
  return answerOf(expression.trim(), device, 0);
}

function answerOf(text: string, device: SelectableDevice, depth: number): Answer {
  if (depth > maxDepth) return undefined;
  for (const [operator, deciding] of [
    ['||', true],
    ['&&', false],
  ] as const) {
    const parts = partsOf(text, operator);
    if (parts.length === 1) continue;
    const answers = parts.map((part) => answerOf(part.trim(), device, depth + 1));
    if (answers.includes(deciding)) return deciding;
    return answers.includes(undefined) ? undefined : !deciding;
  }
  if (text.startsWith('!')) {
    const answer = answerOf(text.slice(1).trim(), device, depth + 1);
    return answer === undefined ? undefined : !answer;
  }
  if (text.startsWith('(') && text.endsWith(')'))
    return answerOf(text.slice(1, -1).trim(), device, depth + 1);
  return comparison(text, device);
}

/** The parts between an operator that is in no text and in no parentheses. */
function partsOf(text: string, operator: string): readonly string[] {
  const parts: string[] = [];
  let open = 0;
  let quote: string | undefined;
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== undefined) {
      if (char === quote) quote = undefined;
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '(') open += 1;
    else if (char === ')') open -= 1;
    else if (open === 0 && text.startsWith(operator, at)) {
      parts.push(text.slice(from, at));
      from = at + operator.length;
      at = from - 1;
    }
  }
  return [...parts, text.slice(from)];
}

function comparison(text: string, device: SelectableDevice): Answer {
  const driver = DRIVER.exec(text);
  if (driver !== null) return compare(device.driver === (driver[2] ?? driver[3]) ? 0 : 1, driver[1]);
  const capacity = CAPACITY.exec(text);
  if (capacity !== null) {
    const [, double, single, name = '', doubleText, singleText, operator, integer] = capacity;
    const found = fieldOf(device, device.capacity, double ?? single ?? '', name);
    const amount = found === undefined ? undefined : parseQuantity(found.value);
    const asked = parseQuantity(doubleText ?? singleText ?? '');
    if (amount === undefined || asked === undefined) return undefined;
    return compare(compareQuantities(amount, asked) - Number(integer), operator);
  }
  const attribute = ATTRIBUTE.exec(text);
  if (attribute === null) return undefined;
  const [, double, single, name = '', operator, doubleText, singleText, integer, boolean] = attribute;
  const found = fieldOf(device, device.attributes, double ?? single ?? '', name) as JsonObject | undefined;
  if (operator === undefined) return typeof found?.bool === 'boolean' ? found.bool : undefined;
  const literal = doubleText ?? singleText;
  if (integer !== undefined) {
    return typeof found?.int === 'number' ? compare(found.int - Number(integer), operator) : undefined;
  }
  if (operator !== '==' && operator !== '!=') return undefined;
  const [value, wanted] =
    literal === undefined ? [found?.bool, boolean === 'true'] : [found?.string, literal];
  return typeof value === typeof wanted ? compare(value === wanted ? 0 : 1, operator) : undefined;
}

function compare(difference: number, operator: string | undefined): boolean {
  switch (operator) {
    case '!=':
      return difference !== 0;
    case '<':
      return difference < 0;
    case '<=':
      return difference <= 0;
    case '>':
      return difference > 0;
    case '>=':
      return difference >= 0;
    default:
      return difference === 0;
  }
}

function fieldOf<Field>(
  { driver }: SelectableDevice,
  fields: Readonly<Record<string, Field>>,
  domain: string,
  name: string,
): Field | undefined {
  return fields[`${domain}/${name}`] ?? (domain === driver ? fields[name] : undefined);
}

/** What one claim still needs. */
export interface NeededClaim {
  /** Name of the claim; '' for devices behind extended resources. */
  readonly claim: string;
  readonly requests: readonly NeededDevices[];
  readonly constraints: readonly DeviceConstraint[];
}

interface NeededDevices {
  readonly name: string;
  /** The first that can be had is taken. Most requests have one. */
  readonly alternatives: readonly DeviceAlternative[];
}

export interface DeviceAlternative {
  /** '' for the only alternative of a request. */
  readonly name: string;
  readonly mode: string;
  readonly count: number;
  readonly adminAccess: boolean;
  readonly tolerations: readonly DeviceToleration[];
  readonly selectors: readonly (string | undefined)[];
  /** Quantities by the name of the capacity. */
  readonly capacity: Readonly<Record<string, string>>;
}

/** An alternative of a request with the devices that it may have by selectors and by their full capacity. */
export interface DeviceChoice {
  readonly claim: string;
  readonly request: string;
  readonly alternative: DeviceAlternative;
  readonly selected: readonly PooledDevice[];
}

/** What is taken, by the id of a device. */
export interface TakenDevices {
  /** By one claim alone. */
  readonly has: (id: string) => boolean;
  /** What claims consume of a device that they share; `undefined` where none has it. */
  readonly consumedOf: (id: string) => Amounts | undefined;
}

interface AllocatedDevice {
  readonly device: PooledDevice;
  /** False under administrative access, which takes nothing. */
  readonly isTaken: boolean;
  /** Of a device that claims share. */
  readonly consumed: Amounts | undefined;
}

/** All claims of a pod with the devices that one node offers for them. */
export interface DeviceOffer {
  readonly needs: readonly NeededClaim[];
  readonly pools: readonly DevicePool[];
  readonly choices: ReadonlyMap<DeviceAlternative, DeviceChoice>;
  /** Why it is not known what the node offers, and the claim or the request that it is about. */
  readonly unclear: { readonly why: NotSimulatedWhy; readonly subject: string } | undefined;
}

/** A claim has 32 devices at most (`resource/v1: AllocationResultsMaxSize`). */
const MAX_DEVICES = 32;

/** Requests and devices of one pod: what finds a device for each grows with their third power. */
const [maxRequests, maxDevices] = [128, 512] as const;

/** Attempts to take a device for one pod on one node. The scheduler gives up after 10 s. */
const maxAttempts = 20_000;

/** What the node offers. An answer that the scheduler itself would abort on is not known here. */
export function offerOf(needs: readonly NeededClaim[], pools: readonly DevicePool[]): DeviceOffer {
  const choices = new Map<DeviceAlternative, DeviceChoice>();
  let unclear: DeviceOffer['unclear'];
  const requested = needs.reduce((sum, { requests }) => sum + requests.length, 0);
  if (requested > maxRequests) {
    return { needs, pools, choices, unclear: { why: 'device-features', subject: needs[0]?.claim ?? '' } };
  }
  const isWhole = pools.every(({ state }) => state === 'complete');
  let all = 0;
  for (const { claim, requests } of needs) {
    let fewest = 0;
    for (const { name: request, alternatives } of requests) {
      const counts = alternatives.map((alternative) => {
        const { selected, why } = select(alternative, pools);
        choices.set(alternative, { claim, request, alternative, selected });
        const isAll = alternative.mode === 'All';
        const cause = why ?? (isAll && !isWhole ? 'device-features' : undefined);
        if (cause !== undefined) unclear ??= { why: cause, subject: claim || request };
        return isAll ? selected.length : alternative.count;
      });
      fewest += Math.min(...counts);
    }
    all += fewest;
    if (fewest > MAX_DEVICES || all > maxDevices) unclear ??= { why: 'device-features', subject: claim };
  }
  return { needs, pools, choices, unclear };
}

function select(
  alternative: DeviceAlternative,
  pools: readonly DevicePool[],
): { readonly selected: readonly PooledDevice[]; readonly why: NotSimulatedWhy | undefined } {
  const selected: PooledDevice[] = [];
  for (const device of pools.flatMap(({ devices }) => devices)) {
    const answers = alternative.selectors.map((selector) =>
      selector === undefined ? undefined : matches(selector, device),
    );
    if (answers.includes(false)) continue;
    if (answers.includes(undefined)) return { selected: [], why: 'device-selector' };
    if (device.isUnknown) return { selected: [], why: 'device-features' };
    if (capacityLeft(device, alternative, nothing)) selected.push(device);
  }
  return { selected, why: undefined };
}

/** A simulation asks the same of the same devices at every step. */
const matchesOf = new WeakMap<PooledDevice, Map<string, boolean | undefined>>();

function matches(selector: string, device: PooledDevice): boolean | undefined {
  const known = matchesOf.get(device) ?? new Map<string, boolean | undefined>();
  matchesOf.set(device, known);
  if (!known.has(selector)) known.set(selector, matchesDeviceSelector(selector, device));
  return known.get(selector);
}

const nothing: Amounts = new Map();

/**
 * Devices for all claims together as the scheduler chooses them, `undefined` when they cannot be had, or
 * `unclear` where the search is too long (`structured/internal allocator: Allocate`). It tries devices in
 * order, the first solution counts. Whether each request could have devices of its own, everything else
 * aside, is found without a search, and refuses most pods.
 */
export function allocateDevices(
  offer: DeviceOffer,
  taken: TakenDevices,
): readonly AllocatedDevice[] | 'unclear' | undefined {
  const alone = assignAlone(offer, taken);
  if (alone === undefined) return undefined;
  const found = search(offer, taken);
  return found === 'unclear' && alone !== 'unclear' ? alone : found;
}

/**
 * Exclusive devices without counters for requests without alternatives and constraints: exact. In any other
 * case `undefined` still refuses, and everything else is unclear.
 */
function assignAlone(
  { needs, choices }: DeviceOffer,
  taken: TakenDevices,
): readonly AllocatedDevice[] | 'unclear' | undefined {
  const slots: (readonly PooledDevice[])[] = [];
  let isExact = true;
  for (const { requests, constraints } of needs) {
    if (constraints.length > 0) isExact = false;
    for (const { alternatives } of requests) {
      const [only, ...others] = alternatives.map((each) => choices.get(each));
      if (only === undefined || others.length > 0 || only.selected.some(({ isShared }) => isShared)) {
        isExact = false;
        continue;
      }
      const { alternative, selected } = only;
      const usable = selected.filter(
        (device) =>
          intolerableTaints(alternative, device).length === 0 &&
          (alternative.adminAccess || !taken.has(device.id)),
      );
      const wanted = wantedOf(only);
      if (usable.length < wanted || (alternative.mode === 'All' && wanted === 0)) return undefined;
      if (alternative.adminAccess || usable.some(({ consumes }) => consumes.size > 0)) isExact = false;
      if (alternative.adminAccess) continue;
      for (let slot = 0; slot < wanted; slot += 1) slots.push(usable);
    }
  }
  const assigned = assignAll(slots);
  if (assigned === undefined) return undefined;
  if (!isExact) return 'unclear';
  return [...assigned.keys()].map((device) => ({ device, isTaken: true, consumed: undefined }));
}

function wantedOf({ alternative, selected }: DeviceChoice): number {
  return alternative.mode === 'All' ? selected.length : alternative.count;
}

/** Undoes what was taken for one device. */
type Undo = () => void;

function search(
  { needs, choices }: DeviceOffer,
  before: TakenDevices,
): readonly AllocatedDevice[] | 'unclear' | undefined {
  const results: AllocatedDevice[] = [];
  const perClaim = needs.map(() => 0);
  /** Claims that take a device, by its id. */
  const taking = new Map<string, number[]>();
  const consuming = new Map<string, Amounts[]>();
  const counting = new Map<DevicePool, Map<string, bigint>>();
  const limits = needs.map(({ constraints }) => constraints.map(limitFrom));
  const available = new Map<DevicePool, Amounts>();
  let attempts = 0;

  function allocateClaim(claim: number): boolean {
    return claim === needs.length || allocateRequest(claim, 0);
  }

  function allocateRequest(claim: number, request: number): boolean {
    const needed = needs[claim]?.requests[request];
    if (needed === undefined) return allocateClaim(claim + 1);
    return needed.alternatives.some((alternative) => {
      const choice = choices.get(alternative);
      if (choice === undefined) return false;
      if (alternative.mode === 'All' && choice.selected.length === 0) return false;
      return allocateDevice({ claim, request, choice }, 0, 0);
    });
  }

  function allocateDevice(at: Position, index: number, start: number): boolean {
    const { claim, request, choice } = at;
    const wanted = wantedOf(choice);
    if (index >= wanted) return allocateRequest(claim, request + 1);
    if (wanted - index > MAX_DEVICES - (perClaim[claim] ?? 0)) return false;
    const isAll = choice.alternative.mode === 'All';
    const end = isAll ? start + 1 : choice.selected.length - (wanted - index) + 1;
    for (let place = start; place < end; place += 1) {
      const device = choice.selected[place];
      if (device === undefined || attempts >= maxAttempts) return false;
      attempts += 1;
      const undo = take(at, device);
      if (undo === undefined) continue;
      if (allocateDevice(at, index + 1, place + 1)) return true;
      undo();
    }
    return false;
  }

  function take({ claim, choice }: Position, device: PooledDevice): Undo | undefined {
    const { alternative, request } = choice;
    const { id, pool, consumes, isShared } = device;
    const users = taking.get(id) ?? [];
    const isInUse = alternative.adminAccess ? users.includes(claim) : before.has(id) || users.length > 0;
    if (isInUse || intolerableTaints(alternative, device).length > 0) return undefined;
    const shares = consuming.get(id) ?? [];
    const earlier = before.consumedOf(id);
    if (isShared && !capacityLeft(device, alternative, sumOf([earlier ?? nothing, ...shares]))) {
      return undefined;
    }
    // The counters of a shared device are consumed once, by the first claim that has it.
    const isCounted = consumes.size > 0 && !(isShared && (earlier !== undefined || shares.length > 0));
    const undone: Undo[] = [];
    const giveUp = (): undefined => {
      for (const undo of undone.reverse()) undo();
    };
    if (isCounted) {
      const counted = counting.get(pool) ?? new Map<string, bigint>();
      counting.set(pool, counted);
      const count = (sign: bigint): void => {
        for (const [key, amount] of consumes) counted.set(key, (counted.get(key) ?? 0n) + sign * amount);
      };
      count(1n);
      undone.push(() => count(-1n));
      const left = available.get(pool) ?? countersLeft(pool, before);
      available.set(pool, left);
      // A pool with more consumed than it has gives nothing that counts at all.
      if ([...left].some(([key, amount]) => amount < (counted.get(key) ?? 0n))) return giveUp();
    }
    for (const limit of limits[claim] ?? []) {
      const undo = limit(request, alternative.name, device);
      if (undo === undefined) {
        // The scheduler aborts on a constraint that keeps "all" devices from a claim.
        if (alternative.mode === 'All') attempts = maxAttempts;
        return giveUp();
      }
      undone.push(undo);
    }
    const consumed = isShared ? consumedBy(device, alternative) : undefined;
    if (consumed === undefined) taking.set(id, [...users, claim]);
    else consuming.set(id, [...shares, consumed]);
    results.push({ device, isTaken: !alternative.adminAccess, consumed });
    perClaim[claim] = (perClaim[claim] ?? 0) + 1;
    undone.push(() => {
      if (consumed === undefined) taking.set(id, users);
      else consuming.set(id, shares);
      results.pop();
      perClaim[claim] = (perClaim[claim] ?? 0) - 1;
    });
    return giveUp;
  }

  if (allocateClaim(0)) return results;
  return attempts >= maxAttempts ? 'unclear' : undefined;
}

type Position = { readonly claim: number; readonly request: number; readonly choice: DeviceChoice };

function countersLeft({ counters, consumers }: DevicePool, { has, consumedOf }: TakenDevices): Amounts {
  const left = new Map(counters);
  for (const { id, consumes } of consumers) {
    if (!has(id) && consumedOf(id) === undefined) continue;
    for (const [key, amount] of consumes) left.set(key, (left.get(key) ?? 0n) - amount);
  }
  return left;
}

/** Takes a device into account, or refuses it. */
type Limit = (request: string, alternative: string, device: PooledDevice) => Undo | undefined;

/** `matchAttributeConstraint` and `distinctAttributeConstraint`. */
function limitFrom({ requests, matchAttribute, distinctAttribute }: DeviceConstraint): Limit {
  const name = matchAttribute ?? distinctAttribute ?? '';
  const values: string[] = [];
  return (request, alternative, device) => {
    const isMeant =
      requests.length === 0 ||
      requests.includes(request) ||
      (alternative !== '' && requests.includes(`${request}/${alternative}`));
    if (!isMeant) return () => undefined;
    const found = attributeText(device, name);
    if (found === undefined) return undefined;
    const isRefused =
      matchAttribute === undefined ? values.includes(found) : values.length > 0 && values[0] !== found;
    if (isRefused) return undefined;
    values.push(found);
    return () => void values.pop();
  };
}

function attributeText({ attributes, driver }: PooledDevice, name: string): string | undefined {
  const slash = name.indexOf('/');
  const own = name.slice(0, slash) === driver ? attributes[name.slice(slash + 1)] : undefined;
  const found = (attributes[name] ?? own) as JsonObject | undefined;
  const entry = Object.entries(found ?? {}).find(([kind]) => simpleValues.includes(kind));
  return entry === undefined ? undefined : JSON.stringify(entry);
}

const simpleValues: readonly string[] = ['string', 'int', 'bool', 'version'];

export function sumOf(amounts: readonly Amounts[]): Amounts {
  const sum = new Map<string, bigint>();
  for (const each of amounts) {
    for (const [name, amount] of each) sum.set(name, (sum.get(name) ?? 0n) + amount);
  }
  return sum;
}

/** `consumable_capacity.go: CmpRequestOverCapacity`. */
function capacityLeft(device: PooledDevice, alternative: DeviceAlternative, consumed: Amounts): boolean {
  const { capacity } = device;
  if (Object.keys(alternative.capacity).some((name) => capacity[name] === undefined)) return false;
  const wanted = consumedBy(device, alternative);
  return Object.entries(capacity).every(([name, { value: whole, requestPolicy }]) => {
    const amount = wanted.get(name) ?? 0n;
    return isAllowed(amount, requestPolicy) && amount + (consumed.get(name) ?? 0n) <= nanoOf(whole);
  });
}

function consumedBy({ capacity }: PooledDevice, alternative: DeviceAlternative): Amounts {
  return new Map(
    Object.entries(capacity).map(([name, each]) => [name, consumedAmount(alternative.capacity[name], each)]),
  );
}

/** `calculateConsumedCapacity`: what is asked for, rounded up to what the device gives. */
function consumedAmount(asked: string | undefined, { value: whole, requestPolicy }: DeviceCapacity): bigint {
  if (asked === undefined) return nanoOf(requestPolicy?.default ?? whole);
  const amount = nanoOf(asked);
  const { validRange, validValues = [] } = requestPolicy ?? {};
  if (validRange?.min !== undefined) {
    const least = nanoOf(validRange.min);
    if (amount < least) return least;
    if (validRange.step === undefined) return amount;
    // In whole units, each rounded up.
    const [from, step, to] = [wholeOf(validRange.min), wholeOf(validRange.step), wholeOf(asked)];
    return step <= 0n ? amount : (from + ((to - from + step - 1n) / step) * step) * NANO;
  }
  return validValues.map(nanoOf).find((valid) => amount <= valid) ?? amount;
}

/** `violatesPolicy`, the other way round. */
function isAllowed(amount: bigint, policy: DeviceCapacity['requestPolicy']): boolean {
  if (policy === undefined || (policy.default !== undefined && amount === nanoOf(policy.default)))
    return true;
  const { validRange, validValues } = policy;
  if (validRange !== undefined) {
    if (validRange.max !== undefined && amount > nanoOf(validRange.max)) return false;
    const step = validRange.step === undefined ? 0n : wholeOf(validRange.step);
    const from = validRange.min === undefined ? 0n : wholeOf(validRange.min);
    return step <= 0n || ((amount + NANO - 1n) / NANO - from) % step === 0n;
  }
  return validValues.length === 0 || validValues.some((valid) => nanoOf(valid) === amount);
}

const nanoOf = (text: string): bigint => parseQuantity(text)?.nano ?? 0n;
const wholeOf = (text: string): bigint => value(parseQuantity(text) ?? { nano: 0n, format: 'DecimalSI' });

/** Devices of which a claim could have the device itself, or the counters that they consume. */
export function competingDevices({ pool, consumes, id }: PooledDevice): readonly CounterConsumer[] {
  const others = pool.consumers.filter(
    (other) => other.id !== id && [...other.consumes.keys()].some((key) => consumes.has(key)),
  );
  return [{ id, consumes }, ...others];
}

/** Taints that keep the request off the device (`allocator_stable.go: taintPreventsAllocation`). */
export function intolerableTaints(
  { tolerations }: DeviceAlternative,
  { taints }: PooledDevice,
): PooledDevice['taints'] {
  return taints.filter(
    (taint) =>
      (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') &&
      !tolerations.some((toleration) => tolerates(toleration, taint)),
  );
}

/** `resourceclaim/devicetoleration.go: ToleratesTaint`. */
function tolerates({ key, operator, value, effect }: DeviceToleration, taint: DeviceTaint): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  return operator === 'Exists' || (operator === 'Equal' && value === taint.value);
}

/**
 * The items by slot when every slot can have an item of its own; `acceptable` gives each slot's items. Exact
 * (augmenting paths), so that a greedy choice for one slot never makes another one seem impossible.
 */
export function assignAll<Item>(
  acceptable: readonly (readonly Item[])[],
): ReadonlyMap<Item, number> | undefined {
  const slotOf = new Map<Item, number>();
  const assign = (slot: number, tried: Set<Item>): boolean => {
    for (const item of acceptable[slot] ?? []) {
      if (tried.has(item)) continue;
      tried.add(item);
      const holder = slotOf.get(item);
      if (holder === undefined || assign(holder, tried)) {
        slotOf.set(item, slot);
        return true;
      }
    }
    return false;
  };
  return acceptable.every((_, slot) => assign(slot, new Set())) ? slotOf : undefined;
}
