import { Language } from '#src/engine/language/language.js';

/** What the environment says of the demo. */
export interface DemoSettings {
  /** Absent: 3333, or the next free one. */
  readonly port: number | undefined;
  /** Of all channels but the Korean one; absent: English. */
  readonly language: Language | undefined;
}

/** Reads both settings. An empty one counts as not set. `problems`: a line for each that is wrong. */
export function readDemoSettings({
  PORT = '',
  CHANNEL_LANGUAGE = '',
}: Readonly<Record<string, string | undefined>>): DemoSettings & { readonly problems: readonly string[] } {
  const port = Number(PORT);
  const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
  const language = Language.safeParse(CHANNEL_LANGUAGE).data;
  const hasPort = PORT.trim() !== '';
  return {
    port: hasPort && isPort ? port : undefined,
    language,
    problems: [
      ...(hasPort && !isPort ? [`PORT: ${JSON.stringify(PORT)} is no port; 0 to 65535`] : []),
      ...(CHANNEL_LANGUAGE.trim() !== '' && language === undefined
        ? [`CHANNEL_LANGUAGE: ${JSON.stringify(CHANNEL_LANGUAGE)} is no language of the cards; en or ko`]
        : []),
    ],
  };
}
