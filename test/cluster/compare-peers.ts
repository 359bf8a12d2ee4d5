import { spawnSync } from 'node:child_process';
import { startCluster } from './harness/cluster.js';
import { surgeExtendedResource } from './incidents/surge-deadlocks.js';

/**
 * `tsx test/cluster/compare-peers.ts 'rollout-doctor diagnose {name} -n {namespace}' 'popeye -n {namespace}'`
 * deadlocks a Deployment on the only GPU of a real control plane, and prints what each given command reports
 * of it, and in how many seconds. Commands run one after the other, three times each, and find the cluster by
 * `KUBECONFIG`.
 */
const runs = 3;

const cluster = await startCluster();
try {
  const { workload } = await surgeExtendedResource.reproduce(cluster);
  const { namespace, name } = workload;
  for (const command of process.argv.slice(2)) {
    const line = command.replaceAll('{namespace}', namespace).replaceAll('{name}', name);
    const seconds: string[] = [];
    let said = '';
    for (let run = 0; run < runs; run += 1) {
      const from = performance.now();
      const env = { ...process.env, KUBECONFIG: cluster.controlPlane.adminKubeconfig, COLUMNS: '100' };
      const { stdout, stderr, status } = spawnSync('sh', ['-c', line], { encoding: 'utf8', env });
      seconds.push(((performance.now() - from) / 1_000).toFixed(2));
      said = `${stdout}${stderr}exit status ${String(status)}\n`;
    }
    process.stdout.write(`\n$ ${line}\n${seconds.join(' s, ')} s\n${said}`);
  }
} finally {
  await cluster.stop();
}
