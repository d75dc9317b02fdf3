import { Type, type TSchema, type TSchemaOptions } from "typebox";

/**
 * Editors show `errorMessage` for a wrong value. The fault that stops the start shows it after "expected".
 * It never depends on the value, which may be a secret.
 */
interface Documented extends TSchemaOptions {
  readonly description: string;
  readonly errorMessage?: string;
}

export function members<const P extends Record<string, TSchema>>(
  properties: P,
  documented: Documented,
) {
  return Type.Object(properties, {
    errorMessage: "an object",
    ...documented,
    additionalProperties: false,
  });
}

export function wholeNumber(minimum: number, maximum: number, documented: Documented) {
  return Type.Integer({
    errorMessage: `a whole number from ${minimum} to ${maximum}`,
    ...documented,
    minimum,
    maximum,
  });
}

export function oneOf<const V extends readonly [string, ...string[]]>(
  values: V,
  documented: Documented,
) {
  const errorMessage = `one of ${values.map((value) => `"${value}"`).join(", ")}`;
  return Type.Enum<[...V]>([...values], { errorMessage, ...documented });
}

export function textOf(pattern: string, errorMessage: string, description: string) {
  return Type.String({ pattern, errorMessage, description });
}
