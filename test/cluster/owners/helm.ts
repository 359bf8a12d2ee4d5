import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { ToolName } from '../harness/tools.js';
import { conflictsIn, type WorkloadOwner } from './harness/owner.js';
import type { Stage } from './harness/stage.js';

const release = 'serving';

/**
 * A chart whose only template is the manifest, as text: what decides is what Helm sends, not how it was
 * rendered.
 */
async function writeChart(stage: Stage): Promise<string> {
  const chart = join(stage.folder, 'chart');
  await mkdir(join(chart, 'templates'), { recursive: true });
  await writeFile(
    join(chart, 'Chart.yaml'),
    stringify({ apiVersion: 'v2', name: 'inference', version: '1.0.0' }),
  );
  await cp(await stage.writeManifest(), join(chart, 'templates', 'deployment.yaml'));
  return chart;
}

/** Installs the release. */
async function installRelease(stage: Stage, tool: ToolName, options: readonly string[] = []): Promise<void> {
  const chart = await writeChart(stage);
  await stage.mustRun(tool, ['install', release, chart, '-n', stage.workload.namespace, ...options]);
}

async function upgrade(stage: Stage, tool: ToolName, options: readonly string[] = []) {
  const chart = await writeChart(stage);
  const args = ['upgrade', release, chart, '-n', stage.workload.namespace, ...options];
  const { succeeded, output } = await stage.run(tool, args);
  const conflicts = conflictsIn(output);
  if (!succeeded && conflicts.length === 0) throw new Error(output);
  return { conflicts, report: output };
}

interface HelmOptions {
  readonly name: string;
  readonly installedBy: ToolName;
  readonly upgradedBy: ToolName;
  readonly installOptions?: readonly string[];
  readonly upgradeOptions?: readonly string[];
}

const owner = (options: HelmOptions): WorkloadOwner => ({
  name: options.name,
  install: (stage) => installRelease(stage, options.installedBy, options.installOptions),
  act: (stage) => upgrade(stage, options.upgradedBy, options.upgradeOptions),
  force: async (stage) => {
    await upgrade(stage, options.upgradedBy, ['--force-conflicts']);
  },
  objects: async () => ({}),
  reverts: ['reverted-at-next'],
});

export const helm3 = owner({ name: 'Helm 3', installedBy: 'helm-3', upgradedBy: 'helm-3' });
export const helm4 = owner({ name: 'Helm 4', installedBy: 'helm-4', upgradedBy: 'helm-4' });
export const helm4ClientSide = owner({
  name: 'Helm 4 --server-side=false',
  installedBy: 'helm-4',
  upgradedBy: 'helm-4',
  installOptions: ['--server-side=false'],
});
/** Helm 4 keeps the method of the release that it takes over. */
export const helm3Then4 = owner({
  name: 'Helm 4 on a release of Helm 3',
  installedBy: 'helm-3',
  upgradedBy: 'helm-4',
});
