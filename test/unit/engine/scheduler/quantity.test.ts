import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addQuantities,
  canonicalQuantity,
  compareQuantities,
  formatQuantity,
  milliValue,
  parseQuantity,
  type Quantity,
  subtractQuantities,
  value,
} from '#src/engine/scheduler/quantity.js';

function read(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`${text} is not a quantity`);
  return quantity;
}

// Text, thousandths, whole units and canonical text as apimachinery 0.36.3 answers.
const answers = [
  ['1', 1000n, 1n, '1'],
  ['0', 0n, 0n, '0'],
  ['00012', 12_000n, 12n, '12'],
  ['.5', 500n, 1n, '500m'],
  ['5.', 5000n, 5n, '5'],
  ['+1.5', 1500n, 2n, '1500m'],
  ['-1.5', -1500n, -2n, '-1500m'],
  ['1e3', 1_000_000n, 1000n, '1e3'],
  ['1E3', 1_000_000n, 1000n, '1e3'],
  ['1e+3', 1_000_000n, 1000n, '1e3'],
  ['1e-3', 1n, 1n, '1e-3'],
  ['100e-2', 1000n, 1n, '1'],
  ['2e20', 200_000_000_000_000_000_000_000n, 200_000_000_000_000_000_000n, '200e18'],
  ['1E', 1_000_000_000_000_000_000_000n, 1_000_000_000_000_000_000n, '1E'],
  ['1.5Gi', 1_610_612_736_000n, 1_610_612_736n, '1536Mi'],
  ['1.Gi', 1_073_741_824_000n, 1_073_741_824n, '1Gi'],
  ['1024Ki', 1_048_576_000n, 1_048_576n, '1Mi'],
  ['0.5Ki', 512_000n, 512n, '512'],
  ['0.1Ki', 102_400n, 103n, '102400m'],
  ['1023', 1_023_000n, 1023n, '1023'],
  ['12300', 12_300_000n, 12_300n, '12300'],
  ['1n', 1n, 1n, '1n'],
  ['0.0000000001', 1n, 1n, '1n'],
  ['123456789n', 124n, 1n, '123456789n'],
  ['1500u', 2n, 1n, '1500u'],
  ['1.5m', 2n, 1n, '1500u'],
  ['16Ei', 9_223_372_036_854_775_807_000n, 9_223_372_036_854_775_807n, '9223372036854775807'],
] as const;

describe('a quantity is parsed as in apimachinery', () => {
  test.each(answers)('%s is %d thousandths, %d units, and written %s', (text, milli, whole, canonical) => {
    const quantity = read(text);
    expect(milliValue(quantity)).toBe(milli);
    expect(value(quantity)).toBe(whole);
    expect(canonicalQuantity(quantity)).toBe(canonical);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '1ki',
    '1KI',
    '1Mib',
    '0x10',
    '1.1.1',
    '1e',
    '1e-',
    '1e1.5',
    '1e4Ki',
    '1 Gi',
    '1,5',
    '--1',
    '+-1',
    'NaN',
    'Infinity',
    '١',
    'constructor',
  ])('"%s" is no quantity', (text) => {
    expect(parseQuantity(text)).toBeUndefined();
  });

  test.each(['-', '+', '.', 'Mi', 'e5'])(
    '"%s" has no digit and is refused, though apimachinery parses it as zero',
    (text) => {
      expect(parseQuantity(text)).toBeUndefined();
    },
  );

  test('an exponent or a text that only an attacker would write is refused at once', () => {
    expect(parseQuantity('1e999999999')).toBeUndefined();
    expect(parseQuantity('1e-999999999')).toBeUndefined();
    expect(parseQuantity('9'.repeat(1_000_000))).toBeUndefined();
  });

  test('parsing twice gives the same result, for invalid text too', () => {
    expect(parseQuantity('250m')).toEqual(parseQuantity('250m'));
    expect(parseQuantity('garbage')).toBeUndefined();
    expect(parseQuantity('garbage')).toBeUndefined();
  });

  test('a cache that has overflowed still returns the right amounts', () => {
    for (let number = 0; number < 9000; number += 1) parseQuantity(`${number}m`);
    expect(read('1m').nano).toBe(1_000_000n);
  });
});

