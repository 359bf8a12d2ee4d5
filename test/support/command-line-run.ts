import { fileURLToPath } from 'node:url';

/** What a run of the command line gave. */
export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

export interface RunOptions {
  /** Standard input; left out: nothing is piped in and the stream is empty. */
  readonly input?: string | Buffer;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Of a person without a cluster. */
export const noKubeconfig = { KUBECONFIG: '/nonexistent/config' };

/** Where the command line runs unless a test says otherwise: the root of this repository. */
export const repositoryRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Folder of a recorded incident. */
export function scenario(name: string): string {
  return `${repositoryRoot}test/scenarios/${name}`;
}
