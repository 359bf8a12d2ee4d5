/** Emoji by Slack's names, as far as a card may use them; others stay in words. */
const emoji: Readonly<Record<string, string>> = {
  white_check_mark: '✅',
  heavy_check_mark: '✔️',
  x: '❌',
  warning: '⚠️',
  rotating_light: '🚨',
  fire: '🔥',
  eyes: '👀',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  stopwatch: '⏱️',
  alarm_clock: '⏰',
  lock: '🔒',
  key: '🔑',
  repeat: '🔁',
  arrows_counterclockwise: '🔄',
  leftwards_arrow_with_hook: '↩️',
  arrow_right: '➡️',
  mag: '🔍',
  bulb: '💡',
  memo: '📝',
  gear: '⚙️',
  wrench: '🔧',
  hammer_and_wrench: '🛠️',
  package: '📦',
  chart_with_upwards_trend: '📈',
  no_entry: '⛔',
  no_entry_sign: '🚫',
  octagonal_sign: '🛑',
  construction: '🚧',
  information_source: 'ℹ️',
  question: '❓',
  red_circle: '🔴',
  large_orange_circle: '🟠',
  large_yellow_circle: '🟡',
  large_green_circle: '🟢',
  large_blue_circle: '🔵',
  white_circle: '⚪',
  white_large_square: '⬜',
  heavy_minus_sign: '➖',
  thread: '🧵',
  speech_balloon: '💬',
  tada: '🎉',
  rocket: '🚀',
  wave: '👋',
  thumbsup: '👍',
  '+1': '👍',
  '-1': '👎',
  pray: '🙏',
  stethoscope: '🩺',
  adhesive_bandage: '🩹',
  pill: '💊',
};

/** The sign, or the name between colons where there is none. */
export function emojiNamed(name: string): string {
  return emoji[name] ?? `:${name}:`;
}

/** A plain text with its emoji, as `plain_text` shows them unless told not to. */
export function withEmoji(text: string): string {
  return text.replace(/:([a-z0-9_+-]+):/g, (_, name: string) => emojiNamed(name));
}
