import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export interface PageBundle {
  readonly script: string;
  readonly style: string;
}

let bundle: Promise<PageBundle> | undefined;

/** The page's script and style, bundled once a process. */
export function pageBundle(): Promise<PageBundle> {
  bundle ??= bundled();
  return bundle;
}

async function bundled(): Promise<PageBundle> {
  const entry = fileURLToPath(new URL('../page/main.tsx', import.meta.url));
  const { outputFiles } = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    outdir: '/',
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  const ending = (suffix: string) => outputFiles.find(({ path }) => path.endsWith(suffix))?.text ?? '';
  return { script: ending('.js'), style: ending('.css') };
}
