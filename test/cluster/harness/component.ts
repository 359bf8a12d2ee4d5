import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Guard } from './guard.js';

export interface ComponentCommand {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  readonly logFile: string;
  /** Beside the variables of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

/** One running process of the control plane. */
export interface Component {
  readonly name: string;
  readonly pid: number;
  /** How it ended, or `undefined` while it runs. */
  ended(): string | undefined;
  /** Its last log lines. */
  lastLines(count?: number): string;
  /** Sends SIGTERM, kills the process after three seconds, and resolves when it has ended. */
  stop(): Promise<void>;
  /** For the exit of this process, when nothing can be awaited. */
  kill(): void;
}

function tail(file: string, count: number): string {
  return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
}

/** Starts a process whose output goes to a file. Rejects when the file cannot be run at all. */
export async function startComponent(command: ComponentCommand, guard: Guard): Promise<Component> {
  const log = openSync(command.logFile, 'a');
  const env = { ...process.env, ...command.env };
  const child = spawn(command.file, command.args, { stdio: ['ignore', log, log], env });
  closeSync(log);
  let end: string | undefined;
  child.on('exit', (code, signal) => {
    end = signal === null ? `exit status ${code}` : signal;
  });
  await once(child, 'spawn');
  const pid = child.pid;
  if (pid === undefined) throw new Error(`${command.name} has no process id`);
  guard.watch(pid);
  return {
    name: command.name,
    pid,
    ended: () => end,
    lastLines: (count = 20) => tail(command.logFile, count),
    kill: () => {
      if (end === undefined) child.kill('SIGKILL');
    },
    stop: async () => {
      if (end !== undefined) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const patience = setTimeout(() => child.kill('SIGKILL'), 3_000);
      await gone;
      clearTimeout(patience);
    },
  };
}

/** Names the component that did not start, the reason, and its last output. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  readonly portTaken: boolean;

  constructor(component: Component, why: string) {
    const lines = component.lastLines();
    super(`${component.name} did not start: ${why}. Its last log lines:\n${lines}`);
    this.portTaken = /address already in use/.test(lines);
  }
}

/** Waits until `isReady` returns true; fails as soon as the process ends, or at the deadline. */
export async function untilReady(
  component: Component,
  isReady: () => Promise<boolean>,
  deadlineMilliseconds = 60_000,
): Promise<void> {
  const deadline = Date.now() + deadlineMilliseconds;
  while (!(await isReady().catch(() => false))) {
    const end = component.ended();
    if (end !== undefined) throw new StartFailure(component, `it ended (${end})`);
    if (Date.now() > deadline) {
      throw new StartFailure(component, `it was not ready after ${deadlineMilliseconds / 1000} s`);
    }
    await delay(50);
  }
}
