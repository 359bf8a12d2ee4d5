import type { PeopleDirectory } from './people-ports.js';

/**
 * Of these ids, those of the person with the id `by`. Records keep the id under which somebody acted, and a
 * workspace that joins an organisation gives its people a second one. A check that two people decided counts
 * people, not ids.
 *
 * @throws DoctorError when the chat cannot be asked: two ids are not taken for two people by a guess
 */
export async function idsOfPerson(
  people: Pick<PeopleDirectory, 'person'>,
  by: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const others = [...new Set(ids)].filter((id) => id !== by);
  const own = new Set(ids.includes(by) ? [by] : []);
  if (others.length === 0) return own;
  const person = await people.person(by);
  // Outside of an organisation a person has one id.
  if (person?.organisationId === undefined) return own;
  const isSame = async (id: string): Promise<boolean> =>
    person.ids.includes(id) || (await people.person(id))?.organisationId === person.organisationId;
  const answers = await Promise.all(others.map(isSame));
  return new Set([...own, ...others.filter((_, index) => answers[index])]);
}

/** The id under which a record knows the person with the id `by`; `by` itself where it does not. */
export async function recordedId(
  people: Pick<PeopleDirectory, 'person'>,
  by: string,
  recorded: string | undefined,
): Promise<string> {
  if (recorded === undefined || recorded === by) return by;
  return (await idsOfPerson(people, by, [recorded])).has(recorded) ? recorded : by;
}
