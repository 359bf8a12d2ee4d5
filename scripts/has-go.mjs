import { spawnSync } from 'node:child_process';

/** Whether the programs of the cluster tier can be built on this machine. */
export function hasGo() {
  return ['go', '/usr/local/go/bin/go'].some(
    (go) => spawnSync(go, ['version'], { stdio: 'ignore' }).status === 0,
  );
}
