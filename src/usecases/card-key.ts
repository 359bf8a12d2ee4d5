/** Key of an incident's card among the deliveries. */
export function cardKey(incidentId: string): string {
  return `${incidentId}.card`;
}
