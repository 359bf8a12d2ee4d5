/** What `core/` uses beside ECMAScript itself: a pure function that Node and browsers share. `tsconfig.core.json` includes it. */
declare class TextDecoder {
  constructor(label: 'utf-8' | 'utf-16le', options: { readonly fatal: boolean });
  decode(bytes: Uint8Array): string;
}
