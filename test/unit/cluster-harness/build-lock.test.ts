import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { underLock } from '../../cluster/harness/build-lock.js';

describe('the build lock', () => {
  let file = '';
  beforeEach(() => {
    file = join(mkdtempSync(join(tmpdir(), 'rollout-doctor-lock-')), 'nested', 'build.lock');
  });
  afterEach(() => {
    rmSync(join(file, '..', '..'), { recursive: true });
  });

  it('has one holder at a time', async () => {
    const log: string[] = [];
    const hold = (name: string): Promise<void> =>
      underLock(
        file,
        async () => {
          log.push(`${name} in`);
          await new Promise((resolve) => setImmediate(resolve));
          log.push(`${name} out`);
        },
        1,
      );
    await Promise.all([hold('a'), hold('b'), hold('c')]);
    expect(log).toHaveLength(6);
    for (let index = 0; index < log.length; index += 2) {
      expect(log[index + 1]).toBe(log[index]?.replace('in', 'out'));
    }
  });

  it('is free again after its holder failed', async () => {
    await expect(underLock(file, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    expect(existsSync(file)).toBe(false);
  });

  it('is taken over from a dead process', async () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    await underLock(file, async () => {});
    writeFileSync(file, String(pid));
    expect(await underLock(file, async () => 'built', 1)).toBe('built');
  });

  it('is taken over where a living process has the number of the dead one', async () => {
    await underLock(file, async () => {});
    writeFileSync(file, String(process.pid));
    utimesSync(file, 0, 0);
    expect(await underLock(file, async () => 'built', 1)).toBe('built');
  });
});
