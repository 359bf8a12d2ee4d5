import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = '/sys/fs/cgroup';
const controllers = ['cpu', 'cpuacct', 'cpuset', 'memory', 'devices', 'freezer', 'blkio', 'pids', 'systemd'];

export type CgroupVersion = 'v1' | 'v2';

/** The version that this machine mounts; `undefined` where it mounts none. */
export function cgroupVersion(): CgroupVersion | undefined {
  if (existsSync(join(root, 'cgroup.controllers'))) return 'v2';
  return existsSync(join(root, 'memory')) ? 'v1' : undefined;
}

const newFoldersOf = (name: string): readonly string[] =>
  cgroupVersion() === 'v2'
    ? [join(root, name)]
    : controllers.map((each) => join(root, each, name)).filter((folder) => existsSync(join(folder, '..')));

/** Makes a control group of this name, in which a kubelet may make others. */
export function makeControlGroup(name: string): void {
  for (const folder of newFoldersOf(name)) mkdirSync(folder, { recursive: true });
  if (cgroupVersion() === 'v2') {
    writeFileSync(join(root, name, 'cgroup.subtree_control'), '+cpu +memory +pids +cpuset');
    return;
  }
  // A new group of this controller has no processors, and no process may enter it.
  for (const file of ['cpuset.cpus', 'cpuset.mems']) {
    writeFileSync(join(root, 'cpuset', name, file), readFileSync(join(root, 'cpuset', file)));
  }
}

/**
 * Removes the control group and all groups in it, whose processes have ended. Beside v1 some machines mount
 * v2 as well, in which the kubelet makes a group of the same name.
 */
export function removeControlGroup(name: string): void {
  for (const place of ['.', ...readdirSync(root)]) removeFolder(join(root, place, name));
}

function removeFolder(folder: string): void {
  if (!existsSync(folder)) return;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeFolder(join(folder, entry.name));
  }
  rmdirSync(folder);
}
