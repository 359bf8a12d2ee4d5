import type { Command, Option } from 'commander';
import { programName } from './help-pages.js';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/** What a shell needs to know of one command. */
interface Described {
  readonly name: string;
  readonly description: string;
  readonly options: readonly Flag[];
  /** What may stand as its argument; empty when it is free. */
  readonly choices: readonly string[];
}

interface Flag {
  readonly short: string | undefined;
  readonly long: string;
  readonly description: string;
  readonly value: 'none' | 'text' | 'path' | readonly string[];
}

/**
 * The completion script of a shell, made of the program's own commands and options, so that it cannot lack
 * one.
 *
 * @param program the whole program, with its commands
 */
export function completionScript(shell: Shell, program: Command): string {
  const commands = program.commands.map(described);
  const name = programName;
  switch (shell) {
    case 'bash':
      return bash(name, commands);
    case 'zsh':
      return zsh(name, commands);
    case 'fish':
      return fish(name, commands);
  }
}

function described(command: Command): Described {
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    description: command.description(),
    options: command.options.map(flag),
    choices: argument?.argChoices ?? [],
  };
}

function flag({ short, long, flags, description, argChoices, required, optional, variadic }: Option): Flag {
  const takesValue = required || optional || variadic;
  return {
    short,
    long: long ?? flags,
    description,
    value: !takesValue ? 'none' : (argChoices ?? (/path/.test(flags) ? 'path' : 'text')),
  };
}

function words({ options, choices }: Described): string {
  return [
    ...options.flatMap(({ short, long }) => (short === undefined ? [long] : [short, long])),
    ...choices,
  ].join(' ');
}

/** `complete -o default` leaves the rest, file names, to bash. */
function bash(program: string, commands: readonly Described[]): string {
  const values = commands.flatMap(({ name, options }) =>
    options.flatMap(({ short, long, value }) => {
      if (value === 'none') return [];
      const reply = typeof value === 'string' ? 'return' : `words="${value.join(' ')}"`;
      const when = [short, long].filter((each) => each !== undefined).map((each) => `"${name} ${each}"`);
      return [`    ${when.join(' | ')}) ${reply} ;;`];
    }),
  );
  const each = commands.map((command) => `        ${command.name}) words="${words(command)} --help" ;;`);
  return `# ${program} completion for bash: source <(${program} completion bash)
_${ident(program)}() {
  local current="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  local command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  case "$command $before" in
${values.join('\n')}
    *)
      if [[ $COMP_CWORD -eq 1 ]]; then
        words="${commands.map(({ name }) => name).join(' ')} help --help"
      else
        case "$command" in
${each.join('\n')}
        esac
      fi
      ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _${ident(program)} ${program}
`;
}

function zsh(program: string, commands: readonly Described[]): string {
  const name = ident(program);
  const list = commands.map((each) => `    '${each.name}:${quoted(each.description)}'`);
  const cases = commands.map(({ name: command, options, choices }) => {
    const specs = options.map((option) => {
      const names =
        option.short === undefined
          ? option.long
          : `(${option.short} ${option.long})'{${option.short},${option.long}}'`;
      return `        '${names}[${quoted(option.description).replaceAll('[', '(').replaceAll(']', ')')}]${zshValue(option)}'`;
    });
    const rest = choices.length > 0 ? `'1:what:(${choices.join(' ')})'` : "'*:argument:_files'";
    return `    ${command})
      _arguments \\
${[...specs, `        ${rest}`].join(' \\\n')}
      ;;`;
  });
  return `#compdef ${program}
# ${program} completion for zsh: ${program} completion zsh > "\${fpath[1]}/_${program}"
_${name}() {
  local -a commands
  commands=(
${list.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
if [ "$funcstack[1]" = "_${program}" ]; then
  _${name} "$@"
else
  compdef _${name} ${program}
fi
`;
}

function zshValue({ value, long }: Flag): string {
  const label = long.replace(/^-+/, '');
  switch (value) {
    case 'none':
      return '';
    case 'text':
      return `:${label}:`;
    case 'path':
      return `:${label}:_files`;
    default:
      return `:${label}:(${value.join(' ')})`;
  }
}

function fish(program: string, commands: readonly Described[]): string {
  const lines = commands.flatMap(({ name, description, options, choices }) => {
    const within = `complete -c ${program} -n '__fish_seen_subcommand_from ${name}'`;
    return [
      `complete -c ${program} -n __fish_use_subcommand -f -a ${name} -d '${quoted(description)}'`,
      ...options.map((option) => {
        const short = option.short === undefined ? '' : ` -s ${option.short.slice(1)}`;
        return `${within} -l ${option.long.slice(2)}${short}${fishValue(option)} -d '${quoted(option.description)}'`;
      }),
      ...(choices.length > 0 ? [`${within} -f -a '${choices.join(' ')}'`] : []),
    ];
  });
  return `# ${program} completion for fish: ${program} completion fish > ~/.config/fish/completions/${program}.fish
${lines.join('\n')}
`;
}

function fishValue({ value }: Flag): string {
  switch (value) {
    case 'none':
      return '';
    case 'text':
      return ' -x';
    case 'path':
      return ' -r -F';
    default:
      return ` -x -a '${value.join(' ')}'`;
  }
}

/** Descriptions stand in single quotes, in which neither shell reads anything but the quote itself. */
function quoted(text: string): string {
  return text.replaceAll("'", '’').replaceAll('\\', '/').replaceAll(':', ' -');
}

function ident(text: string): string {
  return text.replaceAll('-', '_');
}
