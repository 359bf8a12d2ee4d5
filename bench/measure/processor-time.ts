import { readFile } from 'node:fs/promises';

/** Ticks of `/proc/PID/stat` are hundredths of a second on every Linux that Node.js runs on (USER_HZ). */
const tickMs = 10;

/**
 * Milliseconds of processor that a process has used so far, where the system tells them finely enough
 * (Linux). Unlike the time on the clock, it hardly depends on what else the machine does.
 */
export async function processorMs(pid: number): Promise<number | undefined> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
    // Fields 14 and 15; the second one, the name in brackets, may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
}
