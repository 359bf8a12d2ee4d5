import type { Json } from '../json.js';
import { optionsOf } from '../workspace/values.js';
import { manyOf, oneOf } from './chosen.js';
import { useSlack } from './slack-store.js';
import { plainText, TextObject } from './text.js';

export interface ControlProps {
  readonly element: Json;
  readonly label: string;
  readonly chosen: string | readonly string[] | undefined;
  readonly onChoose: (value: string | readonly string[]) => void;
  readonly disabled?: boolean;
  /** Ids for the label beside it, where there is one. */
  readonly id?: string;
  readonly describedBy?: string | undefined;
  readonly invalid?: boolean;
}

interface Choice {
  readonly value: string;
  readonly label: string;
}

/** A menu, picker, text field or group of boxes. */
export function Control(props: ControlProps) {
  const { element } = props;
  const type = String(element.type);
  if (type === 'checkboxes' || type === 'radio_buttons') return <Boxes {...props} />;
  if (type.includes('select')) return <Menu {...props} />;
  return <Typed {...props} />;
}

function useChoices(element: Json): readonly Choice[] {
  const { people, channels } = useSlack();
  const type = String(element.type);
  if (type.includes('users')) {
    return people
      .filter(({ isBot, deleted }) => !isBot && !deleted)
      .map(({ id, realName }) => ({ value: id, label: realName }));
  }
  if (type.includes('channels') || type.includes('conversations')) {
    return channels
      .filter(({ kind }) => kind !== 'im')
      .map(({ id, name }) => ({ value: id, label: `#${name}` }));
  }
  return optionsOf(element).map((option) => ({ value: String(option.value), label: plainText(option.text) }));
}

function attributes({ id, label, describedBy, invalid, disabled }: ControlProps) {
  return {
    id,
    disabled,
    'aria-label': id === undefined ? label : undefined,
    'aria-describedby': describedBy,
    'aria-invalid': invalid === true ? true : undefined,
  };
}

function Menu(props: ControlProps) {
  const { element, chosen, onChoose } = props;
  const choices = useChoices(element);
  const several = String(element.type).startsWith('multi_');
  const options = choices.map(({ value, label }) => (
    <option key={value} value={value}>
      {label}
    </option>
  ));
  if (several) {
    return (
      <select
        {...attributes(props)}
        multiple
        size={Math.min(6, Math.max(2, choices.length))}
        value={[...manyOf(chosen)]}
        onChange={({ target }) => onChoose([...target.selectedOptions].map(({ value }) => value))}
      >
        {options}
      </select>
    );
  }
  return (
    <select {...attributes(props)} value={oneOf(chosen)} onChange={({ target }) => onChoose(target.value)}>
      <option value="" disabled={oneOf(chosen) !== ''}>
        {plainText(element.placeholder) || 'Choose…'}
      </option>
      {options}
    </select>
  );
}

function Boxes(props: ControlProps) {
  const { element, chosen, onChoose, id, describedBy, label } = props;
  const many = manyOf(chosen);
  const single = element.type === 'radio_buttons';
  const name = `${id ?? label}-${String(element.action_id)}`;
  return (
    <fieldset
      className="boxes"
      aria-labelledby={id === undefined ? undefined : `${id}-label`}
      aria-label={id === undefined ? label : undefined}
      aria-describedby={describedBy}
    >
      {optionsOf(element).map((option) => {
        const value = String(option.value);
        return (
          <label key={value}>
            <input
              type={single ? 'radio' : 'checkbox'}
              name={name}
              disabled={props.disabled}
              checked={many.includes(value)}
              onChange={({ target }) => {
                if (single) onChoose(value);
                else onChoose(target.checked ? [...many, value] : many.filter((each) => each !== value));
              }}
            />
            <span>
              <TextObject of={option.text} />
              {option.description === undefined ? null : (
                <small>
                  <TextObject of={option.description} />
                </small>
              )}
            </span>
          </label>
        );
      })}
    </fieldset>
  );
}

const inputTypes: Readonly<Record<string, string>> = {
  email_text_input: 'email',
  url_text_input: 'url',
  number_input: 'text',
  datepicker: 'date',
  timepicker: 'time',
  datetimepicker: 'datetime-local',
};

function Typed(props: ControlProps) {
  const { element, chosen, onChoose } = props;
  const type = String(element.type);
  const placeholder = plainText(element.placeholder);
  if (type === 'datetimepicker') return <DateTime {...props} />;
  if (element.multiline === true || type === 'rich_text_input') {
    return (
      <textarea
        {...attributes(props)}
        rows={4}
        placeholder={placeholder}
        value={oneOf(chosen)}
        onChange={({ target }) => onChoose(target.value)}
      />
    );
  }
  return (
    <input
      {...attributes(props)}
      type={inputTypes[type] ?? 'text'}
      inputMode={type === 'number_input' ? 'decimal' : undefined}
      placeholder={placeholder}
      autoComplete="off"
      value={oneOf(chosen)}
      onChange={({ target }) => onChoose(target.value)}
    />
  );
}

/** Slack keeps seconds; the browser's control shows local time. */
function DateTime(props: ControlProps) {
  const seconds = Number(oneOf(props.chosen));
  const local =
    Number.isNaN(seconds) || seconds === 0 ? '' : new Date(seconds * 1000 - offsetMs(seconds)).toISOString();
  return (
    <input
      {...attributes(props)}
      type="datetime-local"
      value={local.slice(0, 16)}
      onChange={({ target }) => props.onChoose(String(Math.floor(new Date(target.value).getTime() / 1000)))}
    />
  );
}

function offsetMs(seconds: number): number {
  return new Date(seconds * 1000).getTimezoneOffset() * 60_000;
}
