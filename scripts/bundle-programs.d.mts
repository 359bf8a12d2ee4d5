export declare function bundlePrograms(asked: {
  readonly folder: string;
  readonly entryPoints: Readonly<Record<string, string>>;
  readonly sourcemap?: boolean;
}): Promise<readonly string[]>;
export declare function noticesOf(metafile: object): readonly string[];
