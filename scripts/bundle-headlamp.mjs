/**
 * Bundles what the Headlamp plug-in computes into `headlamp/lib/`, for Headlamp's own build: `npm run build` in
 * `headlamp/` runs it first. Headlamp's tooling compiles with an older TypeScript than the sources need.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticesOf } from './bundle-programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'headlamp/lib');

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: {
    doctor: 'src/edges/dump-page/answer-workload.ts',
    card: 'src/edges/dump-page/browser/card.css',
  },
  outdir: folder,
  bundle: true,
  platform: 'browser',
  format: 'esm',
  target: 'es2022',
  minify: true,
  // A library asks whether there is one; Headlamp's build would look for a replacement.
  define: { Buffer: 'undefined' },
  metafile: true,
  logLevel: 'warning',
});
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'NOTICES'), noticesOf(metafile).join('\n\n'));
writeFileSync(
  join(folder, 'doctor.d.ts'),
  `export interface ApiRequest {
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
}
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfterMs: number | undefined;
}
export function answerWorkload(
  call: (request: ApiRequest) => Promise<ApiAnswer>,
  workload: { readonly kind: string; readonly namespace: string; readonly name: string },
  language: 'en' | 'ko',
): Promise<string>;
`,
);
