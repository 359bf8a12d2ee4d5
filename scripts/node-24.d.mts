export declare const version: string;
export declare function ensureNode24(): string | undefined;
export declare function ensurePackage(name: string, packageVersion: string): string;
