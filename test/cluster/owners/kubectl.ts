import { conflictsIn, type WorkloadOwner } from './harness/owner.js';
import type { Stage } from './harness/stage.js';

async function apply(stage: Stage, options: readonly string[]) {
  const file = await stage.writeManifest();
  const { succeeded, output } = await stage.run('kubectl', ['apply', ...options, '-f', file]);
  const conflicts = conflictsIn(output);
  if (!succeeded && conflicts.length === 0) throw new Error(output);
  return { conflicts, report: output };
}

const owner = (name: string, options: readonly string[]): WorkloadOwner => ({
  name,
  install: async (stage) => {
    await stage.mustRun('kubectl', ['apply', ...options, '-f', await stage.writeManifest()]);
  },
  act: (stage) => apply(stage, options),
  objects: async () => ({}),
  force: async (stage) => {
    await stage.mustRun('kubectl', [
      'apply',
      ...options,
      '--force-conflicts',
      '-f',
      await stage.writeManifest(),
    ]);
  },
  reverts: ['reverted-at-next'],
});

export const kubectlClientSide = owner('kubectl apply', []);
export const kubectlServerSide = owner('kubectl apply --server-side', ['--server-side']);
