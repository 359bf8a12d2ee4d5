/**
 * What a person meant to type, out of what a chat made of it. Autocorrected quotes and dashes become ASCII
 * again, Slack's links and mentions become their labels, code marks and invisible characters go.
 */
export function cleanText(text: string): string {
  return unescapeEntities(unwrapSlackMarkup(bounded(text)))
    .normalize('NFC')
    .replace(spaces, ' ')
    .replace(invisible, '')
    .replace(/[“”„‟«»＂]/gu, '"')
    .replace(/[‘’‚‛′＇]/gu, "'")
    .replace(/[／]/gu, '/')
    .replace(/`+/gu, ' ')
    .replace(dashes, openOption)
    .replace(/[‐‑‒–—―−－]/gu, '-')
    .replace(/ +/gu, ' ')
    .trim();
}

/**
 * Characters of a command or mention that are read. Longer input is a paste, not a request; a scheduler's
 * sentence fits.
 */
export const maxCommandText = 4_000;

/** Cut as kube-scheduler cuts its own sentences, so that `explain` says that the end is missing. */
function bounded(text: string): string {
  return text.length <= maxCommandText ? text : `${text.slice(0, maxCommandText - 4)} ...`;
}

/**
 * Control, zero-width and direction characters and variation selectors; what is a space has become one
 * before.
 */
const invisible = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu;

const spaces = /[\s\u0085]+/gu;

/** Phones turn `--` into one long dash: at the start of a word it opens an option, `—n` or `—namespace`. */
const dashes = /(^|[ "'])([‐‑‒–—―−－-]+)([A-Za-z][A-Za-z-]*)/gu;

function openOption(whole: string, before: string, dash: string, rest: string): string {
  return /[–—―]/u.test(dash) ? `${before}${rest.length > 1 ? '--' : '-'}${rest}` : whole;
}

/**
 * `<https://x|label>` and `<#C1|name>` give their label; a link without one its address without scheme; a
 * mention goes.
 */
function unwrapSlackMarkup(text: string): string {
  return text.replace(/<([^<>|]*)(?:\|([^<>]*))?>/gu, (_, target: string, label: string | undefined) => {
    if (/^@[A-Z0-9]+$/u.test(target)) return ' ';
    if (label !== undefined && label !== '') return label;
    // Somebody typed the scheme: it is the address of a page.
    if (/^https?:\/\/[^/]{0,300}\.[^/]{0,300}\/./u.test(target)) return target;
    return target.replace(/^(?:https?:\/\/|mailto:)/u, '').replace(/\/$/u, '');
  });
}

function unescapeEntities(text: string): string {
  return text.replace(/&lt;/gu, '<').replace(/&gt;/gu, '>').replace(/&amp;/gu, '&');
}
