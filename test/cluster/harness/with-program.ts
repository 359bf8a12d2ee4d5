import { afterAll, afterEach, beforeAll } from 'vitest';
import { type Cluster, startCluster } from './cluster.js';
import { grantClusterWide, type Program, startProgram } from './program.js';
import { applyShipped } from './shipped-rbac.js';

/** A real cluster, and the program with the shipped rights on it. */
export interface Started {
  readonly cluster: Cluster;
  readonly program: Program;
}

type Options = NonNullable<Parameters<typeof startProgram>[1]> & {
  readonly version: string;
  /** Starts what the cluster needs besides, before the program; it is stopped after the program. */
  readonly prepare?: (cluster: Cluster) => Promise<{ stop(): Promise<void> } | void>;
  /** Shipped files with optional rights. */
  readonly rights?: readonly string[];
};

/**
 * Starts both for the tests of a block, clears the cluster after each test, and ends both with the block.
 *
 * @param ready receives both before the first test
 */
export function withProgram(
  { version, prepare, rights = [], ...options }: Options,
  ready: (started: Started) => void,
): void {
  let cluster: Cluster | undefined;
  let program: Program | undefined;
  let prepared: { stop(): Promise<void> } | void;
  beforeAll(async () => {
    cluster = await startCluster({ version });
    prepared = await prepare?.(cluster);
    await grantClusterWide(cluster);
    await applyShipped(cluster, rights);
    program = await startProgram(cluster, options);
    ready({ cluster, program });
  });
  afterEach(async () => {
    await cluster?.clear();
  });
  afterAll(async () => {
    await program?.stop();
    await prepared?.stop();
    await cluster?.stop();
  });
}
