import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';

export interface PodLogs {
  readonly current: string;
  readonly previous: string;
}

const fileOf = (folder: string, run: keyof PodLogs): string => join(folder, `pod-${run}.log`);

/** In the format of the container runtime interface: time, stream, whole or partial line, text. */
function criLines(text: string): string {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line, index) => `${new Date(index).toISOString()} stdout F ${line}\n`).join('');
}

export function writePodLogs(folder: string, logs: PodLogs): void {
  for (const run of ['current', 'previous'] as const) writeFileSync(fileOf(folder, run), criLines(logs[run]));
}

/** Lets the simulated kubelets serve these files as the log of every container. */
export function podLogsConfiguration(folder: string): string {
  return stringify({
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'ClusterLogs',
    metadata: { name: 'every-container' },
    spec: {
      logs: [{ logsFile: fileOf(folder, 'current'), previousLogsFile: fileOf(folder, 'previous') }],
    },
  });
}
