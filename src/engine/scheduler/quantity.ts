import { trimCharacters } from '../language/text-scanning.js';
import { maxQuantityLength, quantityPattern } from '../objects/wire.js';

/** How a quantity was written, and so how it is written back (apimachinery `resource.Format`). */
type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

/** An exact amount. `nano` counts billionths: apimachinery keeps nothing smaller. */
export type Quantity = { readonly nano: bigint; readonly format: QuantityFormat };

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

const DECIMAL_SUFFIXES = ['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'] as const;
const BINARY_SUFFIXES = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'] as const;

/**
 * The canonical text: no fraction, the largest suffix that keeps the amount exact, binary suffixes only where
 * they were used and the amount is whole and at least 1024 (apimachinery `Quantity.String`).
 */
export function canonicalQuantity({ nano, format }: Quantity): string {
  if (nano === 0n) return '0';
  const magnitude = nano < 0n ? -nano : nano;
  const sign = nano < 0n ? '-' : '';
  if (format === 'BinarySI' && magnitude >= 1024n * NANO && magnitude % NANO === 0n) {
    const { mantissa, steps } = factor(magnitude / NANO, 1024n, BINARY_SUFFIXES.length - 1);
    return `${sign}${mantissa}${BINARY_SUFFIXES[steps]}`;
  }
  if (format === 'DecimalExponent') {
    const { mantissa, steps } = factor(magnitude, 1000n, Number.MAX_SAFE_INTEGER);
    return `${sign}${mantissa}${steps === 3 ? '' : `e${(steps - 3) * 3}`}`;
  }
  const { mantissa, steps } = factor(magnitude, 1000n, DECIMAL_SUFFIXES.length - 1);
  return `${sign}${mantissa}${DECIMAL_SUFFIXES[steps]}`;
}

function factor(amount: bigint, base: bigint, maxSteps: number): { mantissa: bigint; steps: number } {
  let mantissa = amount;
  let steps = 0;
  while (steps < maxSteps && mantissa % base === 0n) {
    mantissa /= base;
    steps += 1;
  }
  return { mantissa, steps };
}

const HUMAN_BINARY: readonly (readonly [string, bigint])[] = BINARY_SUFFIXES.map(
  (suffix, step): readonly [string, bigint] => [suffix, NANO * 1024n ** BigInt(step)],
).reverse();
const HUMAN_DECIMAL: readonly (readonly [string, bigint])[] = [
  ...(['E', 'P', 'T', 'G', 'M', 'k'] as const).map((suffix, index): readonly [string, bigint] => [
    suffix,
    NANO * 1000n ** BigInt(6 - index),
  ]),
  ['', NANO],
  ['m', 1_000_000n],
  ['u', 1000n],
  ['n', 1n],
];
const CPU: readonly (readonly [string, bigint])[] = [
  ['', NANO],
  ['m', 1_000_000n],
  ['u', 1000n],
  ['n', 1n],
];

/**
 * The amount as a person reads it: `1.5Gi` rather than `1536Mi`, `1.5` cpu rather than `1500m`. At most two
 * decimals; an amount that needs more is cut, never rounded up, and marked `~`. `resource` chooses the units:
 * plain for cpu, binary for memory, storage and huge pages, otherwise those the quantity was written in.
 */
export function formatQuantity(quantity: Quantity, resource = ''): string {
  const magnitude = quantity.nano < 0n ? -quantity.nano : quantity.nano;
  const [suffix, unit] = unitsFor(quantity, resource).find(([, size]) => magnitude >= size) ?? ['', NANO];
  const hundredths = (magnitude * 100n) / unit;
  const fraction = trimCharacters(String(hundredths % 100n).padStart(2, '0'), '', '0');
  const text = `${hundredths / 100n}${fraction === '' ? '' : `.${fraction}`}${suffix}`;
  return `${hundredths * unit === magnitude * 100n ? '' : '~'}${quantity.nano < 0n ? '-' : ''}${text}`;
}

function unitsFor(quantity: Quantity, resource: string): readonly (readonly [string, bigint])[] {
  if (resource === 'cpu') return CPU;
  if (countsBytes(resource)) return HUMAN_BINARY;
  return quantity.format === 'BinarySI' ? HUMAN_BINARY : HUMAN_DECIMAL;
}

function countsBytes(resource: string): boolean {
  return (
    resource === 'memory' ||
    resource === 'ephemeral-storage' ||
    resource === 'storage' ||
    resource.startsWith('hugepages-')
  );
}
