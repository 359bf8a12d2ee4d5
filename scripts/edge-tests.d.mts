/** Paths of the test files that run on the oldest Node, too. */
export declare function edgeTests(): readonly string[];
