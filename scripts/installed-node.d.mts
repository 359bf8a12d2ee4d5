/** A major version of Node that the tests run on, in an exact release. */
export declare function ensureNode(major: 20 | 24): string | undefined;
export declare function ensurePackage(name: string, packageVersion: string): string;
