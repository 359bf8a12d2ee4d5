import { trimCharacters } from '../language/text-scanning.js';
import { NANO, type Quantity } from './quantity.js';

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
