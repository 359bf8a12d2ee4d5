import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { resolve } from 'node:path';

/**
 * The folder that a script was asked to write, made if it is absent. Ends the process with status 2 when no folder is
 * named, or when it holds files: a script that writes over them would lose them.
 *
 * @returns its absolute path
 */
export function emptyFolder(script) {
  const [asked] = process.argv.slice(2);
  if (asked === undefined) {
    process.stderr.write(`usage: node scripts/${script}.mjs FOLDER\n`);
    process.exit(2);
  }
  if (existsSync(asked) && readdirSync(asked).length > 0) {
    process.stderr.write(`${asked} is not empty: name a folder that is absent or empty.\n`);
    process.exit(2);
  }
  mkdirSync(asked, { recursive: true });
  return resolve(asked);
}
