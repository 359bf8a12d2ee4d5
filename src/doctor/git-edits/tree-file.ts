/** An entry of a Git tree. */
export interface TreeEntry {
  readonly path: string;
  /** `100644`, `100755`, `120000` (symlink), `160000` (submodule). */
  readonly mode: string;
  /** Of the blob. */
  readonly sha: string;
  readonly size: number | undefined;
}

export interface TreeFile extends TreeEntry {
  readonly text: string;
}
