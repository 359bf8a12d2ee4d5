import { describe, expect, it } from 'vitest';
import { readDemoSettings } from '../../../../demo/live/demo-settings.js';

describe('the settings of the demo', () => {
  it.each([
    [{}, undefined, undefined],
    [{ PORT: '', CHANNEL_LANGUAGE: '' }, undefined, undefined],
    [{ PORT: '3471', CHANNEL_LANGUAGE: 'ko' }, 3471, 'ko'],
    [{ PORT: '0' }, 0, undefined],
  ])('are read from %j', (environment, port, language) => {
    expect(readDemoSettings(environment)).toEqual({ port, language, problems: [] });
  });

  it.each([
    [{ PORT: 'http' }, 'PORT: "http" is no port; 0 to 65535'],
    [{ PORT: '70000' }, 'PORT: "70000" is no port; 0 to 65535'],
    [{ CHANNEL_LANGUAGE: 'fr' }, 'CHANNEL_LANGUAGE: "fr" is no language of the cards; en or ko'],
  ])('name what is wrong in %j in one line', (environment, problem) => {
    expect(readDemoSettings(environment).problems).toEqual([problem]);
  });
});
