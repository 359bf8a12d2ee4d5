/**
 * The program of a thread, beside the module that starts it: as it was built, or as it is. The folder of a
 * build is flat.
 *
 * @param moduleUrl `import.meta.url` of the module that starts it
 */
export function threadBeside(moduleUrl: string, name: string): URL {
  return new URL(`./${name}${moduleUrl.slice(moduleUrl.lastIndexOf('.'))}`, moduleUrl);
}
