/** Variables of a process or of an env file. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The value of a variable. A line such as `SLACK_APP_TOKEN=` in an env file sets none, nor does one of
 * blanks.
 */
export function givenValue(env: Environment, name: string): string | undefined {
  const value = env[name];
  return value === undefined || value.trim() === '' ? undefined : value;
}
