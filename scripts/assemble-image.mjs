import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { emptyFolder } from './empty-folder.mjs';

/**
 * Puts everything that the image holds below its working directory into FOLDER, which must be absent or empty. The
 * Dockerfile runs it, and so does the test that starts what is in it. `node scripts/assemble-image.mjs FOLDER`.
 */
const root = fileURLToPath(new URL('..', import.meta.url));
const folder = emptyFolder('assemble-image');
const packages = join(root, 'node_modules');
const font = '@fontsource/nanum-gothic-coding';

execFileSync(process.execPath, [join(root, 'scripts/bundle.mjs'), join(folder, 'dist')], {
  stdio: 'inherit',
});

// The image library with the native module of this platform, and of the font only the files that are drawn with.
for (const name of readdirSync(join(packages, '@napi-rs')).filter((each) => /^canvas(-|$)/.test(each))) {
  cpSync(join(packages, '@napi-rs', name), join(folder, 'node_modules/@napi-rs', name), { recursive: true });
}
const usedFonts = readdirSync(join(packages, font, 'files')).filter((file) =>
  /-(latin|korean)-(400|700)-normal\.woff2$/.test(file),
);
for (const file of ['package.json', 'LICENSE', ...usedFonts.map((each) => `files/${each}`)]) {
  cpSync(join(packages, font, file), join(folder, 'node_modules', font, file));
}

const { name, version, license, type } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
writeFileSync(
  join(folder, 'package.json'),
  `${JSON.stringify({ name, version, license, private: true, type }, undefined, 2)}\n`,
);
cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
mkdirSync(join(folder, 'bin'));
symlinkSync('../dist/rollout-doctor.js', join(folder, 'bin/rollout-doctor'));
