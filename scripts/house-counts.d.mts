export interface House {
  readonly files: readonly unknown[];
}
export declare function readHouse(sources: ReadonlyMap<string, string>): House;
export declare const counts: readonly {
  readonly id: string;
  readonly title: string;
  readonly count: (house: House) => number;
}[];
