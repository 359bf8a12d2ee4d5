/**
 * Whether `node_modules` holds what `package-lock.json` names, as `npm ci` leaves it. Uses nothing but Node: it runs
 * before any package is installed.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** npm writes this file at the end of an installation. Its packages have the form of those in the lock. */
const written = join('node_modules', '.package-lock.json');

/**
 * @param {string} root folder with `package-lock.json`
 * @returns {boolean} false also where npm was stopped half-way
 */
export function hasPackages(root) {
  const path = join(root, written);
  if (!existsSync(path)) return false;
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(path);
  if (wanted === undefined || installed === undefined) return false;
  return (
    Object.entries(wanted).every(([place, wants]) => isSatisfied(wants, installed[place])) &&
    Object.keys(installed).every((place) => wanted[place] !== undefined)
  );
}

/** Optional packages of other platforms are left out. */
function isSatisfied(wants, has) {
  if (has === undefined) return wants.optional === true;
  return has.version === wants.version && has.integrity === wants.integrity;
}

/** Without the project itself, which only the lock lists. */
function packagesOf(path) {
  try {
    const { '': _project, ...packages } = JSON.parse(readFileSync(path, 'utf8')).packages;
    return packages;
  } catch {
    return undefined;
  }
}
