import { describe, expect, it } from 'vitest';
import { runCli } from '#src/edges/cli/run-process.js';

async function scan(watched: boolean) {
  const texts = { out: '', err: '' };
  const status = await runCli(['scan', '-A', '--fragile', '--from', 'test/scenarios/gpu-one-node'], {
    out: (text) => {
      texts.out += text;
    },
    err: (text) => {
      texts.err += text;
    },
    paint: { colour: false, width: 80 },
    watched,
  });
  return { status, ...texts };
}

describe('the progress of a scan', () => {
  it('is shown where a person watches, and is wiped before the answer', async () => {
    const { err } = await scan(true);
    expect(err).toContain('reading …');
    expect(err).toContain('diagnosing 0/1 …');
    expect(err.endsWith('\r\u001b[K')).toBe(true);
  });

  it('is absent where nobody watches, with the same answer', async () => {
    const [watched, piped] = [await scan(true), await scan(false)];
    expect(piped.err).toBe('');
    expect([piped.status, piped.out]).toEqual([watched.status, watched.out]);
  });
});
