import { execFile } from 'node:child_process';
import type { RequestOptions } from 'node:https';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import type { User } from '@kubernetes/client-node';
import * as z from 'zod';

/** A plug-in that takes longer, or writes more, is ended: all requests to its cluster wait for it. */
const maxRunMs = 30_000;
const maxOutputBytes = 1_000_000;
/** Characters of its name that are quoted. */
const maxName = 60;

const run = promisify(execFile);

const Exec = z.looseObject({
  command: z.string().min(1),
  args: z.array(z.string()).nullish(),
  env: z.array(z.object({ name: z.string(), value: z.string() })).nullish(),
});
const Credential = z.looseObject({
  status: z.looseObject({
    token: z.string().optional(),
    clientCertificateData: z.string().optional(),
    clientKeyData: z.string().optional(),
    expirationTimestamp: z.string().optional(),
  }),
});
type Credential = z.output<typeof Credential>;

export interface ExecCredential {
  isAuthProvider(user: User): boolean;
  applyAuthentication(user: User, options: RequestOptions): Promise<void>;
}

/**
 * Credentials from an exec plug-in of the kubeconfig, kept until they expire. client-node's own part keeps
 * all that a plug-in writes and waits for it for ever.
 */
export function createExecCredential(): ExecCredential {
  let kept: Credential | undefined;
  const isCurrent = ({ status: { expirationTimestamp: until } }: Credential): boolean =>
    until === undefined || Date.parse(until) > Date.now();
  return {
    isAuthProvider: (user) => execOf(user) !== undefined,
    async applyAuthentication(user, options) {
      if (kept === undefined || !isCurrent(kept)) kept = await ask(user);
      const { token, clientCertificateData, clientKeyData } = kept.status;
      if (clientCertificateData) options.cert = clientCertificateData;
      if (clientKeyData) options.key = clientKeyData;
      if (token) options.headers = { ...options.headers, Authorization: `Bearer ${token}` };
    },
  };
}

function execOf({ exec, authProvider }: User): unknown {
  return exec ?? authProvider?.config?.exec ?? undefined;
}

/** @throws Error without a word of what the plug-in wrote: it may be a credential */
async function ask(user: User): Promise<Credential> {
  const exec = Exec.safeParse(execOf(user));
  if (!exec.success) throw new Error('the exec plug-in of the kubeconfig names no command');
  const { command, args, env } = exec.data;
  const given = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const outcome = await run(command, args ?? [], {
    env: { ...process.env, ...given },
    timeout: maxRunMs,
    killSignal: 'SIGKILL',
    maxBuffer: maxOutputBytes,
  }).catch((error: unknown) => problemOf(error));
  const plugin = `the exec plug-in "${basename(command).slice(0, maxName)}" of the kubeconfig`;
  if (typeof outcome === 'string') throw new Error(`${plugin} ${outcome}`);
  try {
    return Credential.parse(JSON.parse(outcome.stdout));
  } catch {
    throw new Error(`${plugin} wrote no ExecCredential`);
  }
}

function problemOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `wrote more than ${maxOutputBytes} bytes`;
  if (code === 'ENOENT' || code === 'EACCES') return `could not be started (${code})`;
  if (typeof code === 'number') return `failed with status ${code}`;
  return `did not end within ${maxRunMs / 1_000} seconds`;
}
