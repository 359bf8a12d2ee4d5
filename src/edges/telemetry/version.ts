/** The version of package.json, which is not part of the bundled command line; a test compares the two. */
export const version = '0.1.0';
