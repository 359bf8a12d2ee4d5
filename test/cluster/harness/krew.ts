import { join } from 'node:path';
import { ensureBuilt, layRecipe, recipeVersion } from './ensure-built.js';

/** Path of the program of Krew, from the cache or built. */
export async function ensureKrew(): Promise<string> {
  const version = await recipeVersion('krew', 'sigs.k8s.io/krew');
  const folder = await ensureBuilt({
    name: `krew-${version}`,
    packages: ['sigs.k8s.io/krew/cmd/krew'],
    linkerFlags: '-s -w',
    layModule: layRecipe('krew'),
  });
  return join(folder, 'bin', 'krew');
}
