/** One entry of a tar archive: a file, a folder (`path` ends with a slash) or a symbolic link. */
export interface TarEntry {
  readonly path: string;
  readonly data?: string | Buffer;
  readonly link?: string;
  readonly mode?: number;
}

const block = 512;

/** A tar archive (ustar) of these entries, all of which root owns. */
export function tarOf(entries: readonly TarEntry[]): Buffer {
  return Buffer.concat([...entries.flatMap(entryBlocks), Buffer.alloc(2 * block)]);
}

function entryBlocks({ path, data = '', link, mode }: TarEntry): readonly Buffer[] {
  const content = Buffer.from(data);
  const isFolder = path.endsWith('/');
  const header = Buffer.alloc(block);
  const octal = (value: number, offset: number, length: number): void => {
    header.write(`${value.toString(8).padStart(length - 1, '0')}\0`, offset);
  };
  header.write(path, 0);
  octal(mode ?? (isFolder ? 0o755 : 0o644), 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(content.length, 124, 12);
  octal(0, 136, 12);
  header.write('        ', 148);
  header.write(link !== undefined ? '2' : isFolder ? '5' : '0', 156);
  header.write(link ?? '', 157);
  header.write('ustar\x0000', 257);
  octal(
    header.reduce((sum, byte) => sum + byte, 0),
    148,
    7,
  );
  const padding = (block - (content.length % block)) % block;
  return [header, content, Buffer.alloc(padding)];
}
