import { describe, expect, it } from 'vitest';
import { createHmacSigner } from '#src/edges/signing/cluster-keys.js';
import { buildKey } from '../../../support/authority.js';

const [old, current, strange] = [buildKey('old', 3), buildKey('current', 5), buildKey('old', 9)];

describe('a signer', () => {
  it('signs with the first key and verifies with all of them', () => {
    const before = createHmacSigner([old]).sign('text');
    const rotated = createHmacSigner([current, old]);

    expect(rotated.check('text', before)).toBe('valid');
    expect(rotated.sign('text').key).toBe('current');
    expect(createHmacSigner([old]).check('text', rotated.sign('text'))).toBe('unknown-key');
  });

  it.each([
    ['no seal', undefined, 'unsigned'],
    ['a removed key', createHmacSigner([current]).sign('text'), 'unknown-key'],
    ['another key of the same id', createHmacSigner([strange]).sign('text'), 'signature'],
    ['another text', createHmacSigner([old]).sign('text '), 'signature'],
    ['another format', { ...createHmacSigner([old]).sign('text'), format: 0 }, 'format'],
    ['half of it', { ...createHmacSigner([old]).sign('text'), mac: 'AAAA' }, 'signature'],
    ['nothing', { ...createHmacSigner([old]).sign('text'), mac: '' }, 'signature'],
  ] as const)('refuses %s', (_, seal, answer) => {
    expect(createHmacSigner([old]).check('text', seal)).toBe(answer);
  });

  it('signs nothing and accepts nothing without keys', () => {
    const none = createHmacSigner([]);
    expect(() => none.sign('text')).toThrow('no key');
    expect(none.check('text', createHmacSigner([old]).sign('text'))).toBe('unknown-key');
  });
});
