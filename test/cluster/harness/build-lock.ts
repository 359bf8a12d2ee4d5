import { mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

async function take(file: string): Promise<boolean> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

/** A holder touches its file so often. */
const signMilliseconds = 5_000;
/** A busy machine does not let a process wait for longer. */
const silenceMilliseconds = 120_000;

/**
 * A holder that died left its file behind; a file that is still empty belongs to a process that is just
 * writing it. Another process, or a thread of one, may have the number of the dead one: it does not touch the
 * file.
 */
async function isAbandoned(file: string): Promise<boolean> {
  const holder = await readFile(file, 'utf8').catch(() => '');
  if (!/^\d+$/.test(holder)) return false;
  if (!isAlive(Number(holder))) return true;
  const touched = await stat(file).catch(() => undefined);
  return touched !== undefined && Date.now() - touched.mtimeMs > silenceMilliseconds;
}

/**
 * Waits until this process alone holds the lock file, and returns how it lets it go. The file of a dead process
 * is taken over.
 */
export async function holdLock(file: string, pollMilliseconds = 500): Promise<() => Promise<void>> {
  await mkdir(dirname(file), { recursive: true });
  while (!(await take(file))) {
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await delay(pollMilliseconds);
  }
  const touch = (): void => {
    const now = new Date();
    utimes(file, now, now).catch(() => undefined);
  };
  const signs = setInterval(touch, signMilliseconds).unref();
  return async () => {
    clearInterval(signs);
    await rm(file, { force: true });
  };
}

/**
 * Runs `work` while this process alone holds the lock file. It saves a second build and is no more than that:
 * what is built moves into place by one rename, so two builders at once would still leave a whole result.
 */
export async function underLock<Result>(
  file: string,
  work: () => Promise<Result>,
  pollMilliseconds?: number,
): Promise<Result> {
  const release = await holdLock(file, pollMilliseconds);
  try {
    return await work();
  } finally {
    await release();
  }
}
