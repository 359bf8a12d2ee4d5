import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { noticesOf } from './bundle-programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src/edges/dump-page/browser');

/**
 * The page that diagnoses files in the browser, as one HTML file: it can be saved, mailed and opened from a disk. Its
 * policy allows the scripts and the style that it contains, and no connection.
 */
export async function assembleDumpPage() {
  const [page, worker, style] = await Promise.all(['page.ts', 'worker.ts', 'page.css'].map(bundled));
  const script = withoutEnds(page.text);
  const css = style.text.trim();
  const parts = {
    policy: [
      "default-src 'none'",
      "connect-src 'none'",
      "form-action 'none'",
      "base-uri 'none'",
      `script-src '${hashOf(script)}'`,
      `style-src '${hashOf(css)}'`,
      'worker-src blob:',
    ].join('; '),
    style: css,
    licences: escaped([...new Set([...worker.notices, ...page.notices])].join('\n\n')),
    example: withoutEnds(readFileSync(join(root, 'test/scenarios/gpu-one-node/objects.json'), 'utf8')),
    worker: withoutEnds(worker.text),
    script,
  };
  return readFileSync(join(source, 'page.html'), 'utf8').replaceAll(
    /\{\{(\w+)\}\}|\/\*(\w+)\*\//gu,
    (_, text, code) => parts[text ?? code],
  );
}

async function bundled(file) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [join(source, file)],
    outdir: '/',
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    minify: true,
    metafile: true,
    logLevel: 'warning',
  });
  return { text: outputFiles[0].text, notices: noticesOf(metafile) };
}

/** Text of a script element ends at `</script`, and `<!--` changes how it is read. In JSON and in strings `\u003c` is the same. */
function withoutEnds(text) {
  return text.replaceAll(/<(?=\/script|!--|script)/giu, '\\u003c');
}

function hashOf(text) {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
