/** What `engine/` and `doctor/` use beside ECMAScript itself: pure functions that Node and browsers share. `tsconfig.pure.json` includes it. */
declare class TextDecoder {
  constructor(label: 'utf-8' | 'utf-16le', options: { readonly fatal: boolean });
  decode(bytes: Uint8Array): string;
}
declare class TextEncoder {
  encode(text: string): Uint8Array;
}
