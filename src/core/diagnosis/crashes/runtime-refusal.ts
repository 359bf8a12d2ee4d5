import { hasInOrder } from '../../language/text-scanning.js';
import type { PodCause } from './pod-failure.js';

const mount = /error mounting|failed to (?:prepare|create) subPath|error creating mount|mount through procfd/;
const runtime =
  /is already in use|deadline exceeded|DeadlineExceeded|prestart hook|createRuntime hook|createContainer hook|nvidia-container|\bCDI\b|unresolvable CDI|device|cgroup|shim|no space left|seccomp|apparmor|ttrpc/i;

/** More of a message than this is repetition. */
const searched = 4096;

/**
 * Why the runtime would not make or start a container, where its words say it: the command itself, a path to mount, or
 * the runtime and its devices. `undefined` where they do not. The command's own words win, for other tools are named
 * in them.
 */
export function causeOfRefusal(message: string): PodCause | undefined {
  const said = message.slice(0, searched);
  if (isCommandRefused(said)) return 'bad-command';
  if (mount.test(said)) return 'mount-failure';
  return runtime.test(said) || hasInOrder(said.toLowerCase(), 'name ', ' is reserved')
    ? 'sandbox-failure'
    : undefined;
}

/** The words of runc and crun for a program that cannot be executed. */
function isCommandRefused(said: string): boolean {
  return /exec: "|exec format error/.test(said) || hasInOrder(said, 'executable file', ' not found');
}
