export declare function findMissingImports(folder: string): readonly string[];
