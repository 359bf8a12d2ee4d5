/** A piece of mrkdwn inside a line. */
export type Inline =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'bold' | 'italic' | 'strike'; readonly children: readonly Inline[] }
  | { readonly type: 'code'; readonly children: readonly Inline[] }
  | { readonly type: 'link'; readonly url: string; readonly text: string }
  | {
      readonly type: 'user' | 'channel' | 'usergroup';
      readonly id: string;
      readonly label: string | undefined;
    }
  | { readonly type: 'broadcast'; readonly range: string }
  | {
      readonly type: 'date';
      readonly seconds: number;
      readonly format: string;
      readonly link: string | undefined;
      readonly fallback: string;
    }
  | { readonly type: 'emoji'; readonly name: string };

/** A piece of mrkdwn that stands on lines of its own. */
export type Chunk =
  | { readonly type: 'lines'; readonly children: readonly Inline[] }
  | { readonly type: 'preformatted'; readonly children: readonly Inline[] }
  | { readonly type: 'quote'; readonly children: readonly Inline[] };

/**
 * Reads Slack's mrkdwn. Entities are resolved last, so that escaped text can never become a mention or a
 * link. source: docs.slack.dev/messaging/formatting-message-text
 *
 * @param verbatim whether bare addresses stay text
 */
export function parseMrkdwn(text: string, verbatim = false): readonly Chunk[] {
  return text.split(/```\n?([\s\S]+?)\n?```\n?/).flatMap((part, index): readonly Chunk[] => {
    if (index % 2 === 1) return [{ type: 'preformatted', children: plainPieces(part) }];
    return part === '' ? [] : quotes(part, verbatim);
  });
}

function quotes(text: string, verbatim: boolean): readonly Chunk[] {
  const chunks: { readonly quoted: boolean; readonly lines: string[] }[] = [];
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const quoted = /^(&gt;|>) ?/.exec(line);
    const last = chunks.at(-1);
    const content = quoted === null ? line : line.slice(quoted[0].length);
    if (last !== undefined && last.quoted === (quoted !== null)) last.lines.push(content);
    else chunks.push({ quoted: quoted !== null, lines: [content] });
  }
  return chunks.map(({ quoted, lines }) => ({
    type: quoted ? 'quote' : 'lines',
    children: parseInline(lines.join('\n'), verbatim),
  }));
}

interface Style {
  readonly type: 'bold' | 'italic' | 'strike';
  readonly pattern: RegExp;
}

const styles: readonly Style[] = [
  { type: 'bold', pattern: /(?<![\w*])\*(?=[^\s*])([^\n]*?[^\s*])\*(?![\w*])/ },
  { type: 'italic', pattern: /(?<![\w_])_(?=[^\s_])([^\n]*?[^\s_])_(?![\w_])/ },
  { type: 'strike', pattern: /(?<![\w~])~(?=[^\s~])([^\n]*?[^\s~])~(?![\w~])/ },
];

/**
 * Whichever comes first: code, something in angle brackets, or a style, whose inside is read in the same way.
 */
function parseInline(text: string, verbatim: boolean): readonly Inline[] {
  const code = /`([^`\n]+)`/.exec(text);
  const bracket = /<([^<>\n]+)>/.exec(text);
  const styled = firstStyle(text);
  const first = Math.min(
    code?.index ?? text.length,
    bracket?.index ?? text.length,
    styled?.index ?? text.length,
  );
  const around = (length: number, piece: Inline): readonly Inline[] => [
    ...words(text.slice(0, first), verbatim),
    piece,
    ...parseInline(text.slice(first + length), verbatim),
  ];
  if (code?.[1] !== undefined && code.index === first) {
    return around(code[0].length, { type: 'code', children: plainPieces(code[1]) });
  }
  if (bracket?.[1] !== undefined && bracket.index === first) {
    return around(bracket[0].length, bracketed(bracket[1]));
  }
  if (styled !== undefined) {
    return around(styled.length, { type: styled.type, children: parseInline(styled.inner, verbatim) });
  }
  return words(text, verbatim);
}

function firstStyle(text: string) {
  return styles
    .flatMap(({ type, pattern }) => {
      const found = pattern.exec(text);
      return found?.[1] === undefined
        ? []
        : [{ type, index: found.index, length: found[0].length, inner: found[1] }];
    })
    .toSorted((left, right) => left.index - right.index)[0];
}

/** Text of code: what stands in angle brackets still counts, styles and emoji do not. */
function plainPieces(text: string): readonly Inline[] {
  return text.split(/<([^<>\n]+)>/).flatMap((part, index): readonly Inline[] => {
    if (index % 2 === 1) return [bracketed(part)];
    return part === '' ? [] : [{ type: 'text', text: unescapeText(part) }];
  });
}

function bracketed(content: string): Inline {
  const [target = '', label] = splitOnce(content, '|');
  const text = label === undefined ? undefined : unescapeText(label);
  if (/^@[UW]\w+$/.test(target)) return { type: 'user', id: target.slice(1), label: text };
  if (/^#C\w+$/.test(target)) return { type: 'channel', id: target.slice(1), label: text };
  if (target.startsWith('!subteam^')) return { type: 'usergroup', id: target.slice(9), label: text };
  const [, seconds, format, link] = /^!date\^(\d+)\^([^^]*)(?:\^(.*))?$/.exec(target) ?? [];
  if (seconds !== undefined && format !== undefined) {
    return {
      type: 'date',
      seconds: Number(seconds),
      format: unescapeText(format),
      link: link === undefined ? undefined : unescapeText(link),
      fallback: text ?? '',
    };
  }
  if (/^!(here|channel|everyone)$/.test(target)) return { type: 'broadcast', range: target.slice(1) };
  if (/^(https?:\/\/|mailto:)/.test(target)) {
    const url = unescapeText(target);
    return { type: 'link', url, text: text ?? url };
  }
  return { type: 'text', text: unescapeText(`<${content}>`) };
}

function words(text: string, verbatim: boolean): readonly Inline[] {
  const pattern = verbatim ? /:([a-z0-9_+-]+):/g : /:([a-z0-9_+-]+):|(https?:\/\/[^\s<>)]+[^\s<>).,;:!?])/g;
  const pieces: Inline[] = [];
  let from = 0;
  const plain = (to: number) => {
    if (to > from) pieces.push({ type: 'text', text: unescapeText(text.slice(from, to)) });
  };
  for (const found of text.matchAll(pattern)) {
    plain(found.index);
    const [whole, name, url] = found;
    if (url !== undefined) pieces.push({ type: 'link', url: unescapeText(url), text: unescapeText(url) });
    else if (name !== undefined) pieces.push({ type: 'emoji', name });
    from = found.index + whole.length;
  }
  plain(text.length);
  return pieces;
}

function splitOnce(text: string, separator: string): readonly [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** `&lt;`, `&gt;` and `&amp;` as the signs they stand for; last, and once. */
function unescapeText(text: string): string {
  return text.replace(/&(lt|gt|amp);/g, (_, name: string) => ({ lt: '<', gt: '>', amp: '&' })[name] ?? '');
}
