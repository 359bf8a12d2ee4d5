import { parseArgs } from 'node:util';
import { createLocalCluster } from './local-cluster.js';
import { seedDemo } from './seed/demo-incidents.js';

/**
 * `tsx demo/cluster/serve.ts [--port N] [--load FOLDER] [--seed]`: the cluster alone, for kubectl. Prints a
 * kubeconfig.
 */
const { values } = parseArgs({
  options: { port: { type: 'string' }, load: { type: 'string' }, seed: { type: 'boolean' } },
});
const cluster = await createLocalCluster({ port: Number(values.port ?? 0) });
if (values.load !== undefined) await cluster.loadRecording(values.load);
if (values.seed === true) await seedDemo(cluster);
process.stdout.write(cluster.kubeconfig());
const keepAlive = setInterval(() => undefined, 60_000);
process.once('SIGINT', () => {
  clearInterval(keepAlive);
  void cluster.close();
});
