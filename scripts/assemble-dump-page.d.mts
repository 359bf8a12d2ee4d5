export declare function assembleDumpPage(): Promise<string>;
