import { z } from 'zod';

/** A field of a schema. Causes of one family share the schemas of the fields that the family owns. */
export interface DescribedField {
  /** Such as `refusals[].nodes`. */
  readonly path: string;
  readonly schema: z.ZodType;
}

/**
 * Every field that a schema describes, including those inside lists, objects and unions, without the tags of
 * unions.
 */
export function fieldsIn(schema: z.ZodType, at = ''): readonly DescribedField[] {
  if (schema instanceof z.ZodOptional) return fieldsIn(schema.unwrap() as z.ZodType, at);
  if (schema instanceof z.ZodArray) return fieldsIn(schema.element as z.ZodType, `${at}[]`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((each) => fieldsIn(each as z.ZodType, at));
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, field]) => {
    const path = at === '' ? key : `${at}.${key}`;
    if (field instanceof z.ZodLiteral) return [];
    return [{ path, schema: field }, ...fieldsIn(field, path)];
  });
}

/** The schemas of the fields that have a value. An empty list counts as none. */
export function schemasUsedBy(value: unknown, schema: z.ZodType): readonly z.ZodType[] {
  if (value === undefined) return [];
  if (schema instanceof z.ZodOptional) return schemasUsedBy(value, schema.unwrap() as z.ZodType);
  if (schema instanceof z.ZodArray) {
    return (value as readonly unknown[]).flatMap((each) => schemasUsedBy(each, schema.element as z.ZodType));
  }
  if (schema instanceof z.ZodUnion) {
    const option = (schema.options as readonly z.ZodType[]).find((each) => each.safeParse(value).success);
    return option === undefined ? [] : schemasUsedBy(value, option);
  }
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([key, field]) => {
    const inside = (value as Record<string, unknown>)[key];
    const isThere = inside !== undefined && !(Array.isArray(inside) && inside.length === 0);
    return isThere ? [field, ...schemasUsedBy(inside, field)] : [];
  });
}
