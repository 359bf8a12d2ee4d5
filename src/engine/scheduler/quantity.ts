import { maxQuantityLength, quantityPattern } from '../objects/wire.js';

/** How a quantity was written, and so how it is written back (apimachinery `resource.Format`). */
type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** An exact amount. `nano` counts billionths: apimachinery keeps nothing smaller. */
export interface Quantity {
  readonly nano: bigint;
  readonly format: QuantityFormat;
}

export const NANO = 1_000_000_000n;
export const NANO_PER_MILLI = 1_000_000n;

const DECIMAL_EXPONENTS: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  '': 0,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const BINARY_EXPONENTS: Readonly<Record<string, bigint>> = {
  Ki: 10n,
  Mi: 20n,
  Gi: 30n,
  Ti: 40n,
  Pi: 50n,
  Ei: 60n,
};

/** apimachinery caps binary amounts at the largest int64. */
const MAX_BINARY = (2n ** 63n - 1n) * NANO;

const cache = new Map<string, Quantity | undefined>();
const CACHE_LIMIT = 8192;

/**
 * Reads every notation of apimachinery's `resource.Quantity`: sign, decimals (`.5`, `5.`), the suffixes n u m
 * k M G T P E and Ki to Ei, and exponents (`1e3`, `1E-3`). Amounts below a billionth are rounded away from
 * zero, binary ones capped at 2^63-1, as `ParseQuantity` does. `undefined` for anything else, for text over
 * 128 characters and, stricter than apimachinery, for text without a digit (it reads `-` or `Mi` as zero) or
 * an exponent over 999.
 */
export function parseQuantity(text: string): Quantity | undefined {
  const known = cache.get(text);
  if (known !== undefined || cache.has(text)) return known;
  const quantity = parse(text);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(text, quantity);
  return quantity;
}

function parse(text: string): Quantity | undefined {
  if (text.length > maxQuantityLength) return undefined;
  const match = quantityPattern.exec(text);
  if (match === null) return undefined;
  const [, sign, whole = '', fraction = '', suffix = '', exponent] = match;
  if (whole === '' && fraction === '') return undefined;
  const digits = BigInt(`0${whole}${fraction}`);
  const binary = BINARY_EXPONENTS[suffix];
  const power = binary === undefined ? Number(exponent ?? DECIMAL_EXPONENTS[suffix]) : 0;
  const scaled = shift(binary === undefined ? digits : digits << binary, power + 9 - fraction.length);
  const nano = binary !== undefined && scaled > MAX_BINARY ? MAX_BINARY : scaled;
  return { nano: sign === '-' ? -nano : nano, format: formatOf(nano, binary !== undefined, exponent) };
}

/** A binary amount between zero and one is kept as a decimal one, as apimachinery keeps it. */
function formatOf(nano: bigint, binary: boolean, exponent: string | undefined): QuantityFormat {
  if (exponent !== undefined) return 'DecimalExponent';
  return binary && (nano === 0n || nano >= NANO) ? 'BinarySI' : 'DecimalSI';
}

/** `digits` × 10^`power`, rounded up. */
function shift(digits: bigint, power: number): bigint {
  return power >= 0 ? digits * 10n ** BigInt(power) : divideAwayFromZero(digits, 10n ** BigInt(-power));
}

function divideAwayFromZero(amount: bigint, divisor: bigint): bigint {
  const whole = amount / divisor;
  if (whole * divisor === amount) return whole;
  return amount > 0n ? whole + 1n : whole - 1n;
}

/** Thousandths, rounded away from zero (`Quantity.MilliValue`): how the scheduler counts cpu. */
export function milliValue(quantity: Quantity): bigint {
  return divideAwayFromZero(quantity.nano, NANO_PER_MILLI);
}

/** Whole units, rounded away from zero (`Quantity.Value`): how the scheduler counts everything but cpu. */
export function value(quantity: Quantity): bigint {
  return divideAwayFromZero(quantity.nano, NANO);
}

/** Negative when `a` is the smaller, positive when it is the larger, 0 when both are the same amount. */
export function compareQuantities(a: Quantity, b: Quantity): number {
  return a.nano < b.nano ? -1 : a.nano > b.nano ? 1 : 0;
}

/** The sum, written as the first one is; a zero takes the other's notation (`Quantity.Add`). */
export function addQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano + b.nano, format: a.nano === 0n ? b.format : a.format };
}

/** The difference, written as the first one is; a zero takes the other's notation (`Quantity.Sub`). */
export function subtractQuantities(a: Quantity, b: Quantity): Quantity {
  return { nano: a.nano - b.nano, format: a.nano === 0n ? b.format : a.format };
}
