import { execFile } from 'node:child_process';

/** How a command line ended. */
export interface ToolRun {
  readonly succeeded: boolean;
  /** Standard output and error output. */
  readonly output: string;
}

/**
 * Runs a command to its end. Whether it succeeded is part of the answer; only a command that cannot run at
 * all rejects.
 */
export function runTool(
  file: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ToolRun> {
  return new Promise((resolve, reject) => {
    const options = { env: { ...process.env, ...env }, timeout: 240_000, maxBuffer: 16 * 1024 * 1024 };
    execFile(file, args, options, (error, stdout, stderr) => {
      if (error !== null && typeof error.code === 'string') reject(error);
      else resolve({ succeeded: error === null, output: `${stdout}${stderr}` });
    });
  });
}

/** Runs a command that must succeed. */
export async function mustRun(...[file, args, env]: Parameters<typeof runTool>): Promise<string> {
  const { succeeded, output } = await runTool(file, args, env);
  if (!succeeded) throw new Error(`${file} ${args.join(' ')} failed:\n${output}`);
  return output;
}
