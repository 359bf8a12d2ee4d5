import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Cluster, startCluster } from './cluster.js';
import { grantClusterWide, type Program, startProgram } from './program.js';

/** A real cluster, and the program with the shipped rights on it. */
export interface Started {
  readonly cluster: Cluster;
  readonly program: Program;
}

/**
 * Starts both for the tests of a block, clears the cluster after each test, and ends both with the block.
 *
 * @param ready receives both before the first test
 */
export function withProgram(
  { version, ...options }: { readonly version: string } & NonNullable<Parameters<typeof startProgram>[1]>,
  ready: (started: Started) => void,
): void {
  let cluster: Cluster | undefined;
  let program: Program | undefined;
  beforeAll(async () => {
    cluster = await startCluster({ version });
    await grantClusterWide(cluster);
    program = await startProgram(cluster, options);
    ready({ cluster, program });
  });
  afterEach(async () => {
    await cluster?.clear();
  });
  afterAll(async () => {
    await program?.stop();
    await cluster?.stop();
  });
}
