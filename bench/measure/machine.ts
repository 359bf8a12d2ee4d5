import { cpus, loadavg, totalmem } from 'node:os';

/** What the figures depend on. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGB: number;
  readonly node: string;
  /** Runnable processes over the last minute, before the run: above 0 others were at work. */
  readonly load: number;
}

export function thisMachine(): Machine {
  const processors = cpus();
  return {
    cpu: processors[0]?.model.trim() || 'processor',
    cores: processors.length,
    memoryGB: Math.round(totalmem() / 1e9),
    node: process.versions.node,
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
  };
}
