import { copyFile, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createDefinitions } from '../owners/harness/custom-objects.js';
import type { Cluster } from './cluster.js';
import { type Component, type ComponentCommand, startComponent } from './component.js';
import { startGuard } from './guard.js';

/** Controllers that run beside the control plane. */
export interface Beside {
  readonly version: string;
  logs(lines?: number): string;
  stop(): Promise<void>;
}

/** Creates the definitions in the files of this folder whose names end so. */
export async function createDefinitionsIn(cluster: Cluster, folder: string, end = '.yaml'): Promise<void> {
  for (const file of (await readdir(folder)).filter((name) => name.endsWith(end)))
    await createDefinitions(cluster, join(folder, file));
}

/** Makes a folder for the processes of an add-on, which are ended and whose folder is removed together. */
export async function openBeside(cluster: Cluster, addOn: string) {
  const folder = await mkdtemp(join(tmpdir(), `rollout-doctor-${addOn}-`));
  const guard = startGuard(folder);
  const components: Component[] = [];
  return {
    folder,
    async start(command: Omit<ComponentCommand, 'logFile'>): Promise<Component> {
      const logFile = join(folder, `${command.name}.log`);
      const component = await startComponent({ ...command, logFile }, guard);
      components.push(component);
      return component;
    },
    /** Puts the API server's certificate, which is made for 127.0.0.1, into a folder below, and returns it. */
    async certify(...below: readonly string[]): Promise<string> {
      const { certificateAuthority } = cluster.controlPlane;
      const certificates = join(folder, ...below);
      await mkdir(certificates, { recursive: true });
      await copyFile(certificateAuthority, join(certificates, 'tls.crt'));
      await copyFile(certificateAuthority.replace(/\.crt$/, '.key'), join(certificates, 'tls.key'));
      return certificates;
    },
    /** @param close ends what else runs for them */
    running: (version: string, close: () => void = () => {}): Beside => ({
      version,
      logs: (lines) => components.map((each) => `--- ${each.name}\n${each.lastLines(lines)}`).join('\n'),
      async stop() {
        await Promise.all(components.map((each) => each.stop()));
        close();
        guard.release();
        await rm(folder, { recursive: true, force: true });
      },
    }),
  };
}
