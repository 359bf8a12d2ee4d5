import { authorNamed } from './author.js';
import { Avatar } from './avatar.js';
import { useFrame } from './panel-text.js';
import { useSlack } from './slack-store.js';

/** Chooses who the reader plays. */
export function PersonSwitch({ onChange }: { onChange: (id: string) => void }) {
  const { people, userGroups, me } = useSlack();
  const frame = useFrame();
  const playable = people.filter(({ isBot, deleted }) => !isBot && !deleted);
  const person = people.find(({ id }) => id === me);
  const groups = userGroups.filter(({ members }) => members.includes(me)).map(({ handle }) => `@${handle}`);
  const about = [
    groups.length > 0 ? groups.join(', ') : frame.noGroup,
    person?.isAdmin === true ? 'admin' : '',
    person?.locale ?? '',
  ];
  return (
    <div className="person-switch">
      <Avatar author={authorNamed(person?.realName ?? '')} />
      <div>
        <label htmlFor="person">{frame.youPlay}</label>
        <select id="person" value={me} onChange={({ target }) => onChange(target.value)} data-testid="person">
          {playable.map(({ id, realName }) => (
            <option key={id} value={id}>
              {realName}
            </option>
          ))}
        </select>
        <span className="person-about">{about.filter((each) => each !== '').join(' · ')}</span>
      </div>
    </div>
  );
}