describe('quantity arithmetic is exact', () => {
  test.each([
    ['1Gi', '1024Mi', 0],
    ['1G', '1Gi', -1],
    ['0.1', '100m', 0],
    ['1001u', '1m', 1],
    ['-1', '0', -1],
  ] as const)('%s against %s compares to %d', (a, b, order) => {
    expect(compareQuantities(read(a), read(b))).toBe(order);
  });

  test('0.1 and 0.2 make 0.3, which binary fractions do not', () => {
    expect(canonicalQuantity(addQuantities(read('0.1'), read('0.2')))).toBe('300m');
  });

  test('a sum is written as its first part, unless that is zero', () => {
    expect(canonicalQuantity(addQuantities(read('1Gi'), read('1G')))).toBe('2073741824');
    expect(canonicalQuantity(addQuantities(read('1G'), read('1Gi')))).toBe('2073741824');
    expect(canonicalQuantity(addQuantities(read('0'), read('1Gi')))).toBe('1Gi');
    expect(canonicalQuantity(subtractQuantities(read('0'), read('1Gi')))).toBe('-1Gi');
    expect(canonicalQuantity(subtractQuantities(read('2Gi'), read('512Mi')))).toBe('1536Mi');
  });

  const suffixes = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 } as const;
  const decimal = fc.record({
    digits: fc.bigInt({ min: 0n, max: 10n ** 12n }),
    point: fc.nat({ max: 3 }),
    suffix: fc.constantFrom(...(Object.keys(suffixes) as (keyof typeof suffixes)[])),
    negative: fc.boolean(),
  });

  test('a decimal quantity is its digits times a power of ten, rounded away from zero to a billionth', () => {
    fc.assert(
      fc.property(decimal, ({ digits, point, suffix, negative }) => {
        const padded = String(digits).padStart(point + 1, '0');
        const whole = padded.slice(0, padded.length - point);
        const fraction = point === 0 ? '' : `.${padded.slice(padded.length - point)}`;
        const power = suffixes[suffix] - point + 9;
        const divisor = 10n ** BigInt(Math.max(0, -power));
        const expected = power >= 0 ? digits * 10n ** BigInt(power) : (digits + divisor - 1n) / divisor;
        const { nano } = read(`${negative ? '-' : ''}${whole}${fraction}${suffix}`);
        expect(nano).toBe(negative ? -expected : expected);
      }),
      { numRuns: 500 },
    );
  });

  const quantity = fc.record({
    nano: fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }),
    format: fc.constantFrom('DecimalSI' as const, 'BinarySI' as const, 'DecimalExponent' as const),
  });

  test('canonical text parses to the same amount', () => {
    fc.assert(
      fc.property(quantity, (original) => {
        expect(read(canonicalQuantity(original)).nano).toBe(original.nano);
      }),
      { numRuns: 500 },
    );
  });

  test('canonical text is unchanged by parsing and writing', () => {
    fc.assert(
      fc.property(quantity, (original) => {
        const text = canonicalQuantity(original);
        expect(canonicalQuantity(read(text))).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test('adding and subtracting an amount restores the original, in any order', () => {
    fc.assert(
      fc.property(quantity, quantity, (a, b) => {
        expect(subtractQuantities(addQuantities(a, b), b).nano).toBe(a.nano);
        expect(addQuantities(a, b).nano).toBe(addQuantities(b, a).nano);
        expect(Math.sign(Number(compareQuantities(a, b)))).toBe(
          -Math.sign(Number(compareQuantities(b, a))) + 0,
        );
      }),
      { numRuns: 200 },
    );
  });
});

describe('an amount is shown in readable units', () => {
  test.each([
    ['1536Mi', 'memory', '1.5Gi'],
    ['16777215Ki', 'memory', '~15.99Gi'],
    ['16Gi', 'memory', '16Gi'],
    ['1000000000', 'memory', '~953.67Mi'],
    ['1500m', 'cpu', '1.5'],
    ['250m', 'cpu', '250m'],
    ['4', 'cpu', '4'],
    ['1e3', 'cpu', '1000'],
    ['100u', 'cpu', '100u'],
    ['2', 'nvidia.com/gpu', '2'],
    ['4Mi', 'hugepages-2Mi', '4Mi'],
    ['-1536Mi', 'memory', '-1.5Gi'],
    ['0', 'memory', '0'],
    ['1500', '', '1.5k'],
    ['1536Ki', '', '1.5Mi'],
  ] as const)('%s of %s is shown as %s', (text, resource, human) => {
    expect(formatQuantity(read(text), resource)).toBe(human);
  });

  test('a shortened amount is never rounded up, so that too little never appears as enough', () => {
    expect(formatQuantity(read('3999m'), 'cpu')).toBe('~3.99');
  });
});
