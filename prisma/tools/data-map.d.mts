export interface Table {
  /** File name in prisma/models; it is named after the module that owns the table. */
  readonly file: string;
  readonly name: string;
  /** Values of the tags. */
  readonly values: ReadonlyMap<string, string>;
  readonly fields: ReadonlyMap<string, { readonly type: string; readonly isRelation: boolean }>;
}

/** @param files name and text of each file of models @param settings the source that declares the settings */
export function readDataMap(files?: readonly (readonly [string, string])[], settings?: string): Table[];
