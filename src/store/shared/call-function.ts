import type { QueryResult } from "pg";

/** A connection, or a pool of them. */
export interface Queryable {
  query(query: {
    readonly name: string;
    readonly text: string;
    readonly values: readonly unknown[];
  }): Promise<QueryResult<{ reply: unknown }>>;
}

/** Calls a function of the schema `weir` as a prepared statement, and returns its one value. */
export async function callFunction(
  database: Queryable,
  name: string,
  values: readonly unknown[],
): Promise<unknown> {
  const places = values.map((_, i) => `$${i + 1}`).join(", ");
  const text = `SELECT weir.${name}(${places}) AS reply`;
  const { rows } = await database.query({ name, text, values });
  return rows[0]?.reply ?? null;
}
