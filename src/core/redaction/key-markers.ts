import { endAt } from './windows.js';

/** A line such as `-----BEGIN RSA PRIVATE KEY-----`, and where it stands. */
export interface KeyMarker {
  readonly start: number;
  readonly end: number;
}

const maxLabel = 70;

/** The markers that open or close a private key, in PEM, OpenSSH, PGP, SSH2 or PuTTY form, in their order. */
export function privateMarkers(text: string, word: 'BEGIN' | 'END'): readonly KeyMarker[] {
  const armour = markers(text, word).filter(({ isPrivate }) => isPrivate);
  return [...armour, ...puttyMarkers(text, word)].sort((a, b) => a.start - b.start);
}

/** Whether the text holds a marker of something public: a certificate, a public key. */
export function hasPublicMarker(text: string, word: 'BEGIN' | 'END'): boolean {
  return markers(text, word).some(({ isPrivate, isClosed }) => !isPrivate && isClosed);
}

interface Marker extends KeyMarker {
  readonly isPrivate: boolean;
  /** Dashes follow. */
  readonly isClosed: boolean;
}

function markers(text: string, word: 'BEGIN' | 'END'): readonly Marker[] {
  const found: Marker[] = [];
  for (let at = text.indexOf(`${word} `); at >= 0; at = text.indexOf(`${word} `, at + 1)) {
    const before = text.slice(Math.max(0, at - 6), at);
    const dashes = before.length - before.trimEnd().replace(/-{2,5}$/u, '').length;
    if (!/--$/u.test(before.trimEnd()) || /\s\s$/u.test(before)) continue;
    const label = at + word.length + 1;
    const labelEnd = endAt(text, label, maxLabel, /^[A-Z0-9 ]+/u);
    const name = text.slice(label, labelEnd);
    const key = name.indexOf('PRIVATE KEY');
    const keyEnd = key < 0 ? labelEnd : endAt(text, label + key, maxLabel, /^PRIVATE KEY(?: BLOCK)?/u);
    found.push({
      start: at - dashes,
      end: endAt(text, keyEnd, 6, /^ ?-+/u),
      isPrivate: key >= 0,
      isClosed: labelEnd > label && text[labelEnd] === '-',
    });
  }
  return found;
}

const puttyWords = { BEGIN: 'PuTTY-User-Key-File-', END: 'Private-MAC:' } as const;
const puttyLine = { BEGIN: /^PuTTY-User-Key-File-\d: ?[\w-]+/u, END: /^Private-MAC: ?[0-9a-f]*/u } as const;

function puttyMarkers(text: string, word: 'BEGIN' | 'END'): readonly KeyMarker[] {
  const start = text.indexOf(puttyWords[word]);
  const end = start < 0 ? start : endAt(text, start, 100, puttyLine[word]);
  return end > start ? [{ start, end }] : [];
}
