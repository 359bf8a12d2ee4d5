/** Whether `node_modules` holds what `package-lock.json` names, as `npm ci` leaves it. */
export function hasPackages(root: string): boolean;
