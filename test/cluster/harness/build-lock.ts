import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
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

/**
 * A holder that died left its file behind; a file that is still empty belongs to a process that is just
 * writing it.
 */
async function isAbandoned(file: string): Promise<boolean> {
  const holder = await readFile(file, 'utf8').catch(() => '');
  return /^\d+$/.test(holder) && !isAlive(Number(holder));
}

/**
 * Runs `work` while this process alone holds the lock file. Another process that wants it waits; the file of
 * a dead process is taken over. It saves a second build and is no more than that: what is built moves into
 * place by one rename, so two builders at once would still leave a whole result.
 */
export async function underLock<Result>(
  file: string,
  work: () => Promise<Result>,
  pollMilliseconds = 500,
): Promise<Result> {
  await mkdir(dirname(file), { recursive: true });
  while (!(await take(file))) {
    if (await isAbandoned(file)) await rm(file, { force: true });
    else await delay(pollMilliseconds);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}
