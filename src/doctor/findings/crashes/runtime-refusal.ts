import { hasInOrder } from '../../../engine/language/text-scanning.js';
import { compareQuantities, parseQuantity } from '../../../engine/scheduler/quantity.js';
import type { PodCause } from './pod-failure.js';

const mount =
  /error mounting|failed to (?:prepare|create) subPath|mounting "[^"]{1,400}" to rootfs|error creating mount|mount through procfd/;
const runtime =
  /is already in use|deadline exceeded|DeadlineExceeded|prestart hook|createRuntime hook|createContainer hook|nvidia-container|\bCDI\b|unresolvable CDI|device|cgroup|shim|no space left|seccomp|apparmor|ttrpc/i;

/** The number of characters of a message to search. */
const searched = 4096;

/**
 * The reason why the runtime could not create or start a container, from its message: the command or its
 * working directory, a path to mount, a memory limit that is too low to begin, or the runtime and its
 * devices. `undefined` when the message does not show it. Words about the command take precedence, because
 * such messages also name other tools.
 */
export function causeOfRefusal(message: string, container?: RefusedContainer): PodCause | undefined {
  const said = message.slice(0, searched);
  if (isLimitTooLow(said, container?.resources.limits.memory)) return 'out-of-memory';
  if (isCommandRefused(said) || isWorkingDirRefused(said, container?.workingDir)) return 'bad-command';
  if (isMountRefused(said) || isNoDevice(said, container)) return 'mount-failure';
  // Nothing of the command was reached yet.
  return runtime.test(said) || pipeEnded.test(said) || hasInOrder(said.toLowerCase(), 'name ', ' is reserved')
    ? 'sandbox-failure'
    : undefined;
}

/** What the refusal depends on of the container's definition. */
interface RefusedContainer {
  readonly workingDir?: string | undefined;
  readonly resources: { readonly limits: Readonly<Record<string, string>> };
  readonly volumeDevices?: readonly unknown[];
}

/**
 * The node prepared another file for a volume that the container uses as a device (containerd
 * `pkg/cri/opts/spec_linux_opts.go: ErrNotADevice`). Without such a volume the device is of a device plug-in.
 */
export function isNoDevice(message: string, container: RefusedContainer | undefined): boolean {
  const devices = container?.volumeDevices ?? [];
  return devices.length > 0 && /\bnot a device(?: node)?\b/.test(message.slice(0, searched));
}

/**
 * The least that CRI-O lets runc start with (`pkg/config: defaultContainerMinMemory`). Until 1.1, runc copies
 * its program into memory that counts against the limit. It sees only the pipe to its init end, or a
 * container that has ended before it was started (`start.go`), where it does not count the kernel's kills
 * (before 1.0-rc94), or systemd removed the cgroup before it could.
 */
const smallestStart = parseQuantity('12Mi');
const pipeEnded =
  /\b(?:init-p|pid from pipe|init process|bootstrap data to pipe)\b.{0,80}\b(?:connection reset by peer|broken pipe|EOF)\b|\bcannot start a container that has stopped\b/;

/** The kernel takes no such limit: `128m` is 0.128 bytes. */
const notWritten = /\bmemory\.(?:limit_in_bytes|memsw\.limit_in_bytes|max)\b.{0,80}\binvalid argument\b/;

/** The kernel counts memory in pages: no process starts in less than one, whatever the message. */
const onePage = parseQuantity('4Ki');

/**
 * The runtime could not even begin inside the memory cgroup: runc `init was OOM-killed`, crun, containerd and
 * CRI-O in words of their own about a limit that is too low. The kernel refuses a limit below what the cgroup
 * already uses as busy, for which runc states both since 1.0-rc94.
 */
export function isLimitTooLow(message: string, limit?: string): boolean {
  const said = message.slice(0, searched);
  const given = parseQuantity(limit ?? '');
  if (said === '' && given !== undefined && onePage !== undefined)
    return compareQuantities(given, onePage) < 0;
  if (given !== undefined && smallestStart !== undefined && (pipeEnded.test(said) || notWritten.test(said)))
    return compareQuantities(given, smallestStart) < 0;
  if (/\bmemory\.(?:limit_in_bytes|memsw\.limit_in_bytes|max)\b.{0,80}\bdevice or resource busy\b/.test(said))
    return true;
  return /\binit was OOM-killed\b|\bminimum memory limit\b|\bmemory limit (?:\d{1,20} |is |(?:could|may|might) be )?too low\b|\bmemory limit .{0,80}\b(?:below|less than|smaller than|lower than)\b|\bset memory limit to \d{1,20} \(current usage\b/i.test(
    said,
  );
}

/** The kubelet or the runtime refuses a place at which the container mounts a volume. */
export function isMountRefused(message: string): boolean {
  return mount.test(message.slice(0, searched));
}

/**
 * The working directory is no directory, or may not be entered. Runtimes name the path of the template, or
 * say that they change to a directory that the image sets. A path that is also mounted is a matter of the
 * mount.
 */
export function isWorkingDirRefused(message: string, workingDir: string | undefined): boolean {
  const said = message.slice(0, searched);
  if (isMountRefused(said)) return false;
  // runc makes the working directory itself, after the mounts (`prepareRootfs`).
  if (/\bchdir\b|\bcwd\b|\bcontainer init: mkdir \//.test(said)) return true;
  const isNamed = workingDir !== undefined && workingDir !== '' && said.includes(workingDir);
  return isNamed && /not a directory|file exists|permission denied|read-only file system/i.test(said);
}

/** The messages of runc and crun for a program that cannot be executed. */
function isCommandRefused(said: string): boolean {
  return /exec: "|exec format error/.test(said) || hasInOrder(said, 'executable file', ' not found');
}
