import { spawn } from 'node:child_process';

/** Opens an address in the browser of the desktop, if there is one. The address is printed in any case. */
export function openInBrowser(url: string, machine: Pick<NodeJS.Process, 'platform' | 'env'>): void {
  const program = openerOn(machine);
  if (program === undefined) return;
  const opener = spawn(program, [url], { stdio: 'ignore', detached: true });
  opener.on('error', () => undefined);
  opener.unref();
}

/** The program that opens addresses; `undefined` without a display. */
export function openerOn({ platform, env }: Pick<NodeJS.Process, 'platform' | 'env'>): string | undefined {
  if (env.SSH_CONNECTION !== undefined || env.CI !== undefined) return undefined;
  if (platform === 'darwin') return 'open';
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return platform === 'linux' && hasDisplay ? 'xdg-open' : undefined;
}
