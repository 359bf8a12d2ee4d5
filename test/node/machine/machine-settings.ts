import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cgroupVersion } from './control-groups.js';

/** Debian's packages `containerd`, `runc`, `busybox-static`, `containernetworking-plugins` and `iproute2`. */
const programs = [
  '/usr/bin/containerd',
  '/usr/bin/ctr',
  '/usr/sbin/runc',
  '/bin/busybox',
  '/usr/lib/cni/bridge',
  '/usr/sbin/ip',
  '/usr/bin/unshare',
  '/usr/bin/nsenter',
];

/** Throws with one line where this machine cannot run containers: the tier has then not passed. */
export function requireContainers(): void {
  const missing = programs.filter((program) => !existsSync(program));
  const why =
    process.platform !== 'linux'
      ? 'it is not Linux'
      : process.getuid?.() !== 0
        ? 'this process is not root'
        : cgroupVersion() === undefined
          ? 'it mounts no control groups'
          : missing.length > 0
            ? `it lacks ${missing.join(', ')} (Debian: apt-get install containerd runc busybox-static containernetworking-plugins iproute2)`
            : undefined;
  if (why !== undefined)
    throw new Error(`The tier "node" runs real containers. This machine cannot: ${why}.`);
}

/**
 * Settings of the whole machine that a kubelet (`container_manager_linux.go: setupKernelTunables`) or a CNI
 * plugin changes.
 */
const changed = [
  'kernel/panic',
  'kernel/panic_on_oops',
  'vm/overcommit_memory',
  'vm/panic_on_oom',
  'net/ipv4/ip_forward',
];

/** Remembers the settings; the returned function puts them back. */
export function keepMachineSettings(): () => void {
  const kept = changed.map(
    (name) => [`/proc/sys/${name}`, readFileSync(`/proc/sys/${name}`, 'utf8')] as const,
  );
  return () => {
    for (const [file, value] of kept) writeFileSync(file, value);
  };
}
