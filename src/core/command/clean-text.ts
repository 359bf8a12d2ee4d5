/**
 * What a person meant to type, out of what a chat made of it. Autocorrected quotes and dashes become ASCII again,
 * Slack's links and mentions become their labels, code marks and invisible characters go.
 */
export function cleanText(text: string): string {
  return unescapeEntities(unwrapSlackMarkup(text.slice(0, maxLength)))
    .normalize('NFC')
    .replace(spaces, ' ')
    .replace(invisible, '')
    .replace(/[“”„‟«»＂]/gu, '"')
    .replace(/[‘’‚‛′＇]/gu, "'")
    .replace(/[／]/gu, '/')
    .replace(/`+/gu, ' ')
    .replace(longDash, (_, before: string, rest: string) => `${before}${rest.length > 1 ? '--' : '-'}${rest}`)
    .replace(/[‐‑‒–—―−－]/gu, '-')
    .replace(/ +/gu, ' ')
    .trim();
}

/** Longer input is a paste, not a request; a scheduler's sentence fits. */
const maxLength = 4_000;

/** Control, zero-width and direction characters and variation selectors; what is a space has become one before. */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

const spaces = /[\s\u0085]+/gu;

/** Phones turn `--` into one long dash: at the start of a word it opens an option, `—n` or `—namespace`. */
const longDash = /(^|[ "'])[‐‑‒–—―−－-]*[–—―][‐‑‒–—―−－-]*([A-Za-z][A-Za-z-]*)/gu;

/** `<https://x|label>` and `<#C1|name>` give their label; a link without one its address without scheme; a mention goes. */
function unwrapSlackMarkup(text: string): string {
  return text.replace(/<([^<>|]*)(?:\|([^<>]*))?>/gu, (_, target: string, label: string | undefined) => {
    if (/^@[A-Z0-9]+$/u.test(target)) return ' ';
    if (label !== undefined && label !== '') return label;
    return target.replace(/^(?:https?:\/\/|mailto:)/u, '').replace(/\/$/u, '');
  });
}

function unescapeEntities(text: string): string {
  return text.replace(/&lt;/gu, '<').replace(/&gt;/gu, '>').replace(/&amp;/gu, '&');
}
