/** What options accept. Apart from the commands themselves, which are loaded when they run. */

export const outputs = ['text', 'json', 'yaml', 'markdown'] as const;
export type Output = (typeof outputs)[number];

export const scanOutputs = [...outputs, 'html'] as const;
export type ScanOutput = (typeof scanOutputs)[number];

export const checkOutputs = ['text', 'json', 'yaml', 'markdown', 'github', 'gitlab', 'sarif'] as const;
export type CheckOutput = (typeof checkOutputs)[number];

export const doctorOutputs = ['text', 'json', 'yaml'] as const;
export type DoctorOutput = (typeof doctorOutputs)[number];

export const inspectedParts = ['configuration', 'redis', 'slack', 'kubernetes'] as const;
export type InspectedPart = (typeof inspectedParts)[number];
